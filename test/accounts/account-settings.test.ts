import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
	type AccountFlags,
	type Environment,
	settingsFrom,
} from '../../source/accounts/account-settings.ts';
import { pathsFrom } from '../../source/accounts/paths.ts';

const inFull = {
	CROWSNEST_URL: 'https://env.example/v1',
	CROWSNEST_AUTH_URL: 'https://id.env.example',
	CROWSNEST_ANON_KEY: 'env-anon-key',
	CROWSNEST_EMAIL: 'env@example.com',
	CROWSNEST_PASSWORD: 'env-password',
};

const profile = (name: string, more = '') => `
	[profiles.${name}]
	url = "https://${name}.example/v1"
	authUrl = "https://id.${name}.example"
	anonKey = "${name}-anon-key"
	email = "${name}@example.com"
	passwordCommand = ["pass", "${name}"]
	${more}
`;

function settings(
	configText: string | undefined,
	environment: Environment = {},
	flags: AccountFlags = {},
) {
	return settingsFrom({ flags, environment, configText, paths: pathsFrom({}, '/home/a') });
}

function account(...sources: Parameters<typeof settings>) {
	const result = settings(...sources);
	if (result.kind !== 'accounts') throw new Error(inspect(result, { depth: 9 }));
	expect(result.accounts).toHaveLength(1);
	return result.accounts[0];
}

function passwordProof(...sources: Parameters<typeof settings>) {
	const { credentials } = account(...sources);
	if (credentials.kind !== 'password') throw new Error(credentials.kind);
	const { anonKey, password, ...others } = credentials;
	return { ...others, anonKey: anonKey(), password: password?.() };
}

const problems = (...sources: Parameters<typeof settings>) => {
	const result = settings(...sources);
	return result.kind === 'wrong' ? result.problems : result.kind;
};

test('the program reports that no account is configured, with and without preferences', () => {
	expect(settings(undefined)).toMatchObject({
		kind: 'none',
		preferences: { lockAfter: Number.POSITIVE_INFINITY },
	});
	expect(settings('lockAfter = "1m"')).toMatchObject({
		kind: 'none',
		preferences: { lockAfter: 60_000 },
	});
	expect(settings('', { CROWSNEST_URL: '' })).toMatchObject({ kind: 'none' });
});

test('the program uses a complete account from the environment without a profile', () => {
	for (const config of [undefined, profile('work'), profile('a') + profile('b')]) {
		expect(account(config, inFull)).toMatchObject({
			name: 'environment',
			baseUrl: 'https://env.example/v1',
			user: 'env@example.com',
			tokenPath: '/home/a/.local/state/crowsnest/tokens/environment.json',
		});
		expect(passwordProof(config, inFull)).toMatchObject({
			authUrl: 'https://id.env.example',
			anonKey: 'env-anon-key',
			password: 'env-password',
		});
		expect(passwordProof(config, inFull)).not.toHaveProperty('passwordCommand');
	}
});

test('an account with a token needs no anon key, e-mail or password', () => {
	const claims = Buffer.from(JSON.stringify({ sub: 'user-1' })).toString('base64url');
	const given = { CROWSNEST_URL: 'https://env.example/v1', CROWSNEST_TOKEN: `h.${claims}.s` };
	const { credentials, user } = account(undefined, given);
	expect(credentials.kind === 'token' && credentials.token()).toBe(given.CROWSNEST_TOKEN);
	expect(user).toBe('user-1');
	const opaque = account(undefined, { ...given, CROWSNEST_TOKEN: 'opaque' });
	expect(opaque.user).toMatch(/^[0-9a-f]{16}$/);
});

test('a command-line option overrides the environment, and the environment overrides the configuration file', () => {
	const config = `profile = "one"\n${profile('one')}${profile('two')}${profile('three')}`;
	const environment = { CROWSNEST_PROFILE: 'two' };
	expect(account(config).name).toBe('one');
	expect(account(config, environment).name).toBe('two');
	expect(account(config, environment, { profiles: ['three'] }).name).toBe('three');
});

test('the environment can replace single values of a profile', () => {
	const given = { CROWSNEST_EMAIL: 'other@example.com', CROWSNEST_PASSWORD: 'env-password' };
	expect(passwordProof(profile('work'), given)).toEqual({
		kind: 'password',
		authUrl: 'https://id.work.example',
		anonKey: 'work-anon-key',
		email: 'other@example.com',
		password: 'env-password',
		passwordOrigin: 'CROWSNEST_PASSWORD',
		passwordCommand: ['pass', 'work'],
		passwordTimeout: 30_000,
	});
	const elsewhere = { CROWSNEST_PROFILE: 'work', CROWSNEST_URL: 'https://staging.example/v1' };
	expect(account(profile('work'), elsewhere).baseUrl).toBe('https://staging.example/v1');
});

test('the program never combines the password of a profile with another identity provider from the environment', () => {
	const elsewhere = { CROWSNEST_AUTH_URL: 'https://evil.example' };
	expect(problems(profile('work'), elsewhere)).toMatchObject([
		{ message: expect.stringContaining('no anonKey') },
	]);
	const withKey = { ...elsewhere, CROWSNEST_ANON_KEY: 'other' };
	expect(passwordProof(profile('work'), withKey)).not.toHaveProperty('passwordCommand');
	expect(
		passwordProof(profile('work'), { CROWSNEST_AUTH_URL: 'https://id.work.example' }),
	).toHaveProperty('passwordCommand');
});

