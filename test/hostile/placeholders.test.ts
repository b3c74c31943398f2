import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
	type CommandValues,
	type OwnCommand,
	placeholderNames,
} from '../../source/fleet/operations/operation-row.ts';
import { runChild } from '../../source/foundation/children.ts';
import { shellCommandFrom } from '../../source/foundation/shell-words.ts';
import { failureOfChild } from '../../source/operations/command-runner.ts';
import { commandLineOf } from '../../source/operations/own-commands.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import { liveClock } from '../processes/live-clock.ts';

// A computer can have any name, and a platform can send any text. The programs below are real: they write what they
// received, and a value that was executed, split or taken for an option would leave a trace.

const hostileValues = (trace: string): readonly string[] => [
	`$(touch ${trace})`,
	`\`touch ${trace}\``,
	`"; touch ${trace}; echo "`,
	`'; touch ${trace}; echo '`,
	`a\ntouch ${trace}\n`,
	`a; touch ${trace}`,
	`a && touch ${trace} || touch ${trace}`,
	`a | tee ${trace}`,
	`a > ${trace}`,
	'--output=/etc/passwd',
	'-rf',
	'--',
	'-',
	'{id}',
	'{name}{address}',
	'$1 $* $CROWSNEST_COMPUTER_ID',
	`\${IFS}%s%n`,
	'a b\tc',
	'*',
	'~',
	'\\',
	'!!',
	'\u001B[31mred\u001B]0;title\u0007',
	'\u202Egnp.exe',
	'naïve 名前 🦩',
	'x'.repeat(4_000),
	' ',
];

const environment = {
	PATH: process.env['PATH'],
	HOME: '/root',
	CROWSNEST_PROFILE: 'work',
	CROWSNEST_PASSWORD: 'correct horse battery',
	CROWSNEST_TOKEN: 'token-of-the-account',
	CROWSNEST_ANON_KEY: 'anon-key-of-the-account',
	COPY_OF_THE_PASSWORD: 'correct horse battery',
};

const secretPattern = /correct horse|token-of-the|anon-key-of/;

function run(words: readonly string[], variables = {}, input?: string) {
	const effects = { spawn, kill: process.kill.bind(process), clock: liveClock };
	return runChild({ command: words, environment, variables, input }, effects);
}

const valuesWith = (text: string): CommandValues => {
	return { id: text, name: text, account: text, address: '10.0.0.1', url: 'https://example.com/' };
};

const wordsOf = (...words: readonly string[]) => ({ type: 'words', words }) as const;
const scriptOf = (script: string) => ({ type: 'shell', script }) as const;

/** Returns the command line of a command with these values, which must not be refused. */
function lineOf(program: OwnCommand['program'], values: CommandValues) {
	const result = commandLineOf({ name: 'tool', program }, values);
	if ('problem' in result) throw new Error(result.problem);
	return result.commandLine;
}

/** Returns why a command is refused; undefined if it is not. */
function problemWith(program: OwnCommand['program'], values: Partial<CommandValues>) {
	const result = commandLineOf({ name: 'tool', program }, { ...valuesWith('nova'), ...values });
	return 'problem' in result ? result.problem : undefined;
}

/** The program writes its arguments and its environment. One process receives all values. */
const reporter = 'process.stdout.write(JSON.stringify([process.argv.slice(2), process.env]))';

test('every value reaches a program as one whole argument, and is neither executed nor split nor read as an option', async () => {
	const here = temporaryFolder();
	const trace = join(here, 'trace');
	writeFileSync(join(here, 'reporter.cjs'), reporter);
	const values = hostileValues(trace);
	const program = wordsOf('tool', '--', '{id}', '{name}', '{account}', '{address}', '{url}');
	const lines = values.map(text => lineOf(program, valuesWith(text)).words);
	for (const [index, words] of lines.entries()) {
		const text = values[index] ?? '';
		expect(words).toEqual(['tool', '--', text, text, text, '10.0.0.1', 'https://example.com/']);
	}
	const { stdout } = await run([process.execPath, join(here, 'reporter.cjs'), ...lines.flat()]);
	const [received, inherited] = JSON.parse(stdout);
	expect(received).toEqual(lines.flat());
	expect(JSON.stringify(inherited)).not.toMatch(secretPattern);
	expect(inherited).toMatchObject({ HOME: '/root', CROWSNEST_PROFILE: 'work' });
	expect(existsSync(trace)).toBe(false);
});

