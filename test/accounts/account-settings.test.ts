import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type AccountFlags, settingsFrom } from '../../source/accounts/account-settings.ts';
import { accountKey } from '../../source/accounts/credentials.ts';
import { pathsFrom } from '../../source/accounts/paths.ts';
import { shortNamesOf } from '../../source/accounts/short-names.ts';
import type { Environment } from '../../source/foundation/children.ts';

const inFull = {
	CROWSNEST_URL: 'https://env.example/v1',
	CROWSNEST_AUTH_URL: 'https://id.env.example',
	CROWSNEST_ANON_KEY: 'env-anon-key',
	CROWSNEST_EMAIL: 'env@example.com',
	CROWSNEST_PASSWORD: 'env-password',
};

const profile = (name: string, ...more: readonly string[]) =>
	[
		`\n[profiles.${name}]`,
		`url = "https://${name}.example/v1"`,
		`authUrl = "https://id.${name}.example"`,
		`anonKey = "${name}-anon-key"`,
		`email = "${name}@example.com"`,
		`passwordCommand = ["pass", "${name}"]`,
		...more,
		'',
	].join('\n');

const two = profile('work') + profile('lab');
const half = '\n[profiles.half]\nurl = "https://half.example/v1"\n';

function settings(config: string, environment: Environment = {}, flags: AccountFlags = {}) {
	return settingsFrom({
		flags,
		environment,
		configText: config,
		paths: pathsFrom({}, '/home/a'),
	});
}

function accounts(...sources: Parameters<typeof settings>) {
	const result = settings(...sources);
	if (result.kind !== 'accounts') throw new Error(inspect(result, { depth: 9 }));
	return result.accounts;
}

function passwordProof(...sources: Parameters<typeof settings>) {
	const [{ credentials }] = accounts(...sources);
	if (credentials.kind !== 'password') throw new Error(credentials.kind);
	const { anonKey, password, ...others } = credentials;
	return { ...others, anonKey: anonKey(), password: password?.() };
}

/** Returns the names of the accounts, the problems, or the word for another result. */
function outcome(...sources: Parameters<typeof settings>) {
	const result = settings(...sources);
	if (result.kind === 'accounts') return result.accounts.map(({ name }) => name);
	return result.kind === 'wrong' ? result.problems.map(({ message }) => message) : result.kind;
}

const all = { isForAllProfiles: true };
const variable = { CROWSNEST_PROFILE: 'lab, work' };
const { CROWSNEST_URL: _, ...withoutUrl } = inFull;
const { CROWSNEST_EMAIL: __, ...withoutEmail } = inFull;
const sameAccount = two.replaceAll('lab.example', 'work.example').replace('"lab@', '"WORK@');

test.each<[string, Parameters<typeof settings>, unknown]>([
	['nothing', [''], 'none'],
	['an empty variable', ['', { CROWSNEST_URL: '' }], 'none'],
	['the environment alone', ['', inFull], ['environment']],
	['a complete environment and a profile', [profile('work'), inFull], ['environment']],
	['the only profile', [profile('work')], ['work']],
	['several profiles', [two], 'choice'],
	['several profiles, and a password', [two, { CROWSNEST_PASSWORD: 'x' }], 'choice'],
	['the setting', [`profile = ["lab", "work"]\n${two}`], ['lab', 'work']],
	['the setting, with a comma', [`profile = "lab,work"\n${two}`], ['lab', 'work']],
	['the variable over the setting', [`profile = "work"\n${two}`, variable], ['lab', 'work']],
	['a flag over the variable', [two, variable, { profiles: ['work'] }], ['work']],
	['a flag over a complete environment', [two, inFull, { profiles: ['work'] }], ['work']],
	['all profiles', [`profile = "lab"\n${two}`, {}, all], ['work', 'lab']],
	['one of two profiles of an account', [sameAccount, {}, { profiles: ['lab'] }], ['lab']],
])('%s chooses the accounts', (_, sources, expected) => {
	expect(outcome(...sources)).toEqual(expected);
});

const unknown = 'there is no profile x; `crowsnest login` creates one';

