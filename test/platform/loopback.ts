import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server for responses that the simulator cannot send: redirects, web pages, broken connections. */
export async function serveResponses(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return originOf(server);
}

/** Returns an address at which no server listens: a server on this port has just been closed. */
export async function vacantOrigin(): Promise<string> {
	const server = createServer();
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const origin = originOf(server);
	await new Promise(resolve => server.close(resolve));
	return origin;
}

function originOf(server: Server): string {
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