test('a program finds the values in its environment as well, and no secret', async () => {
	const trace = join(temporaryFolder(), 'trace');
	const script = 'printf "%s\\0" "$CROWSNEST_COMPUTER_ID" "$CROWSNEST_COMPUTER_NAME"; env -0';
	const program = wordsOf('sh', '-c', script);
	for (const text of [`$(touch ${trace})`, 'PATH=/tmp\nLD_PRELOAD=x', 'a=b', 'x'.repeat(4_000)]) {
		const { words, variables } = lineOf(program, valuesWith(text));
		const [id, name, ...inherited] = (await run(words, variables)).stdout.split('\0');
		expect([id, name]).toEqual([text, text]);
		expect(inherited).toContain('CROWSNEST_COMPUTER_ADDRESS=10.0.0.1');
		expect(inherited.join()).not.toMatch(secretPattern);
		expect(inherited.some(line => line.startsWith('LD_PRELOAD'))).toBe(false);
	}
	expect(existsSync(trace)).toBe(false);
});

test('a program that does not use a value runs even if that value has a NUL character or half a character', async () => {
	const program = wordsOf('sh', '-c', 'printf "<%s>" "$CROWSNEST_COMPUTER_NAME"');
	async function outputFor(name: string) {
		const { variables } = lineOf(program, { ...valuesWith('nova'), name });
		return (await run(program.words, variables)).stdout;
	}
	expect(await outputFor('a\0b')).toBe('<>');
	expect(await outputFor('half \uD83E')).toBe('<half \uFFFD>');
});

test('a script gets every value in its parameters, its variables and its input, and runs none of them', async () => {
	const here = temporaryFolder();
	const [trace, report] = [join(here, 'trace'), join(here, 'report')];
	const script = `printf '%s\\0' "$1" "$2" "$3" "$4" "$5" "$CROWSNEST_COMPUTER_ID" "$CROWSNEST_COMPUTER_NAME" \\
		"$CROWSNEST_COMPUTER_ADDRESS" "$CROWSNEST_COMPUTER_URL" "$(cat)" "$(env | grep -cE 'correct horse|of-the-account')" >> ${report}`;
	const values = hostileValues(trace);
	for (const text of values) {
		const { words, variables, input } = lineOf(scriptOf(script), valuesWith(text));
		expect(await run(words, variables, input)).toMatchObject({ ending: { code: 0 }, stderr: '' });
	}
	const fields = readFileSync(report, 'utf8').split('\0');
	for (const [index, text] of values.entries()) {
		const record = fields.slice(index * 11, index * 11 + 11);
		const { address, url } = valuesWith(text);
		const json = JSON.stringify({ id: text, name: text, address, account: text, url });
		expect(record).toEqual([text, text, address, text, url, text, text, address, url, json, '0']);
	}
	expect(existsSync(trace)).toBe(false);
});

test('the text of a question is a command line that a shell splits into exactly the arguments that are run', async () => {
	const trace = join(temporaryFolder(), 'trace');
	const words = ['printf', '%s\\0', ...hostileValues(trace)];
	const line = shellCommandFrom(words);
	expect(line).not.toMatch(/\p{Cc}/u);
	const { stdout } = await run(['bash', '-c', line]);
	expect(stdout.split('\0').slice(0, -1)).toEqual(words.slice(2));
	expect(existsSync(trace)).toBe(false);
});

test('an answer is one whole argument of a program or a script, and takes the place of nothing but its own input', () => {
	const inputs = [{ name: 'branch', label: 'Branch' }];
	for (const text of hostileValues('trace')) {
		const lineWith = (program: OwnCommand['program']) =>
			commandLineOf(
				{ name: 'tool', program, inputs },
				valuesWith('{branch}'),
				new Map([['branch', text]]),
			);
		const line = lineWith(wordsOf('tool', '--', '{branch}', '{name}'));
		expect(line).toMatchObject({ commandLine: { words: ['tool', '--', text, '{branch}'] } });
		const words = ['/bin/sh', '-c', 'true', 'tool', '{branch}', '{branch}', '10.0.0.1', '{branch}'];
		expect(lineWith(scriptOf('true'))).toMatchObject({
			commandLine: { words: [...words, 'https://example.com/', text] },
		});
	}
});

