import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shortHash } from '../../source/foundation/short-hash.ts';
import { reportEarlierPane } from '../../source/session/leader-path.ts';
import { sharingHostId } from '../../source/session/processes.ts';
import { earlierSocketOf } from '../../source/sharing/socket-path.ts';
import { createTestHost } from '../cli/host.ts';

const listen = (path: string) =>
	new Promise<Server>(resolve => {
		const server = createServer(socket => socket.resume());
		server.listen(path, () => resolve(server));
	});

test('a monitor says it if one of an earlier build is open', async () => {
	const { host, folder } = createTestHost();
	host.bootIdentity = () => ['machine', 'boot'];
	const stateFolder = join(folder, 'state');
	mkdirSync(stateFolder, { mode: 0o700 });
	const told: string[] = [];
	const tell = (message: string) => told.push(message);
	reportEarlierPane(host, 'one', tell);
	const hostId = sharingHostId(host) ?? '';
	expect(earlierSocketOf({ stateFolder, account: 'one', hostId })).toBeUndefined();
	const earlier = await listen(
		join(stateFolder, `watch-${shortHash(`one\n${hostId}`, 12)}-p3.sock`),
	);
	onTestFinished(() => void earlier.close());
	expect(told).toEqual([]);
	const connected = new Promise(resolve => earlier.once('connection', resolve));
	reportEarlierPane(host, 'one', tell);
	await connected;
	await expect.poll(() => told).toEqual([expect.stringContaining('of an earlier build is open')]);
});
