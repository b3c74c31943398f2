import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AccountSettings } from '../../../source/accounts/account-settings.ts';
import { accountKey } from '../../../source/accounts/credentials.ts';
import { sharedWatchCheck } from '../../../source/cli/doctor/shared-watch.ts';
import { pathsOf } from '../../../source/session/host.ts';
import { leaderSocketPath } from '../../../source/session/leader-path.ts';
import { createTestHost } from '../host.ts';

const account = {
	baseUrl: 'https://a.example/v1',
	credentials: { kind: 'token', token: () => 'secret' },
	user: 'a@example.com',
	preferences: { alone: false },
} as unknown as AccountSettings;

function createIdentifiedHost() {
	const { host } = createTestHost();
	const identified = { ...host, bootIdentity: () => ['machine', 'boot'] };
	const path = leaderSocketPath(identified, accountKey(account)) ?? '';
	return { host: identified, path };
}

test('doctor listens on the socket for a moment, and leaves nothing behind', async () => {
	const { host, path } = createIdentifiedHost();
	expect(await sharedWatchCheck(host, account)).toMatchObject({
		status: 'right',
		finding: 'no monitor polls now; the first one that you open will',
	});
	expect(readdirSync(dirname(path)).filter(name => name.startsWith(basename(path)))).toEqual([]);
});

test('doctor says that the monitor that polls does not answer', async () => {
	const { host, path } = createIdentifiedHost();
	const silent = createServer();
	await new Promise<void>(listening => silent.listen(path, listening));
	onTestFinished(() => void silent.close());
	const clock = {
		...host.clock,
		after(_: number, call: () => void) {
			const waiting = setImmediate(call);
			return () => clearImmediate(waiting);
		},
	};
	expect(await sharedWatchCheck({ ...host, clock }, account)).toMatchObject({
		status: 'unsure',
		finding: 'the monitor that polls does not answer',
	});
});

test('doctor says why no monitor can listen', async () => {
	const { host, path } = createIdentifiedHost();
	// A folder at this path keeps every process from listening, because no socket can replace a folder.
	mkdirSync(path);
	expect(await sharedWatchCheck(host, account)).toMatchObject({
		status: 'unsure',
		finding: expect.stringMatching(/^monitors cannot share: .+\.sock: it is a directory$/),
	});
});

test('doctor says why monitors poll for themselves if other users can enter the folder of the socket', async () => {
	const { host } = createTestHost();
	const identified = { ...host, bootIdentity: () => ['machine', 'boot'] };
	const { statePath } = pathsOf(identified);
	mkdirSync(statePath, { recursive: true });
	chmodSync(statePath, 0o755);
	expect(await sharedWatchCheck(identified, account)).toMatchObject({
		status: 'unsure',
		finding: expect.stringContaining(`monitors cannot share: ${statePath} can be read by others`),
		advice: 'Each monitor polls for itself within the shared rate limits.',
	});
});