test.each<[Parameters<typeof settings>, string]>([
	[[two, {}, { profiles: ['lba'] }], 'there is no profile lba; did you mean lab?'],
	[[two, { CROWSNEST_PROFILE: 'x' }], unknown],
	[[`profile = "x"\n${two}`], unknown],
	[['', {}, all], 'there are no profiles; `crowsnest login` creates one'],
	[[two, {}, { ...all, profiles: ['lab'] }], 'use either --profile or --all-profiles'],
	[[sameAccount, {}, all], 'the profiles work and lab are the same account; open only one of them'],
	[
		['', { CROWSNEST_URL: inFull.CROWSNEST_URL }],
		'the environment is incomplete: set CROWSNEST_AUTH_URL, CROWSNEST_ANON_KEY, CROWSNEST_EMAIL as well, or use a profile',
	],
	[
		[two + half, {}, all],
		'profiles.half has no authUrl, no anonKey, no email; add what is missing, or set CROWSNEST_AUTH_URL, CROWSNEST_ANON_KEY, CROWSNEST_EMAIL in the environment',
	],
	[
		[`profile = []\n${two}`],
		'profile must be the name of a profile, or a list such as ["work", "lab"]',
	],
])('no account is opened, and the message says why: %#', (sources, message) => {
	expect(outcome(...sources)).toEqual([message]);
});

test('the settings of an account come from its profile, those for all profiles, and the options', () => {
	const config = [
		'readOnly = true\ncolour = "green"\nlockAfter = "1m"\nmaxRequestsPerMinute = 45',
		'notify = { creditsLow = "off", creditsLeft = "2d" }',
		'[keys]\nstop = "X"\nhelp = "f1"',
		profile('work', 'production = true', 'short = "wk"'),
		profile('lab', 'colour = "#FF0000"', 'readOnly = false', 'notify = { creditsLow = "bell" }'),
		'[profiles.lab.keys]\nstop = ["ctrl-x"]\n[profiles.lab.confirm]\nstop = "type"',
	].join('\n');
	const [work, lab] = accounts(config, {}, all);
	expect(work).toMatchObject({
		name: 'work',
		shortName: 'wk',
		isProduction: true,
		baseUrl: 'https://work.example/v1',
		user: 'work@example.com',
		tokenPath: '/home/a/.local/state/crowsnest/tokens/work.json',
		maxRequestsPerMinute: 45,
		preferences: { readOnly: true, colour: 'green', lockAfter: 60_000, confirm: {} },
	});
	expect(lab).toMatchObject({
		shortName: 'lab',
		isProduction: false,
		preferences: {
			readOnly: false,
			colour: '#ff0000',
			mouse: false,
			confirm: { stop: 'type' },
			notify: { operationEnded: 'bell', creditsLow: 'bell', creditsLeft: 2 * 86_400_000 },
			keys: [
				{ action: 'stop', keys: ['ctrl-x'] },
				{ action: 'help', keys: ['f1'] },
			],
		},
	});
	const readOnly = accounts(config, {}, { ...all, preferences: { readOnly: true } });
	expect(readOnly.map(({ preferences }) => preferences.readOnly)).toEqual([true, true]);
	expect(settings('lockAfter = "1m"')).toMatchObject({ preferences: { lockAfter: 60_000 } });
});

test('an account with a token needs no anon key, e-mail or password', () => {
	const claims = Buffer.from(JSON.stringify({ sub: 'user-1' })).toString('base64url');
	const given = { CROWSNEST_URL: 'https://env.example/v1', CROWSNEST_TOKEN: `h.${claims}.s` };
	const [{ credentials, user }] = accounts('', given);
	expect(credentials.kind === 'token' && credentials.token()).toBe(given.CROWSNEST_TOKEN);
	expect(user).toBe('user-1');
	expect(accounts('', { ...given, CROWSNEST_TOKEN: 'opaque' })[0].user).toMatch(/^[0-9a-f]{16}$/);
});

test('the environment replaces values of a single profile', () => {
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
	expect(accounts(profile('work'), elsewhere)[0].baseUrl).toBe('https://staging.example/v1');
});

test('the password of a profile is never sent to another identity provider of the environment', () => {
	const elsewhere = { CROWSNEST_AUTH_URL: 'https://evil.example' };
	expect(outcome(profile('work'), elsewhere)).toEqual([expect.stringContaining('no anonKey')]);
	const withKey = { ...elsewhere, CROWSNEST_ANON_KEY: 'other' };
	expect(passwordProof(profile('work'), withKey)).toHaveProperty('passwordCommand', undefined);
	const same = { CROWSNEST_AUTH_URL: 'https://id.work.example' };
	expect(passwordProof(profile('work'), same).passwordCommand).toEqual(['pass', 'work']);
});

