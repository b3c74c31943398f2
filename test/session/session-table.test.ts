import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
	createPasswordRequest,
	type PasswordRequest,
} from '../../source/accounts/password-request.ts';
import { shortHash } from '../../source/foundation/short-hash.ts';
import type { AccountSession } from '../../source/session/session.ts';
import {
	createSessionTable,
	type SessionTable,
	startWatches,
} from '../../source/session/session-table.ts';
import { joinPasswordRequests } from '../../source/session/sign-in-request.ts';
import { bootId, reportEarlierPane } from '../../source/session/state-folder.ts';
import { bootIdentity, createTestHost } from '../cli/host.ts';
import { profileOf } from '../opened-account.ts';

// The table reads nothing of a session but its account and its profile.
const sessionNamed = (name: string) =>
	({ account: name, profile: profileOf(name) }) as AccountSession;

test('the watch of each account starts, now and when it comes later', () => {
	const started: string[] = [];
	const [work, lab] = ['work', 'lab'].map(
		name =>
			({
				...sessionNamed(name),
				watch: { start: () => started.push(name) },
			}) as unknown as AccountSession,
	) as [AccountSession, AccountSession];
	const table = createSessionTable([work]);
	startWatches(table);
	table.add(lab);
	expect(started).toEqual(['work', 'lab']);
});

const joinRequests = (...requests: readonly PasswordRequest[]) =>
	joinPasswordRequests({
		all: () => requests.map(passwordRequest => ({ passwordRequest })),
		follow: () => () => {},
	} as unknown as SessionTable);

const requestFor = (profile: string) =>
	createPasswordRequest({ profile, email: `${profile}@example.com`, host: 'id.example.com' });

test('passwords of several accounts are asked for one after another, each with its account', async () => {
	const [work, lab] = [requestFor('work'), requestFor('lab')];
	const joined = joinRequests(work, lab);
	const { signal } = new AbortController();
	const labPassword = lab.ask(signal);
	expect(joined.prompt()?.profile).toBe('lab');
	// A request that opens later does not take the letters that are typed for the open one.
	const workPassword = work.ask(signal);
	expect(joined.prompt()?.profile).toBe('lab');
	joined.submit('for lab');
	expect(joined.prompt()?.profile).toBe('work');
	joined.submit('for work');
	expect(joined.prompt()).toBeUndefined();
	await expect(labPassword).resolves.toBe('for lab');
	await expect(workPassword).resolves.toBe('for work');
});

test('a password that is refused or declined does not affect the other accounts', async () => {
	const [work, lab] = [requestFor('work'), requestFor('lab')];
	const joined = joinRequests(work, lab);
	const { signal } = new AbortController();
	const workPassword = work.ask(signal).catch(() => 'none');
	const labPassword = lab.ask(signal);
	joined.cancel();
	expect(joined.prompt()?.profile).toBe('lab');
	joined.submit('for lab');
	await expect(workPassword).resolves.toBe('none');
	await expect(labPassword).resolves.toBe('for lab');
});

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
