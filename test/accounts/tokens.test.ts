import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { AccountSettings } from '../../source/accounts/account-settings.ts';
import { createTokenCache } from '../../source/accounts/token-cache.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { startSimulator } from '../cli/host.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';

let folder = '';
let troubles: string[] = [];
beforeEach(() => {
	folder = temporaryFolder();
	troubles = [];
});

const path = () => join(folder, 'tokens', 'work.json');

const usual = {
	baseUrl: 'https://a.example/v1',
	email: 'a@example.com',
	authUrl: 'https://id.example',
};

function cache(change: Partial<typeof usual> = {}) {
	const { baseUrl, email, authUrl } = { ...usual, ...change };
	const credentials: AccountSettings['credentials'] = {
		kind: 'password',
		authUrl,
		anonKey: () => 'the-anon-key',
		email,
		passwordTimeout: 1,
	};
	return createTokenCache({ baseUrl, credentials, tokenPath: path() }, text => troubles.push(text));
}

test('the token cache stores a token for the next run, in a file that only its owner can read', () => {
	expect(cache().load()).toBeUndefined();
	cache().save({ accessToken: 'one', endsAt: 5 });
	expect(cache().load()).toEqual({ accessToken: 'one', endsAt: 5 });
	cache().save({ accessToken: 'endless' });
	expect(cache().load()).toEqual({ accessToken: 'endless' });
	expect(statSync(path()).mode & 0o777).toBe(0o600);
	expect(statSync(dirname(path())).mode & 0o777).toBe(0o700);
	expect(readFileSync(path(), 'utf8')).not.toMatch(/anon-key|@example/);
	expect(troubles).toEqual([]);
});

test.each([
	{ baseUrl: 'https://b.example/v1' },
	{ email: 'b@example.com' },
	{ authUrl: 'https://id.b.example' },
])('the token cache returns no token to another account that differs only in %j', change => {
	cache().save({ accessToken: 'one' });
	expect(cache(change).load()).toBeUndefined();
});

test('the token cache does not return a refused token again, and signing out deletes also that of another run', () => {
	const here = cache();
	const there = cache();
	here.save({ accessToken: 'one' });
	there.save({ accessToken: 'two' });
	here.remove('one');
	expect(here.load()).toEqual({ accessToken: 'two' });
	here.remove('two');
	expect(there.load()).toBeUndefined();
	there.save({ accessToken: 'two' });
	expect(here.load()).toBeUndefined();
	here.forget();
	expect(existsSync(path())).toBe(false);
});

test('the token cache refuses a file that others can read, says so once, and stores the next token privately', () => {
	cache().save({ accessToken: 'one' });
	chmodSync(path(), 0o644);
	const again = cache();
	expect([again.load(), again.load()]).toEqual([undefined, undefined]);
	expect(troubles).toEqual([expect.stringMatching(/work\.json can be read by others .*chmod 600/)]);
	again.save({ accessToken: 'two' });
	expect(statSync(path()).mode & 0o777).toBe(0o600);
	expect(again.load()).toEqual({ accessToken: 'two' });
	chmodSync(dirname(path()), 0o755);
	again.save({ accessToken: 'three' });
	expect(troubles[1]).toMatch(/tokens can be read by others .*chmod 700/);
	expect(readFileSync(path(), 'utf8')).not.toContain('three');
});

test('the token cache ignores a damaged file, and a token with a line break', () => {
	for (const text of ['', 'null', '[]', '{"owner": 1}', 'not json', '{"accessToken": "a\\nb"}']) {
		cache().save({ accessToken: 'one' });
		writeFileSync(path(), text);
		expect(cache().load()).toBeUndefined();
	}
	cache().save({ accessToken: 'one\r\nX-Evil: 1' });
	expect(cache().load()).toBeUndefined();
});

/** Several runs of the program, which share the file of their token. */
async function start() {
	const simulator = await startSimulator();
	const { baseUrl, authUrl, anonKey, email, clock } = simulator;
	const password = vi.fn(async () => simulator.password);
	const run = () => {
		const platform = createPlatform({
			baseUrl,
			credentials: { kind: 'password', authUrl, anonKey, email, password },
			rateLimiter: createUnlimitedRateLimiter(),
			clock,
			fetch,
			tokenCache: cache({ baseUrl, authUrl, email }),
		});
		const asking = { signal: new AbortController().signal, priority: 'read' } as const;
		return { credits: () => platform.readAccount('credits', asking), signOut: platform.signOut };
	};
	const stored = () => cache({ baseUrl, authUrl, email }).load()?.accessToken;
	return { simulator, clock, stored, password, run };
}

test('the next run uses the stored token, until it is about to expire', async () => {
	const { run, password, clock } = await start();
	await run().credits();
	await run().credits();
	expect(password).toHaveBeenCalledOnce();
	clock.move(3_600_000 - 59_000);
	await run().credits();
	expect(password).toHaveBeenCalledTimes(2);
});

test('when the token of two running programs is refused, one of them signs in again, and stores the new one', async () => {
	const { run, password, simulator, stored } = await start();
	const [one, other] = [run(), run()];
	await one.credits();
	await other.credits();
	const old = stored();
	simulator.expireTokens();
	await one.credits();
	await other.credits();
	expect(password).toHaveBeenCalledTimes(2);
	expect(stored()).not.toBe(old);
});

test('after a sign-out, no token of another run is used, and a sign-in under way gives none', async () => {
	const { run, password, stored } = await start();
	const [one, other] = [run(), run()];
	const asked = one.credits();
	one.signOut();
	const failure = { message: 'you signed out', isDeliberate: true };
	await expect(asked).rejects.toMatchObject({ failure });
	expect(stored()).toBeUndefined();
	await other.credits();
	expect(stored()).toBeDefined();
	const before = password.mock.calls.length;
	await one.credits();
	expect(password).toHaveBeenCalledTimes(before + 1);
});
