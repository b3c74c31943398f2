import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { environmentOf, profileTable } from '../../driver/account.ts';
import { serveResponses, vacantOrigin } from '../../platform/loopback.ts';
import {
	createTestHost,
	type HeldSimulator,
	startSimulator,
	type TestHost,
	tokenOf,
} from '../host.ts';

const configPathOf = ({ folder }: TestHost) => join(folder, 'config', 'config.toml');
const configOf = (host: TestHost) => readFileSync(configPathOf(host), 'utf8');
const isKept = (host: TestHost) => existsSync(configPathOf(host));

const labels = ['Base URL', 'Identity URL', 'Anon key', 'E-mail', 'Password'];

const answersOf = (simulator: HeldSimulator) =>
	(['baseUrl', 'authUrl', 'anonKey', 'email', 'password'] as const).map(each => simulator[each]);

/** Waits for each question, or message, and types what stands beside it; an answer ends with Enter. */
async function converse(host: TestHost, lines: readonly (readonly [string, string?])[]) {
	for (const [question, typed] of lines)
		await host.answer(question, typed === undefined ? '' : `${typed}\r`);
}

const answerAll = (host: TestHost, answers: readonly string[]) =>
	converse(
		host,
		answers.map((answer, index) => [labels[index] ?? '', answer]),
	);

/** Answers each question of login, and resolves with its exit code. */
async function loggedIn(host: TestHost, answers: readonly string[], ...words: readonly string[]) {
	const ended = host.run('login', ...words);
	await answerAll(host, answers);
	return ended;
}

/** Login in a pipe, to which this was written. */
async function piped(input: string, env: Record<string, string>, ...words: string[]) {
	const host = createTestHost({ env, isTerminal: false });
	host.stdin.end(input);
	return { host, ...(await host.ran('login', ...words)) };
}

test('login asks for the account, signs in, and saves the profile and the token but never the password', async () => {
	const simulator = await startSimulator();
	const { baseUrl, anonKey, password } = simulator;
	const host = createTestHost();
	expect(await loggedIn(host, answersOf(simulator))).toBe(0);
	expect(host.output()).toContain('Signed in as owner@example.com: 3 computers.');
	expect(host.output()).toContain(baseUrl);
	for (const secret of [password, anonKey]) expect(host.output()).not.toContain(secret);
	expect(configOf(host)).toBe(profileTable('default', simulator));
	expect(statSync(configPathOf(host)).mode & 0o777).toBe(0o600);
	expect(readdirSync(join(host.folder, 'state', 'tokens'))).toEqual(['default.json']);
	const signIns = () => simulator.requests.filter(({ scope }) => scope === 'auth').length;
	expect(await host.run('doctor')).toBe(0);
	expect(signIns(), 'doctor uses the token').toBe(1);
});

test('login refuses a wrong answer and a wrong password, asks again, and goes back with <', async () => {
	const simulator = await startSimulator();
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const host = createTestHost();
	const ended = host.run('login', '--profile', 'work');
	await converse(host, [
		['Base URL', '<'],
		['This is the first question'],
		['Base URL', 'api.example.com'],
		['The base URL must be a complete address, such as https://'],
		['Base URL', 'http://api.example.com/v1'],
		['The base URL must start with https://'],
		['Base URL', authUrl],
		['Added /v1 to the base URL'],
		['Identity URL', 'http://id.example.com'],
		['The identity URL must start with https://'],
		['Identity URL', '<'],
		[`Base URL [${baseUrl}]`, ''],
		['Identity URL', authUrl],
		['Anon key', anonKey],
		['E-mail', 'owner'],
		['The e-mail must be an address such as owner@example.com'],
		['E-mail', 'nobody@example.com'],
		['Password', '<'],
		['E-mail [nobody@example.com]', email],
		['Password', 'not-this-one'],
		['refuses this e-mail address with this password'],
		['Password', password],
	]);
	expect(await ended).toBe(0);
	expect(configOf(host)).toContain('[profiles.work]');
	expect(host.output()).toContain('Now run `crowsnest`.');
	for (const hidden of [password, 'not-this-one', 'Password (not shown) [unchanged]'])
		expect(host.output()).not.toContain(hidden);
});

