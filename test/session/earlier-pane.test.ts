import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shortHash } from '../../source/foundation/short-hash.ts';
import { bootId, reportEarlierPane } from '../../source/session/state-folder.ts';
import { bootIdentity, createTestHost } from '../cli/host.ts';

const listen = (path: string) =>
	new Promise<Server>(resolve => {
		const server = createServer(socket => socket.resume());
		server.listen(path, () => resolve(server));
	});

test('a monitor says it if one of an earlier build is open', async () => {
	const { host, folder } = createTestHost();
	host.bootIdentity = bootIdentity;
	const stateFolder = join(folder, 'state');
	mkdirSync(stateFolder, { mode: 0o700 });
	const told: string[] = [];
	const tell = (message: string) => told.push(message);
	reportEarlierPane(host, 'one', tell);
	const earlier = await listen(
		join(stateFolder, `leader-${shortHash(`one\n${bootId(host)}`, 12)}-1.sock`),
	);
	onTestFinished(() => void earlier.close());
	const connected = new Promise(resolve => earlier.once('connection', resolve));
	reportEarlierPane(host, 'one', tell);
	await connected;
	await expect.poll(() => told).toEqual([expect.stringContaining('of an earlier build is open')]);
});