test('a value that begins with a dash is refused unless "--" stands before it', () => {
	for (const name of ['id', 'name', 'account'] as const) {
		const dashed = { [name]: '-oProxyCommand=touch /tmp/x' };
		const value = `{${name}}`;
		expect(problemWith(wordsOf('tool', value), dashed)).toContain('begins with "-"');
		expect(problemWith(wordsOf('tool', value, '--'), dashed)).toContain('begins with "-"');
		expect(problemWith(wordsOf('tool', '--', value), dashed)).toBeUndefined();
	}
	// A value "--" must not count as the separator after which values may begin with a dash.
	const both = wordsOf('tool', '{id}', '{name}');
	expect(problemWith(both, { id: '--', name: '-x' })).toContain('its id');
});

test('a value with a NUL character is refused, because no program can receive it', () => {
	for (const name of placeholderNames) {
		if (name === 'address' || name === 'url') continue;
		const program = wordsOf('tool', '--', `{${name}}`);
		expect(problemWith(program, { [name]: 'a\0b' })).toContain('NUL');
		expect(problemWith(scriptOf('true'), { [name]: '\0' })).toContain('NUL');
	}
});

test('an address is passed on only if it is an IP address, and a URL only if it belongs to the web', () => {
	const connect = wordsOf('ssh', '--', '{address}');
	const names = ['', 'localhost', '-oProxyCommand=x', '10.0.0.1; id', '10.0.0', 'nova.example'];
	for (const address of names)
		expect(problemWith(connect, { address })).toBe('has no IP address that is known');
	for (const address of ['10.0.0.1', '2001:db8::1'])
		expect(problemWith(connect, { address })).toBeUndefined();
	const browse = wordsOf('open', '{url}');
	const files = ['', 'file:///etc/passwd', 'javascript:alert(1)', '-x'];
	for (const url of [...files, 'https://a b', 'https://a\nb'])
		expect(problemWith(browse, { url })).toContain('no public address');
	expect(problemWith(browse, { url: 'http://127.0.0.1:8080/a' })).toBeUndefined();
});

test('a shell opens only to an IP address or the name of a host, inside only as the account says, and never to an option or this machine', () => {
	const shell = { type: 'ssh' } as const;
	for (const address of ['8.8.8.8', '2001:db8::1', 'nova.example.com'])
		expect(lineOf(shell, { ...valuesWith('nova'), address }).words).toEqual(['ssh', '--', address]);
	const sshOptions = ['-l', 'root'];
	const inside = ['10.0.0.1', '172.31.0.9', '192.168.1.1', '::ffff:10.0.0.1', 'fd00::1'];
	const here = ['localhost', 'a.localhost', '127.0.0.1', '127.1', '0', '0x7f.1', '::1', '::'];
	const hostile = [
		'',
		'-oProxyCommand=x',
		'a b',
		'a;id',
		'$(id).com',
		'`id`',
		'x\ny',
		'fe80::1%$(id)',
	];
	for (const address of [...inside, '100.127.0.1', 'nova', 'nova.internal']) {
		expect(problemWith(shell, { address })).toContain('is internal: set [ssh]');
		const { words } = lineOf(shell, { ...valuesWith('nova'), address, sshOptions });
		expect(words).toEqual(['ssh', '-l', 'root', '--', address]);
	}
	for (const address of here)
		expect(problemWith(shell, { address, sshOptions })).toContain('the machine from which ssh');
	for (const address of [...hostile, 'root@host', 'host-', 'a'.repeat(300), 'a\0b.com'])
		expect(problemWith(shell, { address, sshOptions })).toBe('has no address that is known');
});

test('the message about a failed command quotes one clean line of any output', async () => {
	const script = "printf 'first\\n\\033]0;title\\007\\033[31mlast\\r\\n\\n' >&2; exit 3";
	const result = await run(['sh', '-c', script]);
	expect(failureOfChild(result, false)?.message).toBe('ended with code 3: last');
	const long = await run(['sh', '-c', "head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1"]);
	expect(failureOfChild(long, false)?.message.length).toBeLessThan(250);
});