const vacant = await vacantOrigin();

test.each<[RegExp, Record<string, string>]>([
	[/nothing answers at that address.\n.*identity URL/, { CROWSNEST_AUTH_URL: vacant }],
	[
		/nothing answers at that address.\n.*sign-in worked. Check the base URL/,
		{ CROWSNEST_URL: `${vacant}/v1` },
	],
	[/refuses the anon key\. It answered: /, { CROWSNEST_ANON_KEY: 'another-key' }],
])('login explains a failed sign-in with %s', async (explanation, change) => {
	const env = { ...environmentOf(await startSimulator()), ...change };
	const host = createTestHost({ env, isTerminal: false });
	expect(await host.run('login')).toBe(4);
	expect(host.output()).toMatch(explanation);
	expect(isKept(host)).toBe(false);
});

test.each([0, 1, 2, 3, 4, 5])(
	'Ctrl-C after %i of the five answers, or the end of the input, ends login, and nothing is saved',
	async count => {
		const simulator = await startSimulator({ faults: [{ target: 'sign-in', kind: 'hang' }] });
		const host = createTestHost();
		const ended = host.run('login');
		await answerAll(host, answersOf(simulator).slice(0, count));
		if (count === 5) await host.until(() => simulator.requests.length > 0);
		else await host.answer(labels[count] ?? '', 'half');
		expect(host.isRaw()).toBe(true);
		if (count === 0) host.stdin.end();
		else host.stdin.write('\u0003');
		expect(await ended).toBe(130);
		expect(host.isRaw()).toBe(false);
		expect(isKept(host)).toBe(false);
	},
);

test('a single paste can answer several questions, and hidden answers stay hidden', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	const ended = host.run('login');
	await host.answer('Base URL', [...answersOf(simulator), ''].join('\r'));
	expect(await ended).toBe(0);
	for (const secret of [simulator.password, simulator.anonKey])
		expect(host.output()).not.toContain(secret);
});

test('login reads a pipe only with --password-stdin, and then needs all other answers as options', async () => {
	const { CROWSNEST_PASSWORD: password, ...env } = environmentOf(await startSimulator());
	const { CROWSNEST_EMAIL: email, CROWSNEST_URL: url, ...rest } = env;
	const untold = await piped(`${password}\n`, env);
	expect(untold).toMatchObject({ code: 2, err: expect.stringContaining('CROWSNEST_PASSWORD') });
	expect(await piped(`${password}\nmore\n`, env, '--password-stdin')).toMatchObject({ code: 0 });
	const options = ['--password-stdin', '--email', email, '--url', url];
	expect(await piped(password, rest, ...options)).toMatchObject({ code: 0 });
	expect(await piped('', env, '--password-stdin')).toMatchObject({ code: 2 });
});

test('login offers the values of an existing profile as answers, and says what to write instead of changing it', async () => {
	const simulator = await startSimulator();
	const { baseUrl, authUrl, anonKey, password } = simulator;
	const host = createTestHost();
	const before = `# mine
[profiles.work] # the one
url = "${baseUrl}"
colour = "red"
email = "old@example.com"
anonKey = "${anonKey}"
`;
	const file = join(host.folder, 'crowsnest.toml');
	writeFileSync(file, before, { mode: 0o640 });
	mkdirSync(join(host.folder, 'config'));
	symlinkSync(file, configPathOf(host));
	const ended = host.run('login');
	await converse(host, [
		[`Base URL [${baseUrl}]`, ''],
		['Identity URL', authUrl],
		['Anon key (not shown) [unchanged]', ''],
		['E-mail [old@example.com]', 'owner@example.com'],
		['Password', password],
	]);
	expect(await ended).toBe(1);
	expect(host.output()).toContain(
		`has a profile work already. Change it there:\n\n[profiles.work]\nauthUrl = "${authUrl}"\nemail = "owner@example.com"\n`,
	);
	expect(configOf(host)).toBe(before);
	const tokens = join(host.folder, 'state', 'tokens');
	expect(existsSync(tokens), 'the token of the profile as it is stays').toBe(false);

	async function logInToLab(isDefault?: 'y' | 'n') {
		const ended = loggedIn(host, answersOf(simulator), '--profile', 'lab');
		if (isDefault) await host.answer('Open lab by default? y / n', `${isDefault}\r`);
		expect(await ended).toBe(0);
	}
	await logInToLab('n');
	expect(realpathSync(configPathOf(host))).toBe(realpathSync(file));
	expect(statSync(file).mode & 0o777).toBe(0o640);
	expect(configOf(host)).toMatch(`${before}\n[profiles.lab]\n`);
	expect(configOf(host)).not.toContain('profile =');
	await logInToLab('y');
	expect(configOf(host)).toMatch(`profile = "lab"\n\n${before}`);
	// Nothing is offered again.
	await logInToLab();
	expect(configOf(host).match(/profile = /g)).toHaveLength(1);
});

