import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';
import {
	createPasswordSource,
	PasswordError,
	passwordFromCommand,
} from '../../source/accounts/password-source.ts';
import type { PasswordCommand } from '../../source/accounts/setting-values.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';

const { signal } = new AbortController();
const refused = { message: 'Invalid login credentials' };

test('every sign-in reads the configured password, and no person is asked', async () => {
	const own = vi.fn(async () => 'own');
	const ask = vi.fn(async () => 'typed');
	const source = createPasswordSource({ configured: { read: own }, ask });
	expect([await source(signal), await source(signal)]).toEqual(['own', 'own']);
	expect(own).toHaveBeenCalledTimes(2);
	expect(ask).not.toHaveBeenCalled();
});

test('after a refused password, a person is asked for another one and told the reason', async () => {
	const own = vi.fn(async () => 'own');
	const ask = vi.fn(async () => 'typed');
	const source = createPasswordSource({ configured: { read: own }, ask });
	await source(signal);
	expect(await source(signal, refused)).toBe('typed');
	expect(ask).toHaveBeenCalledExactlyOnceWith(signal, 'Invalid login credentials');
	expect(await source(signal)).toBe('typed');
	expect(own).toHaveBeenCalledOnce();
});

test('a typed password is remembered until the platform refuses it', async () => {
	const ask = vi.fn(async () => `typed-${ask.mock.calls.length}`);
	const source = createPasswordSource({ ask });
	expect([await source(signal), await source(signal)]).toEqual(['typed-1', 'typed-1']);
	expect(await source(signal, refused)).toBe('typed-2');
	expect(await source(signal)).toBe('typed-2');
});

test('the message says what to do if no person can be asked, and a refused password is not sent again', async () => {
	await expect(createPasswordSource({})(signal)).rejects.toThrow(/set CROWSNEST_PASSWORD/);
	const own = vi.fn(async () => 'own');
	const source = createPasswordSource({
		configured: { read: own, origin: 'CROWSNEST_PASSWORD', advice: 'Correct it' },
	});
	await source(signal);
	const refusal = {
		message: 'the password from CROWSNEST_PASSWORD was refused: Invalid login credentials',
		advice: 'Correct it',
	};
	await expect(source(signal, refused)).rejects.toMatchObject(refusal);
	await expect(source(signal, refused)).rejects.toMatchObject(refusal);
	expect(own).toHaveBeenCalledOnce();
});

test('a password command that failed runs again at the next sign-in', async () => {
	const own = vi.fn(async () => 'own').mockRejectedValueOnce(new Error('locked'));
	const source = createPasswordSource({ configured: { read: own } });
	await expect(source(signal)).rejects.toThrow('locked');
	expect(await source(signal)).toBe('own');
});

test('a person learns which password was refused: that of the environment, or the typed one', async () => {
	const typed = ['wrong', 'right'];
	const ask = vi.fn(async () => typed.shift() ?? '');
	const source = createPasswordSource({
		configured: { read: async () => 'own', origin: 'the passwordCommand' },
		ask,
	});
	await source(signal);
	await source(signal, refused);
	expect(await source(signal, refused)).toBe('right');
	expect(ask.mock.calls).toEqual([
		[
			signal,
			'the password from the passwordCommand was refused: Invalid login credentials. ' +
				'Type the right one, and correct the passwordCommand',
		],
		[signal, 'Invalid login credentials'],
	]);
});

test('the password that was just refused is not sent again, until the person has declined once', async () => {
	const typed = ['wrong', 'wrong', 'wrong', 'other'];
	const ask = vi.fn(async () => typed.shift() ?? Promise.reject(new PasswordError('declined')));
	const source = createPasswordSource({ ask });
	expect(await source(signal)).toBe('wrong');
	expect(await source(signal, refused)).toBe('other');
	expect(ask).toHaveBeenCalledTimes(4);
	expect(ask).toHaveBeenLastCalledWith(signal, expect.stringContaining('the same password'));
	await expect(source(signal, refused)).rejects.toThrow('Invalid login credentials');
	typed.push('other');
	expect(await source(signal, refused)).toBe('other');
});

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
		'did not start: no such file or directory',
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
	await expect(run({ shell: 'kill -TERM $$' }).password).rejects.toThrow('was ended by SIGTERM');
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
	const ended = expect(password).rejects.toThrow(
		'took longer than 30 s and was ended: touch the key',
	);
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

