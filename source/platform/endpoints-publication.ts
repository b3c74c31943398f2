import type { PublishedPort } from '../fleet/computer.ts';
import { acknowledgementFrom } from './acknowledgement.ts';
import { isObject } from './decode.ts';
import { portFrom } from './decode-computer.ts';
import { recordIn } from './decode-envelope.ts';
import type { Platform, Visit } from './platform.ts';
import type { Asking, Transport } from './transport.ts';

type Endpoints = Pick<
	Platform,
	'publishPort' | 'unpublishPort' | 'visitPort' | 'visitShare' | 'publicAddress' | 'shareAddress'
>;

export function publicationEndpoints(transport: Transport, baseUrl: string): Endpoints {
	const preview = (id: string, act: 'start' | 'stop') =>
		`/platform/sandbox/${encodeURIComponent(id)}/preview/${act}`;
	const published = (id: string, port: number) => `/p/${encodeURIComponent(id)}/${port}`;
	const shared = (token: string) => `/p/share/${encodeURIComponent(token)}`;
	const address = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

	const visit = async (path: string, asking: Asking): Promise<Visit> => {
		const call = { ...asking, scope: 'other', method: 'GET', path, isPublic: true } as const;
		const { status } = await transport.ask(call);
		return { status, isAnswered: status < 500 && status !== 404 && status !== 401 };
	};

	return {
		async publishPort(id, port, asking): Promise<PublishedPort> {
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
		visitPort: (id, port, asking) => visit(published(id, port), asking),
		visitShare: (token, asking) => visit(shared(token), asking),
		publicAddress: (id, port) => address(published(id, port)),
		shareAddress: token => address(shared(token)),
	};
}