test('login quotes the password command of the profile that fails', async () => {
	const simulator = await startSimulator();
	const host = createTestHost({ isTerminal: false });
	const failing = 'passwordCommand = { shell = "echo it is locked >&2; exit 1" }';
	host.configure(`${profileTable('work', simulator)}${failing}\n`);
	expect(await host.run('login')).toBe(4);
	expect(host.output()).toContain('it is locked');
});

test('login --token asks for the token, stores it in a private file, and later commands use it', async () => {
	const simulator = await startSimulator();
	const { baseUrl, clock } = simulator;
	const token = await tokenOf(simulator);
	const host = createTestHost({ clock });
	const ended = host.run('login', '--token');
	await converse(host, [
		['Base URL', baseUrl],
		['Token', 'another-token'],
		['refuses the token'],
		['Token', token],
	]);
	expect(await ended).toBe(0);
	expect(host.output()).not.toContain(token);
	expect(configOf(host)).toBe(`[profiles.default]\nurl = "${baseUrl}"\nsignIn = "token"\n`);
	const tokenPath = join(host.folder, 'state', 'tokens', 'default.json');
	expect(statSync(tokenPath).mode & 0o777).toBe(0o600);
	expect((await host.ran('list', '--json')).code).toBe(0);
	expect((await host.ran('profiles')).out).toContain('password not used');
});

test('login --token saves no profile when the token cannot be stored', async () => {
	const simulator = await startSimulator();
	const host = createTestHost({ isTerminal: false, clock: simulator.clock });
	host.configure('');
	writeFileSync(join(host.folder, 'state'), 'a file in the place of the folder');
	host.stdin.end(`${await tokenOf(simulator)}\n`);
	const { code, err } = await host.ran('login', '--token', '--url', simulator.baseUrl);
	expect([code, err]).toEqual([1, expect.stringContaining('Cannot save the token: ')]);
	expect(configOf(host)).toBe('');
});

test('a stored token is used until logout, never for another base URL, and a password does not replace it', async () => {
	const simulator = await startSimulator();
	const { baseUrl, authUrl, anonKey, email, password, clock } = simulator;
	const host = createTestHost({ isTerminal: false, clock });
	host.stdin.end(`${await tokenOf(simulator)}\n`);
	const { out } = await host.ran('login', '--token', '--url', baseUrl);
	expect(out).toContain('Signed in with the token: 3 computers.');
	expect((await host.ran('list')).code).toBe(0);
	const { env } = host.host.program;
	Object.assign(env, { CROWSNEST_ANON_KEY: anonKey, CROWSNEST_PASSWORD: password });
	const words = ['--auth-url', authUrl, '--email', email];
	const { code, err } = await host.ran('login', '--profile', 'default', ...words);
	expect(code).toBe(1);
	expect(err).toMatch(/Change it there:\n\n\[profiles.default\]\n.*signIn = "password"/s);
	expect(err).not.toContain(anonKey);
	const config = configOf(host);
	const other = await startSimulator();
	host.configure(`[profiles.default]\nurl = "${other.baseUrl}"\nsignIn = "token"\n`);
	expect((await host.ran('list')).code).toBe(2);
	expect(other.requests).toEqual([]);
	host.configure(config);
	await host.ran('logout', '--profile', 'default');
	const signedOut = await host.ran('list');
	expect(signedOut.code).toBe(2);
	expect(signedOut.err).toContain('has no stored token for its url; run `crowsnest login --token');
});

