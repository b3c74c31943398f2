import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';
import {
	createPasswordSource,
	PasswordError,
	passwordFromCommand,
} from '../../source/accounts/password-source.ts';
import type { PasswordCommand } from '../../source/accounts/setting-values.ts';
import type { SessionTable } from '../../source/session/session-table.ts';
import { joinPasswordRequests } from '../../source/session/sign-in-request.ts';
import { createHeldClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/state-directory.ts';

const never = () => new AbortController().signal;
const refused = { message: 'Invalid login credentials' };

const refusedOwn = 'the password from the variable was refused: Invalid login credentials';

type Row = {
	/** What the variable and a person give, one after another. */
	own: readonly string[];
	typed: readonly string[];
	/** What each sign-in gets; one that follows a refusal is marked. */
	given: readonly string[];
	/** Why a person was asked. */
	asked: readonly unknown[];
};

test.each<[string, Row]>([
	[
		'a configured password is read at each sign-in, and nobody is asked',
		{ own: ['one', 'two'], typed: ['typed'], given: ['one', 'two'], asked: [] },
	],
	[
		'a refused configured password is never read again: a person is told which it was, and types another',
		{
			own: ['own'],
			typed: ['typed', 'right'],
			given: ['own', '✖ typed', 'typed', '✖ right', 'right'],
			asked: [
				`${refusedOwn}. Type the right one, and correct the variable`,
				'Invalid login credentials',
			],
		},
	],
	[
		'a refused configured password stays refused where nobody can be asked',
		{
			own: ['own'],
			typed: [],
			given: ['own', `✖ ${refusedOwn}`, `✖ ${refusedOwn}`],
			asked: [expect.any(String), expect.any(String)],
		},
	],
	[
		'the password that was just refused is not sent again, until the person has declined once',
		{
			own: [],
			typed: ['wrong', 'wrong', 'other', '', 'other'],
			given: ['wrong', '✖ other', `✖ ${refused.message}`, '✖ other'],
			asked: [
				undefined,
				refused.message,
				expect.stringContaining('same password'),
				refused.message,
				refused.message,
			],
		},
	],
])('%s', async (_, { own, typed, given, asked }) => {
	const answers = { own: [...own], typed: [...typed] };
	const problems: unknown[] = [];
	const configured = { origin: 'the variable', read: async () => answers.own.shift() ?? '' };
	const source = createPasswordSource({
		configured: own.length > 0 ? configured : undefined,
		async ask(_signal, problem) {
			problems.push(problem);
			return answers.typed.shift() || Promise.reject(new PasswordError('declined'));
		},
	});
	for (const each of given) {
		const password = source(never(), each.startsWith('✖') ? refused : undefined);
		expect(await password.catch(({ message }) => message)).toBe(each.replace('✖ ', ''));
	}
	expect(problems).toEqual(asked);
});

test('without a password and without a person, the message says what to do; a command that failed runs again', async () => {
	await expect(createPasswordSource({})(never())).rejects.toThrow(/set CROWSNEST_PASSWORD/);
	const read = vi.fn(async () => 'own').mockRejectedValueOnce(new Error('locked'));
	const source = createPasswordSource({ configured: { read } });
	await expect(source(never())).rejects.toThrow('locked');
	expect(await source(never())).toBe('own');
});

function run(
	command: PasswordCommand,
	environment: Record<string, string> = {},
	terminal: 'none' | 'shared' = 'shared',
) {
	const clock = createHeldClock();
	const controller = new AbortController();
	const password = passwordFromCommand(
		{
			command,
			environment: { PATH: process.env['PATH'], ...environment },
			terminal,
			timeoutMs: 30_000,
			signal: controller.signal,
		},
		{ spawn, kill: process.kill.bind(process), clock },
	);
	return { password, clock, controller };
}

test.each<[string, PasswordCommand, string]>([
	['the first line, unchanged', ['printf', ' pass word \\nurl: example\\n'], ' pass word '],
	['a line without an end', ['printf', 'no end'], 'no end'],
	['a line with a carriage return', ['printf', 'carriage\\r\\n'], 'carriage'],
	['text in UTF-8', ['printf', 'pässwörd'], 'pässwörd'],
	['an argument that no shell reads', ['echo', '$SECRET; $(id)'], '$SECRET; $(id)'],
	['a script of a shell', { shell: 'printf "%s\\n" "$NAME" | tr a-z A-Z' }, 'LOUD'],
	['a command with an empty stdin', { shell: 'cat; echo end' }, 'end'],
	['a command with a warning', { shell: 'echo warning >&2; echo good' }, 'good'],
])('a password command gives %s', async (_, command, password) => {
	expect(await run(command, { NAME: 'loud' }).password).toBe(password);
});

test.each<[PasswordCommand, string]>([
	[['echo hello'], 'did not start: no such file or directory'],
	[{ shell: 'echo "it is locked" >&2; exit 3' }, 'ended with code 3: it is locked'],
	[{ shell: 'echo warning >&2' }, 'printed nothing: warning'],
	[{ shell: 'kill -TERM $$' }, 'was ended by SIGTERM'],
	[{ shell: 'head -c 1100000 /dev/zero | tr "\\0" x' }, 'printed too much'],
	[{ shell: 'echo hunter22; echo "I said hunter22" >&2; exit 1' }, 'ended with code 1: I said …'],
])('the password command %j fails: it %s', async (command, message) => {
	await expect(run(command).password).rejects.toThrow(`the password command ${message}`);
});

test('no part of the password is quoted where the stderr of its command is cut', async () => {
	const words = (shell: string) => run({ shell }).password.catch(({ message }) => String(message));
	const password = 'correct-horse-battery';
	// The last 500 characters begin within the password; what is read of stderr ends within it.
	const early = `echo ${password}; printf 'x%s%0480d' ${password} 0 >&2; exit 1`;
	const late = `echo ${password}; printf '%065526d%s' 0 ${password} >&2; exit 1`;
	for (const shell of [early, late]) expect(await words(shell)).not.toMatch(/battery|correct/);
});

const pause = () => new Promise(resolve => setTimeout(resolve, 20));

test('a password command that takes too long is ended, and the message quotes its stderr', async () => {
	const sign = join(temporaryFolder(), 'said');
	const { password, clock } = run({ shell: `echo "touch it" >&2; touch ${sign}; exec sleep 60` });
	const ended = expect(password).rejects.toThrow('took longer than 30 s and was ended: touch it');
	while (!existsSync(sign)) await pause();
	await pause();
	clock.move(30_000);
	await ended;
	expect(clock.waiting).toBe(0);
});

test.each(['none', 'shared'] as const)(
	'a password command with the terminal access “%s” gets no secret in its environment',
	async terminal => {
		const secrets = ['CROWSNEST_PASSWORD', 'CROWSNEST_TOKEN', 'CROWSNEST_ANON_KEY'];
		const environment = Object.fromEntries(secrets.map(name => [name, 'secret']));
		const command = ['sh', '-c', 'env | sort | tr "\\n" " "'];
		const { password } = run(command, { ...environment, CROWSNEST_PROFILE: 'kept' }, terminal);
		expect(await password).toContain('CROWSNEST_PROFILE=kept');
		expect(await password).not.toContain('secret');
	},
);

const about = { profile: 'work', email: 'owner@example.com', host: 'id.example.com' };

function openRequest(mayOpenByItself = true) {
	let now = 1_000;
	return createPasswordRequest(about, {
		mayOpenByItself: () => mayOpenByItself,
		now: () => ++now,
	});
}

const noPassword = 'no password was given';

test('a sign-in gets the password that was typed into the dialog, which keeps none', async () => {
	const request = openRequest();
	const listener = vi.fn();
	onTestFinished(request.subscribe(listener));
	request.submit('stray');
	const password = request.ask(never(), 'Invalid');
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid' });
	expect(listener).toHaveBeenCalledOnce();
	request.submit('hunter2');
	expect(await password).toBe('hunter2');
	expect(request.prompt()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	expect(JSON.stringify(request)).not.toContain('hunter2');
});

test('a password that was typed before a sign-in is used for the next sign-in, and only once', async () => {
	const request = openRequest();
	request.open();
	request.submit('typed');
	expect(await request.ask(never())).toBe('typed');
	await expect(request.ask(never())).rejects.toThrow(noPassword);
	await expect(openRequest(false).ask(never())).rejects.toThrow(noPassword);
});

test('the dialog asks again after a refused password and counts them, until a sign-in succeeds', async () => {
	const request = openRequest();
	void request.ask(never(), 'the command failed');
	for (const refusedCount of [1, 2]) {
		request.submit('wrong');
		void request.ask(never(), 'Invalid').catch(() => {});
		const refusedAt = 1_000 + refusedCount;
		expect(request.prompt()).toEqual({ ...about, problem: 'Invalid', refusedCount, refusedAt });
	}
	request.submit('right');
	request.reportAccepted();
	// The platform refuses what it accepted before: the dialog does not open by itself.
	await expect(request.ask(never(), 'Invalid')).rejects.toThrow(noPassword);
	expect(request.prompt()).toBeUndefined();
	request.open();
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid' });
});

test('the dialog closes when its sign-in is aborted, and only then', async () => {
	const request = openRequest();
	const controller = new AbortController();
	const first = request.ask(controller.signal);
	request.submit('one');
	expect(await first).toBe('one');
	request.open();
	const second = request.ask(never());
	controller.abort();
	expect(request.prompt()).toEqual(about);
	request.submit('two');
	expect(await second).toBe('two');
	request.open();
	const third = new AbortController();
	const password = request.ask(third.signal);
	third.abort();
	await expect(password).rejects.toThrow(noPassword);
	expect(request.prompt()).toBeUndefined();
});

test('of two accounts, the dialog that opened first stays, and takes the letters that are typed', async () => {
	const [work, lab] = [openRequest(), openRequest()];
	const sessions = [{ passwordRequest: work }, { passwordRequest: lab }];
	const table = { all: () => sessions, follow: () => () => {} } as unknown as SessionTable;
	const joined = joinPasswordRequests(table);
	const ofLab = lab.ask(never());
	expect(joined.prompt()).toBeDefined();
	const ofWork = work.ask(never());
	joined.submit('for lab');
	joined.submit('for work');
	expect(await Promise.all([ofWork, ofLab])).toEqual(['for work', 'for lab']);
});