test('profiles that an option names, and several profiles, take nothing of another account from the environment', () => {
	const flags = { profiles: ['work'] };
	expect(passwordProof(profile('work'), inFull, flags).password).toBeUndefined();
	const token = { CROWSNEST_TOKEN: 'given', CROWSNEST_EMAIL: 'env@example.com' };
	expect(accounts(profile('work'), token, flags)[0].credentials.kind).toBe('password');
	const same = { CROWSNEST_PASSWORD: 'env-password', CROWSNEST_EMAIL: 'work@example.com' };
	expect(passwordProof(profile('work'), same, flags).password).toBe('env-password');
	expect(passwordProof(half, withoutUrl, { profiles: ['half'] }).email).toBe('env@example.com');
	const several = [
		...accounts(two, withoutEmail, { profiles: ['work', 'lab'] }),
		...accounts(`profile = ["work", "lab"]\n${two}`, withoutEmail),
	];
	for (const { baseUrl, credentials } of several) {
		expect(baseUrl).not.toContain('env');
		expect(credentials).toHaveProperty('password', undefined);
		expect(credentials.kind === 'password' && credentials.anonKey()).not.toContain('env');
	}
});

test('if no profile is chosen, the settings list all profiles, with the reason why one cannot be opened', () => {
	expect(settings(profile('work') + half)).toMatchObject({
		kind: 'choice',
		profiles: [
			{ name: 'work', baseUrl: 'https://work.example/v1', email: 'work@example.com' },
			{ name: 'half', email: undefined, problem: { isInFile: true } },
		],
	});
});

test('printing the settings of an account shows no secret', () => {
	const withToken = { CROWSNEST_URL: inFull.CROWSNEST_URL, CROWSNEST_TOKEN: 'env-token' };
	const shown = [settings('', inFull), settings(profile('work')), settings('', withToken)]
		.map(each => `${JSON.stringify(each)} ${inspect(each, { depth: 9 })}`)
		.join();
	expect(shown).toContain('env@example.com');
	expect(shown).not.toMatch(/env-password|env-token|anon-key/);
});

test.each([
	['work lab', 'work lab'],
	['customer-a', 'custom-a'],
	['production-eu production-us lab', 'produ-eu produ-us lab'],
	['production producti', 'production producti'],
	['customers customerx', 'customers customerx'],
	['lab=custom-a customer-a', 'custom-a customer-a'],
])('the profiles “%s” have the distinct short names “%s”', (profiles, shortNames) => {
	const rows = profiles.split(' ').map(text => text.split('='));
	const found = shortNamesOf(new Map(rows.map(([name = '', short]) => [name, { short }])));
	expect(found.map(({ shortName }) => shortName).join(' ')).toBe(shortNames);
});

test('an account has one key in every version, however its address and user are written, and no other has it', () => {
	const keyOf = (baseUrl: string, user: string) => accountKey({ baseUrl, user });
	const key = keyOf('https://api.example.com/v1', 'Owner@example.com ');
	expect(key).toBe(keyOf('https://API.example.com/v1/', 'owner@example.com'));
	const others = [
		keyOf('https://api.example.com/v1', 'b'),
		keyOf('https://api.example.com/v2', 'owner@example.com'),
		keyOf('http://api.example.com/v1', 'owner@example.com'),
	];
	expect(new Set([key, ...others]).size).toBe(4);
	expect(keyOf('http://127.0.0.1:38787/v1', 'owner@example.com')).toBe('38520c86827be356');
});

test('the configuration and the state are in the folders of crowsnest, or else of the XDG specification', () => {
	const usual = {
		configPath: '/home/a/.config/crowsnest/config.toml',
		statePath: '/home/a/.local/state/crowsnest',
		tokensPath: '/home/a/.local/state/crowsnest/tokens',
	};
	const relative = { XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: '' };
	for (const environment of [{}, relative])
		expect(pathsFrom(environment, '/home/a')).toEqual(usual);
	const shared = { XDG_CONFIG_HOME: '/x/config', XDG_STATE_HOME: '/x/state' };
	expect(pathsFrom(shared, '/home/a')).toMatchObject({
		configPath: '/x/config/crowsnest/config.toml',
		statePath: '/x/state/crowsnest',
	});
	const own = { CROWSNEST_CONFIG_DIR: '/own/config', CROWSNEST_STATE_DIR: '/own/state' };
	expect(pathsFrom({ ...own, ...shared }, '/home/a')).toEqual({
		configPath: '/own/config/config.toml',
		statePath: '/own/state',
		tokensPath: '/own/state/tokens',
	});
});