const secrets = {
	password: 'hunter "22" & more',
	anonKey: 'the-anon-key-of-this-test',
	token: 'the.access-token.of-this-test',
};

/** A server whose answers quote everything that was sent to it, wherever an answer contains text. */
async function createParrot(answer: (path: string) => { status: number; body: object }) {
	let said = '';
	const origin = await serveResponses(async (request, response) => {
		const received = `${JSON.stringify(request.headers)} ${await text(request)}`;
		said += received;
		const { status, body } = answer(request.url ?? '');
		const words = { message: `no: ${received}` };
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(status < 300 ? body : { ...body, error: words }));
	});
	return { origin, said: () => said };
}

const signedIn = { status: 200, body: { access_token: secrets.token, expires_in: 3600 } };

/** Each secret as it can be written. */
const spellingsOf = (secret: string) => [
	secret,
	JSON.stringify(secret).slice(1, -1),
	encodeURIComponent(secret),
];

/** The files of the host that contain a secret. */
function placesOf({ folder }: TestHost, secret: string): readonly string[] {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const files = names.filter(name => statSync(join(folder, name)).isFile());
	return files.filter(name => {
		const content = name + readFileSync(join(folder, name), 'utf8');
		return spellingsOf(secret).some(each => content.includes(each));
	});
}

function expectNoSecretIn(output: string) {
	for (const spelling of Object.values(secrets).flatMap(spellingsOf))
		expect(output).not.toContain(spelling);
}

test('after a day of sign-ins, secrets are only in the files that may hold them', async () => {
	const { origin, said } = await createParrot(path =>
		path.startsWith('/auth')
			? signedIn
			: { status: 200, body: [{ sandbox_id: 'sb_1', status: 'active' }] },
	);
	const host = createTestHost();
	const { anonKey, password } = secrets;
	const answers = [`${origin}/v1`, origin, anonKey, 'owner@example.com', password];
	expect(await loggedIn(host, answers)).toBe(0);
	expect(said()).toContain(secrets.token);
	for (const line of ['doctor', 'doctor --json', 'profiles --json', 'config'])
		await host.run(...line.split(' '));
	expectNoSecretIn(host.output());
	expect(placesOf(host, password)).toEqual([]);
	expect(placesOf(host, anonKey)).toEqual(['config/config.toml']);
	expect(placesOf(host, secrets.token)).toEqual(['state/tokens/default.json']);
	expect(await host.run('logout')).toBe(0);
	expect(placesOf(host, secrets.token)).toEqual([]);
});

test.each([
	['the identity provider refuses the sign-in', 400, undefined],
	['the anon key is refused', 401, undefined],
	['the platform denies access', 200, 403],
	['the platform refuses the token', 200, 401],
	['the platform fails', 200, 500],
])('no secret is printed or stored when %s and quotes the request', async (_, signIn, status) => {
	const { origin, said } = await createParrot(path => {
		const isSignIn = status === undefined || path.startsWith('/auth');
		return isSignIn ? { ...signedIn, status: signIn } : { status, body: {} };
	});
	const known = {
		CROWSNEST_URL: `${origin}/v1`,
		CROWSNEST_AUTH_URL: origin,
		CROWSNEST_ANON_KEY: secrets.anonKey,
		CROWSNEST_EMAIL: 'owner@example.com',
	};
	const { host, code } = await piped(`${secrets.password}\n`, known, '--password-stdin');
	expect(code).toBe(4);
	expect(said()).toContain(JSON.stringify(secrets.password).slice(1, -1));
	expect(host.output()).toMatch(/no: .*…/);
	const environment = createTestHost({ env: { ...known, CROWSNEST_PASSWORD: secrets.password } });
	for (const words of [['doctor'], ['doctor', '--json']])
		expect(await environment.run(...words)).toBe(1);
	for (const each of [host, environment]) {
		expectNoSecretIn(each.output());
		for (const secret of [secrets.password, secrets.anonKey])
			expect(placesOf(each, secret)).toEqual([]);
	}
	expect(placesOf(host, secrets.token)).toEqual([]);
});
