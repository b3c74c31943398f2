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
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { serveResponses, vacantOrigin } from '../../platform/loopback.ts';
import {
	createTestHost,
	environmentOf,
	type HeldSimulator,
	startSimulator,
	type TestHost,
} from '../host.ts';

const configPathOf = ({ folder }: TestHost) => join(folder, 'config', 'config.toml');
const configOf = (host: TestHost) => readFileSync(configPathOf(host), 'utf8');
const isKept = ({ folder }: TestHost) => existsSync(join(folder, 'config', 'config.toml'));

async function answerAll(
	host: TestHost,
	simulator: HeldSimulator,
	change: Partial<HeldSimulator> = {},
) {
	const { baseUrl, authUrl, anonKey, email, password } = { ...simulator, ...change };
	await host.answer('Base URL', `${baseUrl}\r`);
	await host.answer('Identity URL', `${authUrl}\r`);
	await host.answer('Anon key', `${anonKey}\r`);
	await host.answer('E-mail', `${email}\r`);
	await host.answer('Password', `${password}\r`);
}

test('login asks for the account, signs in, and saves the profile and the token but never the password', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	const ended = host.run('login');
	await answerAll(host, simulator);
	expect(await ended).toBe(0);
	expect(host.output()).toContain('Signed in as owner@example.com: 3 computers.');
	expect(host.output()).toContain(simulator.baseUrl);
	expect(host.output()).not.toContain(simulator.password);
	expect(host.output()).not.toContain(simulator.anonKey);

	const path = join(host.folder, 'config', 'config.toml');
	expect(configOf(host)).toBe(
		[
			'[profiles.default]',
			`url = "${simulator.baseUrl}"`,
			`authUrl = "${simulator.authUrl}"`,
			`anonKey = "${simulator.anonKey}"`,
			'email = "owner@example.com"',
			'',
		].join('\n'),
	);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(readdirSync(join(host.folder, 'state', 'tokens'))).toEqual(['default.json']);

	const signIns = () => simulator.requests.filter(({ scope }) => scope === 'auth').length;
	expect(signIns()).toBe(1);
	expect(await host.run('doctor')).toBe(0);
	expect(signIns()).toBe(1);
});

test('login refuses a wrong answer at once and asks again', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	const ended = host.run('login');
	await host.answer('Base URL', 'api.example.com\r');
	await host.answer('The base URL must be a complete address, such as https://', '');
	await host.answer('Base URL', 'http://api.example.com/v1\r');
	await host.answer('The base URL must start with https://', '');
	await host.answer('Base URL', `${simulator.baseUrl}\r`);
	await host.answer('Identity URL', `${simulator.authUrl}\r`);
	await host.answer('Anon key', `${simulator.anonKey}\r`);
	for (const wrong of ['owner', '@example.com', 'owner@']) {
		await host.answer('E-mail', `${wrong}\r`);
		await host.answer('The e-mail must be an address such as owner@example.com', '');
	}
	await host.answer('E-mail', `${simulator.email}\r`);
	await host.answer('Password', `${simulator.password}\r`);
	expect(await ended).toBe(0);
});

test('after a wrong password, login asks for the password again, and never shows what is typed', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	const ended = host.run('login', '--profile', 'work');
	await answerAll(host, simulator, { password: 'not-this-one' });
	await host.answer('refuses this e-mail address with this password', '');
	await host.answer('Password', `${simulator.password}\r`);
	expect(await ended).toBe(0);
	expect(host.output()).not.toContain(simulator.password);
	expect(host.output()).toContain('Now run `crowsnest`.');
	expect(configOf(host)).toContain('[profiles.work]');
	expect(host.output()).not.toContain('not-this-one');
	expect(host.output()).not.toContain('Password (not shown) [unchanged]');
});