const about = { profile: 'work', email: 'owner@example.com', host: 'id.example.com' };
const never = () => new AbortController().signal;

function openRequest() {
	const created = createPasswordRequest(about);
	const listener = vi.fn();
	const unsubscribe = created.subscribe(listener);
	return { request: created, listener, unsubscribe };
}

test('a sign-in gets the password that was typed into the dialog', async () => {
	const { request, listener } = openRequest();
	expect(request.prompt()).toBeUndefined();
	const password = request.ask(never(), 'Invalid login credentials');
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid login credentials' });
	expect(request.prompt()).toBe(request.prompt());
	expect(listener).toHaveBeenCalledOnce();
	request.submit('hunter2');
	expect(await password).toBe('hunter2');
	expect(request.prompt()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	expect(JSON.stringify(request)).not.toContain('hunter2');
});

test('a closed password dialog stays closed until a person opens it', async () => {
	const { request } = openRequest();
	const first = request.ask(never());
	request.cancel();
	await expect(first).rejects.toThrow('no password was given');
	await expect(request.ask(never())).rejects.toThrow('no password was given');
	expect(request.prompt()).toBeUndefined();
	request.open();
	expect(request.prompt()).toEqual(about);
	const next = request.ask(never());
	request.submit('typed');
	expect(await next).toBe('typed');
});

test('a password that was typed before a sign-in is used for the next sign-in, and only once', async () => {
	const { request } = openRequest();
	request.open();
	request.submit('typed');
	expect(request.prompt()).toBeUndefined();
	expect(await request.ask(never())).toBe('typed');
	await expect(request.ask(never())).rejects.toThrow('no password was given');
});

test('the dialog asks again after a refused password, and says why', async () => {
	const { request } = openRequest();
	const first = request.ask(never());
	request.submit('wrong');
	await first;
	const second = request.ask(never(), 'Invalid login credentials');
	expect(request.prompt()).toMatchObject({ ...about, problem: 'Invalid login credentials' });
	request.submit('right');
	expect(await second).toBe('right');
});

test('the dialog counts the refused passwords with the time of the last one, until a sign-in succeeds', async () => {
	let now = 1_000;
	const request = createPasswordRequest(about, { now: () => now });
	void request.ask(never(), 'the command failed');
	expect(request.prompt()).toEqual({ ...about, problem: 'the command failed' });
	for (const refusedCount of [1, 2]) {
		request.submit('wrong');
		now += 1_000;
		void request.ask(never(), 'Invalid');
		expect(request.prompt()).toEqual({
			...about,
			problem: 'Invalid',
			refusedCount,
			refusedAt: now,
		});
	}
	request.submit('right');
	request.reportAccepted();
	void request.ask(never(), 'Invalid').catch(() => {});
	request.open();
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid' });
});

test('the dialog does not open by itself when a password is refused that was accepted before', async () => {
	const { request } = openRequest();
	const first = request.ask(never());
	request.submit('right');
	await first;
	request.reportAccepted();
	await expect(request.ask(never(), 'Invalid login credentials')).rejects.toThrow();
	expect(request.prompt()).toBeUndefined();
	request.open();
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid login credentials' });
});

test('the dialog does not open by itself while a person uses the table', async () => {
	const request = createPasswordRequest(about, { mayOpenByItself: () => false });
	await expect(request.ask(never())).rejects.toThrow('no password was given');
	expect(request.prompt()).toBeUndefined();
});

test('the dialog closes when the sign-in is aborted', async () => {
	const { request, listener } = openRequest();
	const controller = new AbortController();
	const password = request.ask(controller.signal);
	controller.abort();
	await expect(password).rejects.toThrow('no password was given');
	expect(request.prompt()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	await expect(request.ask(controller.signal)).rejects.toThrow();
});

test('the password dialog ignores a password that is submitted while the dialog is closed', async () => {
	const { request, listener, unsubscribe } = openRequest();
	request.submit('stray');
	const password = request.ask(never());
	request.submit('meant');
	expect(await password).toBe('meant');
	unsubscribe();
	listener.mockClear();
	request.cancel();
	expect(listener).not.toHaveBeenCalled();
});

test('the password dialog ignores an aborted sign-in after the password was submitted', async () => {
	const { request } = openRequest();
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
});
