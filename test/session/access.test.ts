import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import {
	createPasswordRequest,
	type PasswordRequest,
} from '../../source/accounts/password-request.ts';
import { shortHash } from '../../source/foundation/short-hash.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { buildAccess } from '../../source/session/access.ts';
import { Interrupted } from '../../source/session/host.ts';
import { createSharedParts, openConfigured } from '../../source/session/session.ts';
import { loadSettings, requireAccount } from '../../source/session/settings.ts';
import { bootId } from '../../source/session/state-folder.ts';
import { bootIdentity, createTestHost, startSimulator, type TestHost } from '../cli/host.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';

type Simulator = Awaited<ReturnType<typeof startSimulator>>;

const nothingGiven = { list: () => [], flag: () => false };

function configured(simulator: Simulator, more = ''): TestHost {
	const host = createTestHost();
	const { baseUrl, authUrl, anonKey, email } = simulator;
	const lines = Object.entries({ url: baseUrl, authUrl, anonKey, email }).map(
		([name, value]) => `${name} = "${value}"`,
	);
	mkdirSync(join(host.folder, 'config'));
	const text = ['[profiles.work]', ...lines, more].join('\n');
	writeFileSync(join(host.folder, 'config', 'config.toml'), text);
	return host;
}

async function reach({ host }: TestHost, passwordRequest?: Pick<PasswordRequest, 'ask'>) {
	const troubles: string[] = [];
	const onInterrupted = vi.fn();
	const account = requireAccount(host, loadSettings(host, nothingGiven));
	const access = await buildAccess(host, account, {
		askForPassword: passwordRequest?.ask,
		onInterrupted,
		onProblem: message => troubles.push(message),
	});
	const platform = createPlatform({
		...access,
		rateLimiter: createUnlimitedRateLimiter(),
		clock: host.clock,
	});
	const asking = { signal: new AbortController().signal, priority: 'read' } as const;
	return {
		access,
		troubles,
		onInterrupted,
		signOut: platform.signOut,
		read: () => platform.readAccount('credits', asking),
	};
}

async function openProfile({ host }: TestHost) {
	const troubles: string[] = [];
	const account = requireAccount(host, loadSettings(host, nothingGiven));
	const session = await openConfigured(host, account, createSharedParts(host, {}), {
		onProblem: message => troubles.push(message),
		sharesWatch: true,
	});
	onTestFinished(session.close);
	const { signal } = session;
	const slot = await session.limiter.acquire('other', { priority: 'read', signal });
	slot.end('noResponse');
	return { session, troubles };
}

const about = { profile: 'work', email: 'owner@example.com', host: 'id' };

test('a session takes its strictness and its log of requests from the profile', async () => {
	const simulator = await startSimulator();
	const host = configured(simulator, 'readOnly = true\nalone = true');
	const { session } = await openProfile(host);
	expect(session).toMatchObject({
		profile: { name: 'work', isReadOnly: true },
		sharedWatch: undefined,
		commandOptions: ['--profile', 'work'],
	});
	expect(existsSync(join(host.folder, 'state', 'limits'))).toBe(true);
});

test.each([
	['limits', /limits can be read by others .*chmod 700/],
	['', /state can be written by others .*chmod go-w/],
])(
	'the log counts only the requests of this process, and says why, when others can write to “state/%s”',
	async (name, why) => {
		const host = configured(await startSimulator());
		const directory = join(host.folder, 'state', 'limits');
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		chmodSync(join(host.folder, 'state', name), 0o777);
		const { session, troubles } = await openProfile(host);
		const ofLimits = troubles.filter(text => !text.startsWith('Cannot save'));
		expect(ofLimits).toEqual([
			expect.stringMatching(/^Rate limits are counted for this process only: /),
		]);
		expect(ofLimits[0]).toMatch(why);
		const { standings } = session.store.getState().accounts.get(session.account) ?? {};
		expect(standings?.other).toMatchObject({ limit: 7, spent: 1 });
		expect(readdirSync(directory)).toEqual([]);
	},
);

test('a session removes every token and every password from the messages of the platform', async () => {
	const simulator = await startSimulator();
	const host = configured(simulator);
	host.host.program.env['CROWSNEST_PASSWORD'] = simulator.password;
	const { access, read } = await reach(host);
	await read();
	expect(access.redact(simulator.password)).toBe('…');
	for (let number = 10; number < 30; number += 1)
		access.tokenCache.save({ accessToken: `token-${number}` });
	expect(access.redact('token-29 token-10')).toBe('… …');
	const next = await reach(host);
	expect(next.access.tokenCache.load()).toMatchObject({ accessToken: 'token-29' });
	expect(next.access.redact('token-29')).toBe('…');
});

test('Ctrl-C at the question for the password is reported and the read fails', async () => {
	const reason = new Interrupted('interrupted');
	const ask = () => Promise.reject(reason);
	const { read, onInterrupted } = await reach(configured(await startSimulator()), { ask });
	await expect(read()).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
	expect(onInterrupted).toHaveBeenCalledExactlyOnceWith(reason);
});

test('a failing password command is reported as a failed sign-in, without its output', async () => {
	const simulator = await startSimulator();
	const command = '{ shell = "echo hunter22; echo locked, hunter22 >&2; exit 1" }';
	const { read } = await reach(configured(simulator, `passwordCommand = ${command}`));
	const error: unknown = await read().catch((reason: unknown) => reason);
	expect(error).toMatchObject({
		failure: {
			kind: 'auth',
			message: 'the password command ended with code 1: locked, …',
			advice: expect.stringContaining('passwordCommand'),
		},
	});
	expect(JSON.stringify(error)).not.toContain('hunter22');
});

test('after a sign-out, the configured password is not used, but one that a person types is', async () => {
	const simulator = await startSimulator();
	const host = configured(simulator, `passwordCommand = ["printf", "${simulator.password}"]`);
	const request = createPasswordRequest(about);
	const { access, read, signOut } = await reach(host, request);
	await read();
	expect(access.tokenCache.load()).toBeDefined();
	signOut();
	request.cancel();
	expect(access.tokenCache.load()).toBeUndefined();
	await expect(read()).rejects.toThrow('no password was given');
	request.open();
	request.submit(simulator.password);
	await read();
	expect(access.tokenCache.load()).toBeDefined();
});

test('a pane says it if one of an earlier build is open', async () => {
	const opened = configured(await startSimulator());
	const { host, folder } = opened;
	host.bootIdentity = bootIdentity;
	expect((await openProfile(opened)).troubles).toEqual([]);
	const account = accountKey(requireAccount(host, loadSettings(host, nothingGiven)));
	const earlier = createServer(socket => socket.resume());
	onTestFinished(() => void earlier.close());
	const name = `leader-${shortHash(`${account}\n${bootId(host)}`, 12)}-5.sock`;
	await once(earlier.listen(join(folder, 'state', name)), 'listening');
	const { troubles } = await openProfile(opened);
	expect(troubles).toEqual([expect.stringContaining('of an earlier build is open')]);
});
