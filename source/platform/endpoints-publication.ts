import type { PublishedPort } from '../fleet/computers/computer.ts';
import { portFrom } from './decoding/decode-computer.ts';
import { unwrapRecord } from './decoding/decode-envelope.ts';
import { isObject } from './decoding/fields.ts';
import { pathSegment } from './decoding/path-segment.ts';
import { type Acknowledgement, acknowledgementFrom } from './json-body.ts';
import type { RequestOptions, Transport } from './transport.ts';

export type VisitResult = { status: number; hasAnswered: boolean };

export type PublicationEndpoints = {
	publishPort(id: string, port: number, options: RequestOptions): Promise<PublishedPort>;
	unpublishPort(id: string, port: number, options: RequestOptions): Promise<Acknowledgement>;
	/** Requests the public address itself, to find out whether an application answers there. */
	visitPort(id: string, port: number, options: RequestOptions): Promise<VisitResult>;
	publicAddress(id: string, port: number): string;
	shareAddress(token: string): string;
};

export function publicationEndpoints(transport: Transport, baseUrl: string): PublicationEndpoints {
	const previewPath = (id: string, action: 'start' | 'stop') =>
		`/platform/sandbox/${pathSegment(id)}/preview/${action}`;
	const publicPath = (id: string, port: number) => `/p/${pathSegment(id)}/${port}`;
	const addressOf = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

	return {
		async publishPort(id, port, options) {
			const path = previewPath(id, 'start');
			const call = { ...options, scope: 'other', method: 'POST', path, body: { port } } as const;
			const response = await transport.send(call);
			acknowledgementFrom(response);
			const { value } = unwrapRecord(response.json, 'preview', 'publication');
			return portFrom(isObject(value) ? { ...value, port } : port) ?? { port };
		},
		async unpublishPort(id, port, options) {
			const path = previewPath(id, 'stop');
			const call = { ...options, scope: 'other', method: 'POST', path, body: { port } } as const;
			return acknowledgementFrom(await transport.send(call));
		},
		async visitPort(id, port, options) {
			const path = publicPath(id, port);
			const call = {
				...options,
				scope: 'other',
				method: 'GET',
				path,
				isApplicationVisit: true,
			} as const;
			const { status } = await transport.sendWithAnyStatus(call);
			return { status, hasAnswered: status < 500 && status !== 404 && status !== 401 };
		},
		publicAddress: (id, port) => addressOf(publicPath(id, port)),
		shareAddress: token => addressOf(`/p/share/${pathSegment(token)}`),
	};
}
