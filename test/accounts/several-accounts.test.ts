import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
	type AccountFlags,
	type Environment,
	settingsFrom,
} from '../../source/accounts/account-settings.ts';
import { configFrom } from '../../source/accounts/config-text.ts';
import { pathsFrom } from '../../source/accounts/paths.ts';
import { shortNamesOf } from '../../source/accounts/short-names.ts';

const profile = (name: string, ...lines: readonly string[]) =>
	[
		`[profiles.${name}]`,
		`url = "https://${name}.example/v1"`,
		`authUrl = "https://id.${name}.example"`,
		'anonKey = "key"',
		`email = "${name}@example.com"`,
		...lines,
		'',
	].join('\n');

const workAndLab = profile('work') + profile('lab');

function settings(configText: string, flags: AccountFlags = {}, environment: Environment = {}) {
	return settingsFrom({ flags, environment, configText, paths: pathsFrom({}, '/home/a') });
}

function accounts(...sources: Parameters<typeof settings>) {
	const result = settings(...sources);
	if (result.kind !== 'accounts') throw new Error(inspect(result, { depth: 9 }));
	return result.accounts;
}

const names = (...sources: Parameters<typeof settings>) =>
	accounts(...sources).map(({ name }) => name);

const problems = (...sources: Parameters<typeof settings>) => {
	const result = settings(...sources);
	return result.kind === 'wrong' ? result.problems : result.kind;
};

test('the accounts are opened in the order in which the flag, the variable or the file names them', () => {
	const variable = { CROWSNEST_PROFILE: 'lab, work' };
	expect(names(workAndLab, { profiles: ['lab', 'work'] })).toEqual(['lab', 'work']);
	expect(names(workAndLab, {}, variable)).toEqual(['lab', 'work']);
	expect(names(`profile = ["lab", "work"]\n${workAndLab}`)).toEqual(['lab', 'work']);
	expect(names(`profile = "lab,work"\n${workAndLab}`)).toEqual(['lab', 'work']);
	expect(names(workAndLab, { isForAllProfiles: true })).toEqual(['work', 'lab']);
	expect(names(`profile = "lab"\n${workAndLab}`, { isForAllProfiles: true })).toEqual([
		'work',
		'lab',
	]);
	expect(names(workAndLab, { profiles: ['work'] }, variable)).toEqual(['work']);
});

test('each account has the settings of its own profile', () => {
	const config = [
		'colour = "green"',
		profile('work', 'production = true', 'readOnly = true', 'short = "wk"'),
		profile('lab', 'colour = "red"', '[profiles.lab.confirm]', 'stop = "type"'),
	].join('\n');
	expect(accounts(config, { isForAllProfiles: true })).toMatchObject([
		{
			name: 'work',
			shortName: 'wk',
			isProduction: true,
			baseUrl: 'https://work.example/v1',
			user: 'work@example.com',
			tokenPath: expect.stringMatching(/work\.json$/),
			preferences: { readOnly: true, colour: 'green', confirm: {} },
		},
		{
			name: 'lab',
			shortName: 'lab',
			isProduction: false,
			baseUrl: 'https://lab.example/v1',
			user: 'lab@example.com',
			tokenPath: expect.stringMatching(/lab\.json$/),
			preferences: { readOnly: false, colour: 'red', confirm: { stop: 'type' } },
		},
	]);
	const readOnly = accounts(config, { isForAllProfiles: true, preferences: { readOnly: true } });
	expect(readOnly.map(({ preferences }) => preferences.readOnly)).toEqual([true, true]);
});

test('several accounts take nothing from the environment, which describes a single account', () => {
	const environment = {
		CROWSNEST_PASSWORD: 'env-password',
		CROWSNEST_ANON_KEY: 'env-key',
		CROWSNEST_URL: 'https://evil.example/v1',
	};
	for (const [flags, config] of [
		[{ profiles: ['work', 'lab'] }, workAndLab],
		[{}, `profile = ["work", "lab"]\n${workAndLab}`],
	] as const) {
		for (const { baseUrl, credentials } of accounts(config, flags, environment)) {
			expect(baseUrl).not.toContain('evil');
			expect(credentials).toMatchObject({ kind: 'password' });
			expect(credentials).not.toHaveProperty('password');
			expect(credentials.kind === 'password' && credentials.anonKey()).toBe('key');
		}
	}
	const [alone] = accounts(workAndLab, { profiles: ['work'] }, { CROWSNEST_PASSWORD: 'secret' });
	expect(alone.credentials).toHaveProperty('password');
});

test('one wrong profile among several is reported, and no account is opened', () => {
	const half = `${workAndLab}[profiles.half]\nurl = "https://half.example/v1"\n`;
	expect(problems(half, { isForAllProfiles: true })).toEqual([
		{ isInFile: true, message: expect.stringMatching(/^profiles\.half has no authUrl/) },
	]);
	expect(problems(workAndLab, { profiles: ['work', 'lba', 'x'] })).toMatchObject([
		{ message: 'there is no profile lba; did you mean lab?' },
		{ message: 'there is no profile x; `crowsnest login` creates one' },
	]);
	expect(problems(`\nprofile = ["work", "lba"]\n${workAndLab}`)).toMatchObject([
		{ message: 'there is no profile lba; did you mean lab?' },
	]);
	expect(problems(`\nprofile = []\n${workAndLab}`)).toMatchObject([
		{ message: expect.stringContaining('must be the name of a profile, or a list') },
	]);
});

