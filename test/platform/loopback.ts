import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server for what the simulator does not do: redirects, pages of other servers, broken connections. */
export async function serve(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return originOf(server);
}

/** An address where nothing listens: a server had the port a moment ago. */
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
