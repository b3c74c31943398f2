import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Connects two sockets. Both close when the test has finished. */
export async function socketPair(): Promise<[Socket, Socket]> {
	const path = join(tmpdir(), `lines-${process.pid}-${Math.random().toString(16).slice(2)}.sock`);
	const server = createServer();
	await new Promise<void>(ready => server.listen(path, ready));
	const accepted = once(server, 'connection') as Promise<[Socket]>;
	const far = connect(path);
	const [near] = await accepted;
	onTestFinished(() => {
		near.destroy();
		far.destroy();
		server.close();
	});
	return [near, far];
}