test('login goes back with < to the question before, and Ctrl-C ends it without a profile', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	const ended = host.run('login').catch(() => 130);
	await host.answer('Base URL', '<\r');
	await host.answer('This is the first question', '');
	await host.answer('Base URL', `${simulator.authUrl}\r`);
	await host.answer('Added /v1 to the base URL', '');
	await host.answer('Identity URL', '<\r');
	await host.answer(`Base URL [${simulator.baseUrl}]`, '\r');
	await host.answer('Identity URL', `${simulator.authUrl}\r`);
	await host.answer('Anon key', `${simulator.anonKey}\r`);
	await host.answer('E-mail', 'nobody@example.com\r');
	await host.answer('Password', '<\r');
	await host.answer('E-mail [nobody@example.com]', '\u0003');
	expect(await ended).toBe(130);
	expect(isKept(host)).toBe(false);
});

const vacant = await vacantOrigin();

type Failing = Parameters<HeldSimulator['setFaults']>[0][number];

test.each<[RegExp, (simulator: HeldSimulator) => Record<string, string>, Failing?]>([
	[/nothing answers at that address.\n.*identity URL/, () => ({ CROWSNEST_AUTH_URL: vacant })],
	[
		/nothing answers at that address.\n.*sign-in worked. Check the base URL/,
		() => ({ CROWSNEST_URL: `${vacant}/v1` }),
	],
	[/refuses the anon key\. It answered: /, () => ({ CROWSNEST_ANON_KEY: 'another-key' })],
	[/refuses this e-mail address with this password\.\n/, () => ({ CROWSNEST_PASSWORD: 'another' })],
	[
		/not as an identity provider.*\n.*\/auth\/v1\/token/,
		({ authUrl }) => ({ CROWSNEST_AUTH_URL: `${authUrl}/elsewhere` }),
	],
	[
		/The sign-in worked, but .* \/platform\/sandbox/s,
		({ authUrl }) => ({ CROWSNEST_URL: `${authUrl}/elsewhere/v1` }),
	],
	[
		/does not accept its token.*\n.*belong together/,
		() => ({}),
		{ target: 'list', kind: 'unauthorized' },
	],
	[/does not answer as the platform/, () => ({}), { target: 'list', kind: 'proxy-page' }],
	[/The sign-in worked, but 127/, () => ({}), { target: 'list', kind: '503' }],
	[/no more sign-ins for now.*\n.*Wait/, () => ({}), { target: 'sign-in', kind: 'throttle' }],
	[/not as an identity provider/, () => ({}), { target: 'sign-in', kind: 'wrong-type' }],
	[/^127\.0\.0\.1:\d+: /, () => ({}), { target: 'sign-in', kind: '500' }],
])('login explains a failed sign-in with %s', async (explanation, change, fault) => {
	const simulator = await startSimulator({ faults: fault ? [fault] : [] });
	const env = { ...environmentOf(simulator), ...change(simulator) };
	const host = createTestHost({ env, isTerminal: false });
	expect(await host.run('login')).toBe(4);
	expect(host.output()).toMatch(explanation);
	expect(isKept(host)).toBe(false);
});

test.each([0, 1, 2, 3, 4])(
	'Ctrl-C after %i answered questions ends login, and nothing is saved',
	async place => {
		const simulator = await startSimulator();
		const host = createTestHost();
		const ended = host.run('login');
		const { baseUrl, authUrl, anonKey, email } = simulator;
		const answers = [baseUrl, authUrl, anonKey, email];
		const labels = ['Base URL', 'Identity URL', 'Anon key', 'E-mail', 'Password'];
		for (const label of labels.slice(0, place)) {
			await host.answer(label, `${answers.shift()}\r`);
		}
		await host.answer(labels[place] ?? '', '');
		expect(host.isRaw()).toBe(true);
		host.stdin.write('half\u0003');
		expect(await ended).toBe(130);
		expect(host.isRaw()).toBe(false);
		expect(isKept(host)).toBe(false);
	},
);

test('Ctrl-C while login signs in ends login', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'sign-in', kind: 'hang' }] });
	const host = createTestHost();
	const ended = host.run('login');
	await answerAll(host, simulator);
	await host.until(() => simulator.requests.length > 0);
	host.stdin.write('\u0003');
	expect(await ended).toBe(130);
});

test('the end of the input ends login like Ctrl-C', async () => {
	const host = createTestHost();
	const ended = host.run('login');
	await host.answer('Base URL', '');
	host.stdin.end();
	expect(await ended).toBe(130);
});

