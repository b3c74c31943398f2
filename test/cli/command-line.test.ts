import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { commands } from '../../source/cli/catalog.ts';
import { runCommandLine } from '../../source/cli/command-line.ts';
import type { Host } from '../../source/session/host.ts';
import type { Command, ParsedArgs } from '../../source/shell/command.ts';

async function run(words: readonly string[], table = commands) {
	const stdout = new PassThrough();
	const stderr = new PassThrough();
	const host = { program: { stdout, stderr }, version: '1.2.3' } as unknown as Host;
	const code = await runCommandLine(host, table, words);
	return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

function sayer(seen: ParsedArgs[]): Command {
	return {
		name: 'say',
		summary: 'say it',
		argumentUsage: 'WORD…',
		options: [
			{ name: 'loud', help: 'louder' },
			{ name: 'times', shortName: 't', valueName: 'N', help: 'how often' },
			{ name: 'tone', valueName: 'TONE', values: ['high', 'low'], help: 'how high' },
			{
				...{ name: 'words', valueName: 'WORDS', isRepeatable: true },
				...{ values: ['a', 'b'], help: 'which words' },
			},
		],
		examples: [],
		async run(_, args) {
			seen.push(args);
			args.wholeNumber('times', 1, 9);
			return 0;
		},
	};
}

test('crowsnest --help lists every command, and COMMAND --help lists the options of the command', async () => {
	const { code, out } = await run(['--help']);
	expect(code).toBe(0);
	expect(out).toContain('More commands: crowsnest help more\n');
	const { out: more } = await run(['help', 'more']);
	for (const { name, summary, isHidden = false, isRare = false } of commands) {
		const line = new RegExp(`^  ${name} +${summary.slice(0, 10)}`, 'm');
		expect([line.test(out), line.test(more)], name).toEqual([!isHidden && !isRare, isRare]);
	}
	for (const { name, options, examples, isHidden, json } of commands) {
		const { out: own } = await run([...name.split(' '), '--help']);
		for (const option of options) expect(own).toContain(`--${option.name}`);
		for (const example of examples) expect(own).toContain(example);
		for (const field of Object.keys(json?.fields ?? {})) expect(own).toContain(`  ${field} `);
		expect(Boolean(isHidden) || examples.length > 0, name).toBe(true);
		expect(
			options.some(option => option.name === 'json'),
			name,
		).toBe(json !== undefined);
	}
});

test('an option with the same name takes a value in every command or in none', () => {
	const kinds = new Map<string, boolean>();
	for (const { name, valueName } of commands.flatMap(({ options }) => options)) {
		const takesValue = valueName !== undefined;
		expect(kinds.get(name) ?? takesValue, name).toBe(takesValue);
		kinds.set(name, takesValue);
	}
});

test('a command is found by its two words and by its alias', async () => {
	expect((await run(['billing', 'setup', '--help'])).out).toMatch(/^crowsnest billing setup: /);
	expect((await run(['create', '--help'])).out).toMatch(/^crowsnest new: /);
	const { code, err } = await run(['billing']);
	expect(code).toBe(2);
	expect(err).toContain('No command billing. Did you mean billing setup?');
});

test('with --json, wrong usage is reported as JSON', async () => {
	for (const words of [['lst'], ['list', '--quiet'], ['simulate', 'now'], ['completion', 'tcsh']]) {
		const { code, out, err } = await run([...words, '--json']);
		expect({ code, out }).toEqual({ code: 2, out: '' });
		expect(JSON.parse(err).error).toMatchObject({ kind: 'usage' });
	}
});

test.each([['--version'], ['-v'], ['-V'], ['version']])('%s prints the version', async word => {
	expect(await run([word])).toEqual({ code: 0, out: 'crowsnest 1.2.3\n', err: '' });
});

test('help prints the same as --help, for the program and for each command', async () => {
	expect(await run(['help'])).toEqual(await run(['--help']));
	for (const words of [['list'], ['billing', 'setup'], ['create'], ['monitor']]) {
		expect(await run(['help', ...words])).toEqual(await run([...words, '--help']));
	}
	const { code, err } = await run(['help', 'lst']);
	expect({ code, err }).toEqual({
		code: 2,
		err: 'crowsnest: No command lst. Did you mean list?\nSee crowsnest help --help\n',
	});
	expect(await run(['help', 'list', 'show'])).toMatchObject({ code: 2, out: '' });
});

test('a value may begin with a single dash, as a filter does that excludes a name', async () => {
	const seen: ParsedArgs[] = [];
	expect(await run(['say', '--times', '-name:test'], [sayer(seen)])).toMatchObject({ code: 2 });
	expect(seen[0]?.text('times')).toBe('-name:test');
});

test('a command gets its options and arguments', async () => {
	const seen: ParsedArgs[] = [];
	const { code } = await run(['say', 'a', '--loud', '-t', '3', 'b'], [sayer(seen)]);
	expect(code).toBe(0);
	const [given] = seen;
	expect(given?.positionals).toEqual(['a', 'b']);
	expect(given?.flag('loud')).toBe(true);
	expect(given?.flag('times')).toBe(false);
	expect(given?.wholeNumber('times', 1, 9)).toBe(3);
});

test.each([
	['90', 90],
	['90s', 90],
	['2m', 120],
	['1.5h', 5_400],
])('a number of seconds may be written as %s', async (text, seconds) => {
	const seen: ParsedArgs[] = [];
	await run(['say', '--times', text], [sayer(seen)]);
	expect(seen[0]?.seconds('times', 1, 86_400)).toBe(seconds);
	for (const refused of ['0', '1.5s', 'soon', '2d', '-3'])
		await run(['say', `--times=${refused}`], [sayer(seen)]);
	expect(seen).toHaveLength(6);
	for (const args of seen.slice(1))
		expect(() => args.seconds('times', 1, 86_400)).toThrow(
			'--times takes 1 to 86400 seconds, such as 90, 90s or 2m',
		);
});

test.each([
	[['shout'], 'No command shout'],
	[['say', '--quiet'], 'Unknown option --quiet.\n'],
	[['say', '--luod'], 'Unknown option --luod. Did you mean --loud?\n'],
	[['say', '-x'], 'Unknown option -x.\n'],
	[['say', '--loud=very'], '--loud takes no value, but got very\n'],
	[['say', '--times'], '--times needs a value: --times=N\n'],
	[['say', '--times', '--loud'], '--times needs a value: --times=N\n'],
	[['say', '--tone', 'nasal'], '--tone does not take nasal. It takes high, low\n'],
	[['say', '--tone=hihg'], '--tone does not take hihg. Did you mean high?\n'],
	[['say', '--words', 'a,c'], '--words does not take c. Did you mean a?\n'],
	[['say', '--times', '10'], '--times takes a whole number from 1 to 9'],
	[['say', '--times', 'two'], '--times takes a whole number from 1 to 9'],
])('the arguments %j are refused with the message “%s”', async (words, message) => {
	const { code, out, err } = await run(words, [sayer([])]);
	expect(code).toBe(2);
	expect(out).toBe('');
	expect(err).toContain(message);
});

test.each([
	[['--loud', 'say', 'a', '-t', '3'], ['a']],
	[['-t', '3', '--loud', 'say'], []],
	[['--times=3', '--loud', 'say', '--', '--a'], ['--a']],
])('options may come before the command, as in %j', async (words, rest) => {
	const seen: ParsedArgs[] = [];
	expect(await run(words, [...commands, sayer(seen)])).toMatchObject({ code: 0, err: '' });
	const [given] = seen;
	expect(given?.positionals).toEqual(rest);
	expect(given?.flag('loud')).toBe(true);
	expect(given?.wholeNumber('times', 1, 9)).toBe(3);
});

test('the name of the command is found after options, even when the name is misspelt', async () => {
	expect((await run(['--help', 'billing', 'setup'])).out).toMatch(/^crowsnest billing setup: /);
	expect((await run(['--profile', 'lst', 'lst'])).err).toContain(
		'No command lst. Did you mean list?',
	);
	expect((await run(['--quiet', 'list'])).err).toContain('Unknown option --quiet.');
});

test.each([[['--seed', '2', 'list']], [['list', '--seed', '2']]])(
	'the unknown option in %j is refused, and the message names the commands that have this option',
	async words => {
		const { code, err } = await run(words);
		expect(code).toBe(2);
		expect(err).toContain('list has no option --seed; it belongs to monitor, record');
		expect(err).toContain('crowsnest list --help');
	},
);

test('crowsnest --help says that the listed options are those of the monitor', async () => {
	expect((await run(['--help'])).out).toContain('\nOptions of monitor, the default command:\n');
	expect((await run(['list', '--help'])).out).toContain('\nOptions:\n');
});

test('an unknown value of an option is refused with the values that it takes', async () => {
	const { code, err } = await run(['--theme', 'pink']);
	expect(code).toBe(2);
	expect(err).toContain('--theme does not take pink. It takes dark, light');
});

test('a command refuses an argument that it does not take', async () => {
	expect(await run(['simulate', 'now'])).toMatchObject({ code: 2 });
});

test('an output that cannot be written is one line on stderr and the exit code 1', async () => {
	const stdout = new PassThrough();
	const stderr = new PassThrough();
	const exits: unknown[] = [];
	const exit = (code: number) => void exits.push(code);
	const host = { program: { stdout, stderr, exit }, version: '1.2.3' } as unknown as Host;
	await runCommandLine(host, commands, ['--version']);
	stdout.emit('error', Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
	expect(String(stderr.read())).toBe('crowsnest: Cannot write the output: no space left\n');
	stdout.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }));
	expect(stderr.read()).toBe(null);
	expect(exits).toEqual([1]);
});
