import { expect, test } from 'vitest';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import {
	accountSettings,
	noticeSettings,
	preferenceSettings,
	profileSettings,
	programSettings,
	questionSettings,
} from '../../source/accounts/settings.ts';

const problemsIn = (...lines: readonly string[]) =>
	configFrom(lines.join('\n')).problems.map(({ message }) => message);

test('the configuration reader reads a valid configuration', () => {
	const { config, problems } = configFrom(`
		profile = "work"
		lockAfter = "never"
		[profiles.work]
		url = "https://api.example.com/v1/"
		passwordCommand = { shell = "pass show fleet | head -1" }
		confirm = { start = "off", stop = "type" }
		[profiles.work.keys]
		stop = ["ctrl-X", "F5"]
		palette = []
	`);
	expect(problems).toEqual([]);
	expect(config).toMatchObject({ profile: ['work'], lockAfter: Number.POSITIVE_INFINITY });
	expect(config.profiles?.get('work')).toEqual({
		url: 'https://api.example.com/v1',
		passwordCommand: { shell: 'pass show fleet | head -1' },
		confirm: { start: 'off', stop: 'type' },
		keys: [
			{ action: 'stop', keys: ['ctrl-x', 'f5'] },
			{ action: 'palette', keys: [] },
		],
	});
});

test('the configuration reader reports every problem with the most similar setting', () => {
	const problems = problemsIn(
		'# a comment',
		'lockafter = "10m"',
		'colour = "rde"',
		'[profiles.work]',
		'url = "http://api.example.com/v1"',
		'description = """',
		'url = 3',
		'"""',
		'readOnly = "yes"',
		'[profiles.work.confirm]',
		'start = "never"',
		'delete = "off"',
		'[profiles.work.notify]',
		'creditsLow = "Bell"',
		'creditsLeft = "soon"',
		'[profiles.work.keys]',
		'stop = [',
		'  "x",',
		'  "hyper-x",',
		']',
	);
	expect(problems).toEqual([
		expect.stringMatching(/^colour must be one of "red", .*; did you mean "red"\?$/),
		expect.stringMatching(/^profiles\.work\.url must start with https:/),
		'profiles.work.readOnly must be true or false',
		'profiles.work.confirm.start must be one of "off", "ask", "wait", "type"',
		'profiles.work.confirm.delete must be one of "ask", "wait", "type"',
		'profiles.work.notify.creditsLow must be one of "off", "bell", "notify"; did you mean "bell"?',
		expect.stringMatching(/^profiles\.work\.notify\.creditsLeft must be a duration such as/),
		expect.stringMatching(/^profiles\.work\.keys\.stop must be a key such as/),
		expect.stringMatching(/^profiles\.work\.description is not a setting; the settings are url, /),
		'lockafter is not a setting; did you mean lockAfter?',
	]);
});

test.each(['confirm.start', 'confirm.stop', 'notify', 'keys', 'profiles', 'profiles.work'])(
	'the configuration reader refuses a value of the wrong type for “%s”',
	name => {
		expect(problemsIn('', `${name} = 7`)).toEqual([expect.stringMatching(`^${name} must be`)]);
	},
);

test.each([
	'password = "hunter22"',
	'[profiles.a]\npassword = "hunter22"',
	'[profiles.a]\ntoken = "hunter22"',
])(
	'the configuration %j is refused because of its secret, and the message does not quote the secret',
	text => {
		const { problems } = configFrom(text);
		expect(problems).toEqual([
			expect.objectContaining({
				message: expect.stringContaining('must not be stored here: use passwordCommand'),
			}),
		]);
		expect(JSON.stringify(problems)).not.toContain('hunter22');
	},
);

test.each([
	'"pass show fleet"',
	'[]',
	'[""]',
	'["pass", 3]',
	'["pass\\u0000"]',
	'{ shell = "" }',
	'{ sh = "x" }',
])('the configuration reader refuses the password command `%s`', command => {
	expect(problemsIn('[profiles.a]', `passwordCommand = ${command}`)).toEqual([
		expect.stringContaining('must be a list of words'),
	]);
});

test('the configuration reader refuses a profile whose name cannot be a file name', () => {
	for (const name of ['../../evil', '.hidden', 'a b', '', 'a'.repeat(65), 'a\\u001b[2J']) {
		const [problem] = configFrom(`\n[profiles."${name}"]\nurl = "https://a.example/v1"`).problems;
		expect(problem).toMatchObject({
			message: expect.stringContaining('cannot be the name of a profile'),
		});
		expect(problem?.message).not.toContain('\u001b');
	}
	expect(configFrom('[profiles."Work_2.eu-west"]').problems).toEqual([]);
});

test('the configuration reader reports the line number of invalid TOML without quoting the line', () => {
	const { problems } = configFrom('readOnly = true\nanonKey = "hunter22\n');
	expect(problems).toMatchObject([
		{ message: expect.stringMatching(/^not valid TOML in line 2: [^\n]+$/) },
	]);
	expect(JSON.stringify(problems)).not.toContain('hunter22');
	expect(configFrom('readOnly = true\nreadOnly = true').problems).toMatchObject([
		{ message: expect.stringContaining('in line 2') },
	]);
});

test('the example configuration is valid as it is, and with every setting uncommented', () => {
	const example = configExample();
	expect(configFrom(example)).toMatchObject({ problems: [] });
	const { config, problems } = configFrom(example.replace(/^#(?=[[\w])/gm, ''));
	expect(problems).toEqual([]);
	const { confirm, ...profile } = config.profiles?.get('work') ?? {};
	expect(Object.keys(profile)).toEqual(Object.keys({ ...accountSettings, ...profileSettings }));
	expect(Object.keys(confirm ?? {})).toEqual(Object.keys(questionSettings));
	expect(Object.keys(config.notify ?? {})).toEqual(Object.keys(noticeSettings));
	expect(Object.keys(config)).toEqual(
		expect.arrayContaining(Object.keys({ ...programSettings, ...preferenceSettings })),
	);
});

test('a setting in the wrong place is refused with the place where it belongs', () => {
	expect(problemsIn('production = true\nshort = "w"')).toEqual([
		'production belongs in a profile, below a line such as [profiles.work]',
		'short belongs in a profile, below a line such as [profiles.work]',
	]);
	expect(problemsIn('[profiles.work]\nmaxRequestsPerMinute = 3')).toEqual([
		'profiles.work.maxRequestsPerMinute applies to all accounts together: set it at the top of the file',
	]);
	expect(problemsIn('profiles = ["work", "lab"]')).toEqual([
		'profiles must be a table; the profiles to open are set as in profile = ["work", "lab"]',
	]);
});

test.each(['0', '-1', '1.5', '"60"'])('maxRequestsPerMinute cannot be %s', wrong => {
	expect(problemsIn(`maxRequestsPerMinute = ${wrong}`)).toEqual([
		'maxRequestsPerMinute must be a whole number above 0',
	]);
});