test('a single paste can answer several questions, and hidden answers stay hidden', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	const ended = host.run('login');
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	await host.answer('Base URL', [baseUrl, authUrl, anonKey, email, password, ''].join('\r'));
	expect(await ended).toBe(0);
	expect(host.output()).not.toContain(password);
	expect(host.output()).not.toContain(anonKey);
});

test('login reads a pipe only with --password-stdin, and then needs all other answers as options', async () => {
	const simulator = await startSimulator();
	const { CROWSNEST_PASSWORD: password, ...environment } = environmentOf(simulator);
	const untold = createTestHost({ env: environment, isTerminal: false });
	untold.stdin.end(`${password}\n`);
	expect(await untold.run('login')).toBe(2);
	expect(untold.output()).toContain('CROWSNEST_PASSWORD');

	const hostWithPipe = createTestHost({ env: environment, isTerminal: false });
	hostWithPipe.stdin.end(`${password}\nmore\n`);
	expect(await hostWithPipe.run('login', '--password-stdin')).toBe(0);

	const { CROWSNEST_EMAIL: email, CROWSNEST_URL: url, ...rest } = environment;
	const flagged = createTestHost({ env: rest, isTerminal: false });
	flagged.stdin.end(password);
	expect(await flagged.run('login', '--password-stdin', '--email', email, '--url', url)).toBe(0);
	const empty = createTestHost({ env: environment, isTerminal: false });
	empty.stdin.end('');
	expect(await empty.run('login', '--password-stdin')).toBe(2);
});

test('login takes no password from the command line', async () => {
	const host = createTestHost();
	expect(await host.run('login', '--password=hunter22')).toBe(2);
	expect(await host.run('login', '--anon-key=hunter22')).toBe(2);
	expect(host.output()).not.toContain('hunter22');
});

test('login offers the values of an existing profile as answers, and says what to write instead of changing it', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	mkdirSync(join(host.folder, 'dotfiles'));
	mkdirSync(join(host.folder, 'config'));
	const file = join(host.folder, 'dotfiles', 'crowsnest.toml');
	const path = join(host.folder, 'config', 'config.toml');
	const before = `# mine
[profiles.work] # the one
url = "${simulator.baseUrl}"
colour = "red"
email = "old@example.com"
anonKey = "${simulator.anonKey}"
`;
	writeFileSync(file, before, { mode: 0o640 });
	symlinkSync(file, path);
	const ended = host.run('login');
	await host.answer(`Base URL [${simulator.baseUrl}]`, '\r');
	await host.answer('Identity URL', `${simulator.authUrl}\r`);
	await host.answer('Anon key (not shown) [unchanged]', '\r');
	await host.answer('E-mail [old@example.com]', 'owner@example.com\r');
	await host.answer('Password', `${simulator.password}\r`);
	expect(await ended).toBe(1);
	expect(host.output()).toContain(
		`has a profile work already. Change it there:\n\n[profiles.work]\nauthUrl = "${simulator.authUrl}"\nemail = "owner@example.com"\n`,
	);
	expect(configOf(host)).toBe(before);
	const added = host.run('login', '--profile', 'lab');
	await answerAll(host, simulator);
	await host.answer('Open lab by default? y / n', 'n\r');
	expect(await added).toBe(0);
	expect(realpathSync(path)).toBe(realpathSync(file));
	expect(statSync(file).mode & 0o777).toBe(0o640);
	expect(configOf(host)).toMatch(`${before}\n[profiles.lab]\n`);
});

test('login runs the password command of the profile', async () => {
	const simulator = await startSimulator();
	const host = createTestHost({ isTerminal: false });
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const write = (command: string) => {
		mkdirSync(join(host.folder, 'config'), { recursive: true });
		writeFileSync(
			join(host.folder, 'config', 'config.toml'),
			`[profiles.work]\nurl = "${baseUrl}"\nauthUrl = "${authUrl}"\nanonKey = "${anonKey}"\nemail = "${email}"\npasswordCommand = ${command}\n`,
		);
	};
	write(`["echo", "${password}"]`);
	expect(await host.run('login')).toBe(0);
	const elsewhere = await host.run('login', '--auth-url', 'https://evil.example');
	expect(elsewhere).toBe(2);
	expect(host.output()).toContain('No terminal to ask on: set CROWSNEST_PASSWORD');
	write('{ shell = "echo the store is locked >&2; exit 1" }');
	expect(await host.run('login')).toBe(4);
	expect(host.output()).toContain('the store is locked');
});