test('when an option names the profile, the program takes no values of another account from the environment', () => {
	const flags = { profiles: ['work'] };
	expect(account(profile('work'), inFull, flags)).toMatchObject({
		name: 'work',
		baseUrl: 'https://work.example/v1',
	});
	expect(passwordProof(profile('work'), inFull, flags).password).toBeUndefined();
	const token = { CROWSNEST_TOKEN: 'given', CROWSNEST_EMAIL: 'env@example.com' };
	expect(account(profile('work'), token, flags).credentials.kind).toBe('password');
	const same = { CROWSNEST_PASSWORD: 'env-password', CROWSNEST_EMAIL: 'work@example.com' };
	expect(passwordProof(profile('work'), same, flags).password).toBe('env-password');
	const half = '[profiles.half]\nurl = "https://half.example/v1"';
	const { CROWSNEST_URL: _, ...rest } = inFull;
	expect(passwordProof(half, rest, { profiles: ['half'] }).email).toBe('env@example.com');
});

test('the program refuses an ambiguous or unknown profile name', () => {
	expect(account(profile('only')).name).toBe('only');
	const two = profile('production') + profile('staging');
	expect(problems(two, {}, { profiles: ['prodution'] })).toMatchObject([
		{ message: 'there is no profile prodution; did you mean production?' },
	]);
	expect(problems(`\nprofile = "gone"\n${two}`)).toMatchObject([
		{ message: 'there is no profile gone; `crowsnest login` creates one' },
	]);
	expect(problems(undefined, { CROWSNEST_PROFILE: 'x' })).toHaveLength(1);
});

test('the message about an incomplete account names each missing setting, and the ways to set it', () => {
	expect(problems(undefined, { CROWSNEST_URL: 'https://env.example/v1' })).toEqual([
		{
			message:
				'the environment is incomplete: set CROWSNEST_AUTH_URL, CROWSNEST_ANON_KEY, CROWSNEST_EMAIL as well, or use a profile',
		},
	]);
	expect(
		problems('\n[profiles.work]\nurl = "https://a.example/v1"\nemail = "a@example.com"'),
	).toMatchObject([
		{
			message:
				'profiles.work has no authUrl, no anonKey; add what is missing, or set CROWSNEST_AUTH_URL, CROWSNEST_ANON_KEY in the environment',
		},
	]);
});

test('the message about wrong environment variables names the variables and does not quote their values', () => {
	const wrong = {
		...inFull,
		CROWSNEST_URL: 'https://me:hunter22@env.example/v1',
		CROWSNEST_AUTH_URL: 'http://id.env.example',
		CROWSNEST_ANON_KEY: 'hunter22 hunter22',
		CROWSNEST_TOKEN: 'hunter22\r\nX-Evil: 1',
	};
	const found = problems(undefined, wrong);
	expect(found).toMatchObject([
		{ message: expect.stringMatching(/^CROWSNEST_URL must not contain a user name/) },
		{ message: expect.stringMatching(/^CROWSNEST_AUTH_URL must start with https/) },
		{ message: expect.stringMatching(/^CROWSNEST_ANON_KEY contains characters/) },
		{ message: expect.stringMatching(/^CROWSNEST_TOKEN contains characters/) },
	]);
	expect(JSON.stringify(found)).not.toContain('hunter22');
});

test('a profile overrides the settings for all profiles, and an option can turn read-only on but not off', () => {
	const config = `
		readOnly = true
		colour = "green"
		theme = "dark"
		glyphs = "ascii"
		columns = ["name", "cpu"]
		notify = { creditsLow = "off", creditsLeft = "2d" }
		[keys]
		stop = "X"
		help = "f1"
		${profile('work', 'readOnly = false\n screenReader = true\n colour = "#FF0000"\n theme = "light"\n notify = { creditsLow = "bell" }')}
		[profiles.work.keys]
		stop = ["ctrl-x"]
	`;
	const { preferences } = account(config);
	expect(preferences).toEqual({
		...account(profile('work', '')).preferences,
		readOnly: false,
		colour: '#ff0000',
		theme: 'light',
		glyphs: 'ascii',
		columns: ['name', 'cpu'],
		screenReader: true,
		notify: {
			operationEnded: 'bell',
			computerFailed: 'notify',
			creditsLow: 'bell',
			creditsLeft: 2 * 86_400_000,
		},
		keys: [
			{ action: 'stop', keys: ['ctrl-x'] },
			{ action: 'help', keys: ['f1'] },
		],
	});
	expect(account(config, {}, { preferences: { readOnly: true } }).preferences.readOnly).toBe(true);
	expect(account(config, {}, { preferences: {} }).preferences.readOnly).toBe(false);
});

test('printing the settings of an account shows no secret', () => {
	const claims = { ...inFull, CROWSNEST_PROFILE: '' };
	const shown = [
		...[settings(undefined, claims), settings(profile('work'))],
		settings(undefined, { CROWSNEST_URL: inFull.CROWSNEST_URL, CROWSNEST_TOKEN: 'env-token' }),
	].map(each => `${JSON.stringify(each)} ${inspect(each, { depth: 9 })}`);
	expect(shown.join()).toContain('env@example.com');
	expect(shown.join()).not.toMatch(/env-password|env-token|anon-key/);
});
