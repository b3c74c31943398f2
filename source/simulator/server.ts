import type { Server } from 'node:http';
import type { AddressInfo, Server as Socket } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { createEndpoint, type Endpoint } from './endpoints/endpoint.ts';
import type { WireResponse } from './wire.ts';

export type Bindings = { Bindings: HttpBindings };

/** How the server ends a request: with a response, or by cutting the connection. */
type RequestEnding = WireResponse | 'hang' | 'reset' | 'lost' | { truncated: WireResponse };

export type Respond = (endpoint: Endpoint, context: Context<Bindings>) => Promise<RequestEnding>;

type RunningServer = { port: number; close(): Promise<void> };

const unknownEndpoint = createEndpoint('unknown', 'GET /*', () => ({
	refused: { status: 404, code: 'not_found', message: 'There is no such endpoint' },
}));

/** The address of a server: a port on loopback, or a socket that already listens. */
export type ListenTarget = number | Socket;

/** Starts an HTTP server with the endpoints. Resolves once it listens. */
export function startServer(
	endpoints: readonly Endpoint[],
	respond: Respond,
	target: ListenTarget,
): Promise<RunningServer> {
	const app = new Hono<Bindings>();
	const answerRequest = async (endpoint: Endpoint, context: Context<Bindings>) =>
		endRequest(await respond(endpoint, context), context);
	for (const endpoint of endpoints) {
		app.on(endpoint.method, endpoint.path, context => answerRequest(endpoint, context));
	}
	app.all('*', context => answerRequest(unknownEndpoint, context));
	app.onError(error => new Response(`${error.stack}`, { status: 500 }));

	const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.once('listening', () => {
			const address = server.address() as AddressInfo;
			resolve({ port: address.port, close: () => closeServer(server) });
		});
		if (typeof target === 'number') server.listen(target, '127.0.0.1');
		else server.listen(target);
	});
}

/** Closes the server at once, including connections that still wait for a response. */
function closeServer(server: Server): Promise<void> {
	return new Promise(resolve => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function endRequest(
	ending: RequestEnding,
	{ env: { incoming, outgoing } }: Context<Bindings>,
): Response {
	if (ending === 'hang') return RESPONSE_ALREADY_SENT;
	if (ending === 'reset') incoming.socket.resetAndDestroy();
	else if (ending === 'lost') incoming.socket.destroy();
	else if ('truncated' in ending) {
		const { status, headers, text } = ending.truncated;
		const bytes = Buffer.from(text);
		outgoing.writeHead(status, { ...headers, 'Content-Length': bytes.length + 1 });
		outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy());
	} else {
		const { status, headers, text } = ending;
		return new Response(text === '' ? null : text, { status, headers });
	}
	return RESPONSE_ALREADY_SENT;
}