test('login does not change a configuration that is wrong or that it cannot edit', async () => {
	const simulator = await startSimulator();
	const host = createTestHost({
		env: environmentOf(simulator),
		clock: simulator.clock,
		isTerminal: false,
	});
	const path = join(host.folder, 'config', 'config.toml');
	mkdirSync(join(host.folder, 'config'));
	writeFileSync(path, 'reedOnly = true\n');
	expect(await host.run('login')).toBe(2);
	expect(host.output()).toContain(`${path}: reedOnly is not a setting; did you mean readOnly?`);
	writeFileSync(path, 'profiles.work = { colour = "red" }\n');
	expect(await host.run('login')).toBe(1);
	expect(host.output()).toMatch(/has a profile work already\. Change it there:/);
	expect(configOf(host)).toBe('profiles.work = { colour = "red" }\n');
	expect(await host.run('login', '--profile', '../evil')).toBe(2);
});

test('login offers to open the profile by default if there are others, and keeps the rest of the file', async () => {
	const simulator = await startSimulator();
	const host = createTestHost();
	mkdirSync(join(host.folder, 'config'), { recursive: true });
	const earlier = '# mine\nlockAfter = "1m"\n\n[profiles.work]\nurl = "https://work.example/v1"\n';
	writeFileSync(join(host.folder, 'config', 'config.toml'), earlier);
	const declined = host.run('login', '--profile', 'lab');
	await answerAll(host, simulator);
	await host.answer('Open lab by default? y / n', 'n\r');
	expect(await declined).toBe(0);
	expect(configOf(host)).toContain(earlier);
	expect(configOf(host)).not.toContain('profile =');
	const accepted = host.run('login', '--profile', 'lab');
	await answerAll(host, simulator);
	await host.answer('Open lab by default? y / n', 'y\r');
	expect(await accepted).toBe(0);
	expect(configOf(host)).toMatch(
		/^profile = "lab"\n\n# mine\nlockAfter = "1m"\n\n\[profiles.work\]/,
	);
	const again = host.run('login', '--profile', 'lab');
	await answerAll(host, simulator);
	expect(await again).toBe(0);
	expect(configOf(host).match(/profile = /g)).toHaveLength(1);
});

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
async function signInWithToken(simulator: HeldSimulator) {
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
	const { host, token } = await signInWithToken(await startSimulator());
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
	const { host } = await signInWithToken(await startSimulator());
	await host.ran('logout', '--profile', 'default');
	const { code, err } = await host.ran('list');
	expect({ code, err }).toMatchObject({
		code: 2,
		err: expect.stringContaining('has no stored token for its url; run `crowsnest login --token'),
	});
});

test('a stored token is never sent to another base URL', async () => {
	const { host } = await signInWithToken(await startSimulator());
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
	const { host } = await signInWithToken(simulator);
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

async function signInTo(host: TestHost, origin: string): Promise<number> {
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
	expect(await signInTo(host, origin)).toBe(0);
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

test.each([
	['watch', 'Ctrl-C', '\u0003'],
	['watch', 'Ctrl-D', '\u0004'],
	['list', 'Ctrl-C', '\u0003'],
	['stop atlas', 'Ctrl-D', '\u0004'],
	['doctor', 'Ctrl-D', '\u0004'],
])('“crowsnest %s” exits with 130 on %s at the question for the password', async (line, _, key) => {
	const simulator = await startSimulator();
	const { CROWSNEST_PASSWORD: __, ...env } = environmentOf(simulator);
	const host = createTestHost({ env });
	const ended = host.run(...line.split(' '));
	await host.answer('(not shown): ', key);
	expect(await ended).toBe(130);
	expect(host.isRaw()).toBe(false);
	expect(host.output().split('(not shown): ')[1]).toMatch(/^\s*$/);
	expect(simulator.requests).toEqual([]);
});
