import type { PublishedPort } from '../fleet/computer.ts';
import { portFrom } from './decode-computer.ts';
import { unwrapRecord } from './decode-envelope.ts';
import { isObject } from './fields.ts';
import { type Acknowledgement, acknowledgementFrom } from './json-body.ts';
import { pathSegment } from './path-segment.ts';
import type { RequestOptions, Transport } from './transport.ts';

export type Visit = { status: number; hasAnswered: boolean };

export type PublicationEndpoints = {
	publishPort(id: string, port: number, options: RequestOptions): Promise<PublishedPort>;
	unpublishPort(id: string, port: number, options: RequestOptions): Promise<Acknowledgement>;
	/** Requests the public address itself, to find out whether an application answers there. */
	visitPort(id: string, port: number, options: RequestOptions): Promise<Visit>;
	visitShare(token: string, options: RequestOptions): Promise<Visit>;
	publicAddress(id: string, port: number): string;
	shareAddress(token: string): string;
};

export function publicationEndpoints(transport: Transport, baseUrl: string): PublicationEndpoints {
	const preview = (id: string, act: 'start' | 'stop') =>
		`/platform/sandbox/${pathSegment(id)}/preview/${act}`;
	const published = (id: string, port: number) => `/p/${pathSegment(id)}/${port}`;
	const shared = (token: string) => `/p/share/${pathSegment(token)}`;
	const address = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

	const visit = async (path: string, options: RequestOptions): Promise<Visit> => {
		const call = { ...options, scope: 'other', method: 'GET', path, isPublic: true } as const;
		const { status } = await transport.sendAny(call);
		return { status, hasAnswered: status < 500 && status !== 404 && status !== 401 };
	};

	return {
		async publishPort(id, port, options) {
			const path = preview(id, 'start');
			const call = { ...options, scope: 'other', method: 'POST', path, body: { port } } as const;
			const response = await transport.send(call);
			acknowledgementFrom(response);
			const { value } = unwrapRecord(response.json, 'preview', 'publication');
			return portFrom(isObject(value) ? { ...value, port } : port) ?? { port };
		},
		async unpublishPort(id, port, options) {
			const path = preview(id, 'stop');
			const call = { ...options, scope: 'other', method: 'POST', path, body: { port } } as const;
			return acknowledgementFrom(await transport.send(call));
		},
		visitPort: async (id, port, options) => visit(published(id, port), options),
		visitShare: async (token, options) => visit(shared(token), options),
		publicAddress: (id, port) => address(published(id, port)),
		shareAddress: token => address(shared(token)),
	};
}