test('two profiles of one account are not opened together, because each computer would be in the table twice', () => {
	const twin = workAndLab.replaceAll('lab.example', 'work.example').replace('"lab@', '"WORK@');
	expect(problems(twin, { isForAllProfiles: true })).toMatchObject([
		{ message: 'the profiles work and lab are the same account; open only one of them' },
	]);
	expect(names(twin, { profiles: ['lab'] })).toEqual(['lab']);
});

test('--all-profiles needs a profile, and excludes --profile', () => {
	expect(problems('', { isForAllProfiles: true })).toMatchObject([
		{ message: 'there are no profiles; `crowsnest login` creates one' },
	]);
	expect(problems(workAndLab, { isForAllProfiles: true, profiles: ['lab'] })).toMatchObject([
		{ message: 'use either --profile or --all-profiles' },
	]);
	expect(names(profile('only'), { isForAllProfiles: true })).toEqual(['only']);
});

test('if no profile is chosen, the settings list all profiles, with the reason why one cannot be opened', () => {
	const config = `lockAfter = "1m"\n${profile('work', 'production = true', 'colour = "red"')}[profiles.half]\nurl = "https://half.example/v1"\n`;
	expect(settings(config)).toMatchObject({
		kind: 'choice',
		profiles: [
			{
				name: 'work',
				shortName: 'work',
				baseUrl: 'https://work.example/v1',
				email: 'work@example.com',
			},
			{ name: 'half', email: undefined, problem: { isInFile: true } },
		],
		preferences: { lockAfter: 60_000 },
	});
	const [work] = choicesOf(config);
	expect(work).not.toHaveProperty('problem');
	expect(settings(config, {}, { CROWSNEST_PASSWORD: 'env-password' }).kind).toBe('choice');
});

function choicesOf(config: string) {
	const result = settings(config);
	return result.kind === 'choice' ? result.profiles : [];
}

test('the limit for all accounts together comes from the top of the file', () => {
	expect(
		settings(`maxRequestsPerMinute = 45\n${workAndLab}`, { isForAllProfiles: true }),
	).toMatchObject({
		accounts: [{ maxRequestsPerMinute: 45 }, { maxRequestsPerMinute: 45 }],
	});
	expect(settings(workAndLab, { isForAllProfiles: true })).toMatchObject({
		accounts: [{ maxRequestsPerMinute: undefined }, { maxRequestsPerMinute: undefined }],
	});
	for (const wrong of ['0', '-1', '1.5', '"60"']) {
		expect(configFrom(`maxRequestsPerMinute = ${wrong}`).problems).toMatchObject([
			{ message: 'maxRequestsPerMinute must be a whole number above 0' },
		]);
	}
});

test('a setting in the wrong place is refused with the place where it belongs', () => {
	const messages = (text: string) => configFrom(text).problems.map(({ message }) => message);
	expect(messages('production = true\nshort = "w"')).toEqual([
		'production belongs in a profile, below a line such as [profiles.work]',
		'short belongs in a profile, below a line such as [profiles.work]',
	]);
	expect(messages('[profiles.work]\nmaxRequestsPerMinute = 3')).toEqual([
		'profiles.work.maxRequestsPerMinute applies to all accounts together: set it at the top of the file',
	]);
	expect(messages('profiles = ["work", "lab"]')).toEqual([
		'profiles must be a table; the profiles to open are set as in profile = ["work", "lab"]',
	]);
});

test('a short name has at most 8 characters and names one profile', () => {
	for (const wrong of ['"ninechars"', '"a b"', '"a/b"', '"a,b"', '""', '3']) {
		expect(configFrom(`[profiles.work]\nshort = ${wrong}`).problems).toMatchObject([
			{ message: expect.stringContaining('profiles.work.short must be a short name') },
		]);
	}
	const repeated = '[profiles.work]\nshort = "x"\n[profiles.lab]\nshort = "x"\n[profiles.x]\n';
	expect(configFrom(repeated).problems).toMatchObject([
		{ message: 'profiles.work.short already names the profile x; choose another short name' },
		{ message: 'profiles.lab.short already names the profile work; choose another short name' },
	]);
	expect(configFrom('[profiles.lab]\nshort = "lab"').problems).toEqual([]);
});

test.each([
	[
		['work', 'lab'],
		['work', 'lab'],
	],
	[['customer-a'], ['customer']],
	[
		['production-eu', 'production-us', 'lab'],
		['produ-eu', 'produ-us', 'lab'],
	],
	[
		['staging-1', 'staging-2'],
		['stagin-1', 'stagin-2'],
	],
	[
		['production', 'producti'],
		['production', 'producti'],
	],
	[
		['customers', 'customerx'],
		['customers', 'customerx'],
	],
])('the profiles %j have the distinct short names %j', (profiles, shortNames) => {
	const found = shortNamesOf(new Map(profiles.map(name => [name, {}])));
	expect([...found.values()]).toEqual(shortNames);
});

test('the short name of a profile differs from every configured short name', () => {
	const found = shortNamesOf(
		new Map([
			['lab', { short: 'customer' }],
			['customer-a', {}],
		]),
	);
	expect(found.get('customer-a')).toBe('custom-a');
});
