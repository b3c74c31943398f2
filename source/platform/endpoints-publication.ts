import type { PublishedPort } from '../fleet/computer.ts';
import { portFrom } from './decode-computer.ts';
import { recordIn } from './decode-envelope.ts';
import { isObject } from './fields.ts';
import { type Acknowledgement, acknowledgementFrom } from './json-body.ts';
import { pathSegment } from './path-segment.ts';
import type { RequestOptions, Transport } from './transport.ts';

export type Visit = { status: number; isAnswered: boolean };

export type PublicationEndpoints = {
	publishPort(id: string, port: number, asking: RequestOptions): Promise<PublishedPort>;
	unpublishPort(id: string, port: number, asking: RequestOptions): Promise<Acknowledgement>;
	/** Asks the public address itself whether an application answers there. */
	visitPort(id: string, port: number, asking: RequestOptions): Promise<Visit>;
	visitShare(token: string, asking: RequestOptions): Promise<Visit>;
	publicAddress(id: string, port: number): string;
	shareAddress(token: string): string;
};

export function publicationEndpoints(transport: Transport, baseUrl: string): PublicationEndpoints {
	const preview = (id: string, act: 'start' | 'stop') =>
		`/platform/sandbox/${pathSegment(id)}/preview/${act}`;
	const published = (id: string, port: number) => `/p/${pathSegment(id)}/${port}`;
	const shared = (token: string) => `/p/share/${pathSegment(token)}`;
	const address = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

	const visit = async (path: string, asking: RequestOptions): Promise<Visit> => {
		const call = { ...asking, scope: 'other', method: 'GET', path, isPublic: true } as const;
		const { status } = await transport.sendAny(call);
		return { status, isAnswered: status < 500 && status !== 404 && status !== 401 };
	};

	return {
		async publishPort(id, port, asking) {
			const path = preview(id, 'start');
			const call = { ...asking, scope: 'other', method: 'POST', path, body: { port } } as const;
			const answer = await transport.send(call);
			acknowledgementFrom(answer);
			const { value } = recordIn(answer.json, 'preview', 'publication');
			return portFrom(isObject(value) ? { ...value, port } : port) ?? { port };
		},
		async unpublishPort(id, port, asking) {
			const path = preview(id, 'stop');
			const call = { ...asking, scope: 'other', method: 'POST', path, body: { port } } as const;
			return acknowledgementFrom(await transport.send(call));
		},
		visitPort: async (id, port, asking) => visit(published(id, port), asking),
		visitShare: async (token, asking) => visit(shared(token), asking),
		publicAddress: (id, port) => address(published(id, port)),
		shareAddress: token => address(shared(token)),
	};
}
