import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { serveResponses } from '../../platform/loopback.ts';
import { createTestHost, type TestHost } from '../host.ts';

const secrets = {
	password: 'hunter "22" & more',
	anonKey: 'the-anon-key-of-this-test',
	token: 'the.access-token.of-this-test',
};

/** Starts a server whose answers quote everything that was sent to it, wherever an answer contains text. */
async function createParrot(answer: (path: string) => { status: number; body: object }) {
	const said: string[] = [];
	const origin = await serveResponses(
		async (request: IncomingMessage, response: ServerResponse) => {
			const received = `${JSON.stringify(request.headers)} ${await text(request)}`;
			said.push(received);
			const { status, body } = answer(request.url ?? '');
			const words = { message: `no: ${received}` };
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(status < 300 ? body : { ...body, error: words }));
		},
	);
	return { origin, said: () => said.join() };
}

const signedIn = { status: 200, body: { access_token: secrets.token, expires_in: 3600 } };

function filesIn(folder: string): readonly string[] {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return names.filter(name => statSync(join(folder, name)).isFile());
}

/** Returns the files of the host that contain each secret. */
function placesOf({ folder }: TestHost) {
	return Object.fromEntries(
		Object.entries(secrets).map(([name, secret]) => {
			const written = [secret, JSON.stringify(secret).slice(1, -1)];
			const holders = filesIn(folder).filter(file => {
				const content = readFileSync(join(folder, file), 'utf8');
				return (
					written.some(each => content.includes(each)) || written.some(each => file.includes(each))
				);
			});
			return [name, holders];
		}),
	);
}

function expectNoSecretIn(output: string) {
	for (const secret of Object.values(secrets)) {
		for (const written of [
			secret,
			JSON.stringify(secret).slice(1, -1),
			encodeURIComponent(secret),
		]) {
			expect(output).not.toContain(written);
		}
	}
}

async function signIn(host: TestHost, origin: string): Promise<number> {
	const ended = host.run('login');
	await host.answer('Base URL', `${origin}/v1\r`);
	await host.answer('Identity URL', `${origin}\r`);
	await host.answer('Anon key', `${secrets.anonKey}\r`);
	await host.answer('E-mail', 'owner@example.com\r');
	await host.answer('Password', `${secrets.password}\r`);
	return ended;
}

test('after a day of sign-ins, secrets are only in the files that may hold them', async () => {
	const { origin, said } = await createParrot(path =>
		path.startsWith('/auth')
			? signedIn
			: { status: 200, body: [{ sandbox_id: 'sb_1', status: 'active' }] },
	);
	const host = createTestHost();
	expect(await signIn(host, origin)).toBe(0);
	expect(said()).toContain(secrets.token);
	for (const words of [['doctor'], ['doctor', '--json'], ['profiles', '--json'], ['config']]) {
		await host.run(...words);
	}
	expectNoSecretIn(host.output());
	expect(placesOf(host)).toEqual({
		password: [],
		anonKey: ['config/config.toml'],
		token: ['state/tokens/default.json'],
	});
	expect(await host.run('logout')).toBe(0);
	expect(placesOf(host)['token']).toEqual([]);
});

test.each([
	[
		'the identity provider refuses the sign-in and quotes the request',
		(path: string) => (path.startsWith('/auth') ? { status: 400, body: {} } : signedIn),
	],
	['the anon key is refused and the answer quotes the request', () => ({ status: 401, body: {} })],
	[
		'the platform denies access and quotes the request',
		(path: string) => (path.startsWith('/auth') ? signedIn : { status: 403, body: {} }),
	],
	[
		'the platform refuses the token and quotes the request',
		(path: string) => (path.startsWith('/auth') ? signedIn : { status: 401, body: {} }),
	],
	[
		'the platform fails and quotes the request',
		(path: string) => (path.startsWith('/auth') ? signedIn : { status: 500, body: {} }),
	],
])('no secret is printed or stored when %s', async (_, answer) => {
	const { origin, said } = await createParrot(answer);
	const known = {
		CROWSNEST_URL: `${origin}/v1`,
		CROWSNEST_AUTH_URL: origin,
		CROWSNEST_ANON_KEY: secrets.anonKey,
		CROWSNEST_EMAIL: 'owner@example.com',
	};
	const host = createTestHost({ env: known, isTerminal: false });
	host.stdin.end(`${secrets.password}\n`);
	expect(await host.run('login', '--password-stdin')).toBe(4);
	expect(said()).toContain(JSON.stringify(secrets.password).slice(1, -1));
	expect(host.output()).toMatch(/no: .*…/);

	const environment = createTestHost({
		env: { ...known, CROWSNEST_PASSWORD: secrets.password },
	});
	expect(await environment.run('doctor')).toBe(1);
	expect(await environment.run('doctor', '--json')).toBe(1);
	for (const { output } of [host, environment]) expectNoSecretIn(output());
	expect(placesOf(host)).toEqual({ password: [], anonKey: [], token: [] });
	expect(placesOf(environment)).toMatchObject({ password: [], anonKey: [] });
});
