import type { PublishedPort } from '../fleet/computer.ts';
import { type Acknowledgement, acknowledgementFrom } from './acknowledgement.ts';
import { portFrom } from './decode-computer.ts';
import { recordIn } from './decode-envelope.ts';
import { isObject } from './fields.ts';
import { segment } from './path-segment.ts';
import type { Asking, Transport } from './transport.ts';

export type Visit = { status: number; isAnswered: boolean };

export type PublicationEndpoints = {
	publishPort(id: string, port: number, asking: Asking): Promise<PublishedPort>;
	unpublishPort(id: string, port: number, asking: Asking): Promise<Acknowledgement>;
	/** Asks the public address itself whether an application answers there. */
	visitPort(id: string, port: number, asking: Asking): Promise<Visit>;
	visitShare(token: string, asking: Asking): Promise<Visit>;
	publicAddress(id: string, port: number): string;
	shareAddress(token: string): string;
};

export function publicationEndpoints(transport: Transport, baseUrl: string): PublicationEndpoints {
	const preview = (id: string, act: 'start' | 'stop') =>
		`/platform/sandbox/${segment(id)}/preview/${act}`;
	const published = (id: string, port: number) => `/p/${segment(id)}/${port}`;
	const shared = (token: string) => `/p/share/${segment(token)}`;
	const address = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

	const visit = async (path: string, asking: Asking): Promise<Visit> => {
		const call = { ...asking, scope: 'other', method: 'GET', path, isPublic: true } as const;
		const { status } = await transport.ask(call);
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
