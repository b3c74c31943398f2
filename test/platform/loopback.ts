import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server for responses that the simulator cannot send: redirects, web pages, broken connections. */
export async function serveResponses(listener: RequestListener): Promise<string> {
	const server = await listening(createServer(listener));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return originOf(server);
}

/** Returns an address at which no server listens: a server on this port has just been closed. */
export async function vacantOrigin(): Promise<string> {
	const server = await listening(createServer());
	const origin = originOf(server);
	await new Promise(resolve => server.close(resolve));
	return origin;
}

/** Waits until a server listens on a free port of this machine. */
export async function listening<S extends Server>(server: S): Promise<S> {
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return server;
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port;

const originOf = (server: Server) => `http://127.0.0.1:${portOf(server)}`;
