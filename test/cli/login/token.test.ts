import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestHost, type HeldSimulator, startSimulator, type TestHost } from '../host.ts';

const configPathOf = ({ folder }: TestHost) => join(folder, 'config', 'config.toml');
const tokenPathOf = ({ folder }: TestHost) => join(folder, 'state', 'tokens', 'default.json');

/** Returns a token that the simulator accepts. */
async function tokenOf({ authUrl, anonKey, email, password }: HeldSimulator): Promise<string> {
	const response = await fetch(`${authUrl}/auth/v1/token?grant_type=password`, {
		method: 'POST',
		headers: { apikey: anonKey, 'content-type': 'application/json' },
		body: JSON.stringify({ email, password }),
	});
	return ((await response.json()) as { access_token: string }).access_token;
}

/** Signs in with a token that is piped to the command. */
async function signIn(simulator: HeldSimulator) {
	const token = await tokenOf(simulator);
	const host = createTestHost({ isTerminal: false, clock: simulator.clock });
	host.stdin.end(`${token}\n`);
	expect(await host.ran('login', '--token', '--url', simulator.baseUrl)).toMatchObject({
		code: 0,
		out: expect.stringContaining('Signed in with the token: 3 computers.'),
	});
	return { host, token };
}

test('login --token asks for the token, stores it in a private file, and later commands use it', async () => {
	const simulator = await startSimulator();
	const token = await tokenOf(simulator);
	const host = createTestHost({ clock: simulator.clock });
	const ended = host.run('login', '--token');
	await host.answer('Base URL', `${simulator.baseUrl}\r`);
	await host.answer('Token', 'another-token\r');
	await host.answer('refuses the token', '');
	await host.answer('Token', `${token}\r`);
	expect(await ended).toBe(0);
	expect(host.output()).not.toContain(token);
	expect(readFileSync(configPathOf(host), 'utf8')).toBe(
		`[profiles.default]\nurl = "${simulator.baseUrl}"\nsignIn = "token"\n`,
	);
	expect(statSync(tokenPathOf(host)).mode & 0o777).toBe(0o600);
	expect((await host.ran('list', '--json')).code).toBe(0);
	expect((await host.ran('profiles')).out).toContain('password not used');
});

test('without a terminal, login --token reads the token from standard input', async () => {
	const { host, token } = await signIn(await startSimulator());
	expect(readFileSync(configPathOf(host), 'utf8')).not.toContain(token);
	expect((await host.ran('list')).code).toBe(0);
});

test('login --token saves no profile when the token cannot be stored', async () => {
	const simulator = await startSimulator();
	const host = createTestHost({ isTerminal: false, clock: simulator.clock });
	mkdirSync(join(host.folder, 'state'), { mode: 0o700 });
	writeFileSync(join(host.folder, 'state', 'tokens'), 'a file in the place of the folder');
	host.stdin.end(`${await tokenOf(simulator)}\n`);
	const { code, err } = await host.ran('login', '--token', '--url', simulator.baseUrl);
	expect({ code, err }).toMatchObject({
		code: 1,
		err: expect.stringContaining('Cannot save the token: '),
	});
	expect(existsSync(configPathOf(host))).toBe(false);
});

test('after logout, a profile with a stored token says how to sign in again', async () => {
	const { host } = await signIn(await startSimulator());
	await host.ran('logout', '--profile', 'default');
	const { code, err } = await host.ran('list');
	expect({ code, err }).toMatchObject({
		code: 2,
		err: expect.stringContaining('has no stored token for its url; run `crowsnest login --token'),
	});
});

test('a stored token is never sent to another base URL', async () => {
	const { host } = await signIn(await startSimulator());
	const other = await startSimulator();
	writeFileSync(
		configPathOf(host),
		`[profiles.default]\nurl = "${other.baseUrl}"\nsignIn = "token"\n`,
	);
	expect((await host.ran('list')).code).toBe(2);
	expect(other.requests).toEqual([]);
});

test('a later sign-in with a password says how to change the profile with a token', async () => {
	const simulator = await startSimulator();
	const { host } = await signIn(simulator);
	const { authUrl, anonKey, email, password } = simulator;
	Object.assign(host.host.program.env, {
		CROWSNEST_ANON_KEY: anonKey,
		CROWSNEST_PASSWORD: password,
	});
	const words = ['--auth-url', authUrl, '--email', email];
	const { code, err } = await host.ran('login', '--profile', 'default', ...words);
	expect(code).toBe(1);
	expect(err).toMatch(/Change it there:\n\n\[profiles.default\]\n.*signIn = "password"/s);
	expect(err).not.toContain(anonKey);
});
