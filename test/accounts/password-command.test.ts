import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PasswordError, passwordFromCommand } from '../../source/accounts/password-source.ts';
import type { PasswordCommand } from '../../source/accounts/setting-values.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';

const effectsAt = (clock: HeldClock) => ({ spawn, kill: process.kill.bind(process), clock });

function run(command: PasswordCommand, more: Record<string, string> = {}) {
	const clock = createHeldClock();
	const controller = new AbortController();
	const environment = { PATH: process.env['PATH'], ...more };
	const { signal } = controller;
	const password = passwordFromCommand(
		{ command, environment, terminal: 'shared', timeoutMs: 30_000, signal },
		effectsAt(clock),
	);
	return { password, clock, controller };
}

test('the password is the first line of the command’s output, unchanged', async () => {
	const printed = ['printf', ' pass word \\nurl: example\\n'];
	expect(await run(printed).password).toBe(' pass word ');
	expect(await run(['printf', 'no end']).password).toBe('no end');
	expect(await run(['printf', 'carriage\\r\\n']).password).toBe('carriage');
	expect(await run(['printf', 'pässwörd']).password).toBe('pässwörd');
});

test('the password command runs without a shell unless one is configured', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-shell-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	expect(await run(['echo', '$SECRET;', '$(id)', `> ${folder}/x`]).password).toBe(
		`$SECRET; $(id) > ${folder}/x`,
	);
	await expect(run(['echo hello']).password).rejects.toThrow(
		'cannot be run: there is no such program',
	);
	const shell = { shell: 'printf "%s\\n" "$SECRET" | tr a-z A-Z' };
	expect(await run(shell, { SECRET: 'loud' }).password).toBe('LOUD');
});

test('the message about a failed password command quotes its stderr', async () => {
	const failing = { shell: 'echo "the store is locked" >&2; exit 3' };
	await expect(run(failing).password).rejects.toThrow(
		new PasswordError('the password command ended with code 3: the store is locked'),
	);
	await expect(run({ shell: 'echo warning >&2' }).password).rejects.toThrow(
		'printed nothing: warning',
	);
	await expect(run({ shell: 'kill -TERM $$' }).password).rejects.toThrow('ended with SIGTERM');
	expect(await run({ shell: 'echo warning >&2; echo good' }).password).toBe('good');
});

test('the message about a failed password command never contains the password that was printed', async () => {
	const chatty = { shell: 'echo hunter22; echo "I said hunter22" >&2; exit 1' };
	const error = await run(chatty).password.catch((reason: unknown) => reason);
	expect(String(error)).toContain('I said …');
	expect(String(error)).not.toContain('hunter22');
});

const pause = () => new Promise(resolve => setTimeout(resolve, 20));

test('a password command that takes too long is ended, and the message quotes its stderr', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-slow-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const sign = join(folder, 'said');
	const { password, clock } = run({
		shell: `echo "touch the key" >&2; touch ${sign}; exec sleep 60`,
	});
	const ended = expect(password).rejects.toThrow('took more than 30 s: touch the key');
	while (!existsSync(sign)) await pause();
	await pause();
	clock.move(30_000);
	await ended;
	expect(clock.waiting).toBe(0);
});

test('reading the password does not wait for processes that the command left running', async () => {
	const { password, clock } = run({ shell: 'echo good; sleep 5 & echo $! >&2' });
	let said = '';
	const ended = password.then(text => {
		said = text;
	});
	while (said === '') {
		clock.move(50);
		await pause();
	}
	await ended;
	expect(said).toBe('good');
});

test('a password command can be aborted before it starts and while it runs', async () => {
	const { password, controller, clock } = run(['sleep', '60']);
	controller.abort();
	await expect(password).rejects.toThrow('was cancelled');
	expect(clock.waiting).toBe(0);
	const { signal } = controller;
	const early = passwordFromCommand(
		{ command: ['sleep', '60'], environment: {}, terminal: 'shared', timeoutMs: 1, signal },
		effectsAt(clock),
	);
	await expect(early).rejects.toThrow(PasswordError);
});

test('a password command gets an empty stdin', async () => {
	expect(await run({ shell: 'cat; echo end' }).password).toBe('end');
});

test.each(['none', 'shared'] as const)(
	'a password command with the terminal access “%s” gets no password, token or key in its environment',
	async terminal => {
		const environment = {
			PATH: process.env['PATH'],
			CROWSNEST_PASSWORD: 'secret',
			CROWSNEST_TOKEN: 'secret',
			CROWSNEST_ANON_KEY: 'secret',
			CROWSNEST_PROFILE: 'kept',
		};
		const command = ['sh', '-c', 'env | sort | tr "\\n" " "'];
		const { signal } = new AbortController();
		const printed = await passwordFromCommand(
			{ command, environment, terminal, timeoutMs: 30_000, signal },
			effectsAt(createHeldClock()),
		);
		expect(printed).toContain('CROWSNEST_PROFILE=kept');
		expect(printed).not.toContain('secret');
	},
);

test('no part of the password is quoted where its stderr is cut', async () => {
	const words = (shell: string) => run({ shell }).password.catch(({ message }) => String(message));
	const password = 'correct-horse-battery';
	// The last 500 characters begin within the password.
	const early = `echo ${password}; printf 'x%s%0480d' ${password} 0 >&2; exit 1`;
	expect(await words(early)).not.toMatch(/battery|correct/);
	// What is read of stderr ends within the password.
	const late = `echo ${password}; printf '%065526d%s' 0 ${password} >&2; exit 1`;
	expect(await words(late)).not.toMatch(/battery|correct/);
});

test('a password command that prints more than a password store holds gives no password', async () => {
	const endless = { shell: 'head -c 1100000 /dev/zero | tr "\\0" x' };
	await expect(run(endless).password).rejects.toThrow('the password command printed too much');
});
