import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { childrenOf } from './running.ts';
import { program, registerSessions, type Session } from './session.ts';

const { open, folder } = registerSessions();
const { simulator, signedIn } = registerLiveAccount({ computers: 7 });

/** Answers each question of the sign-in at the command line. */
async function answerSignInQuestions(session: Session) {
	const { baseUrl, authUrl, anonKey, email, password } = simulator();
	const answers = Object.entries({
		'Base URL': baseUrl,
		'Identity URL': authUrl,
		'Anon key': anonKey,
		'E-mail': email,
		Password: password,
	});
	for (const [question, answer] of answers) {
		await session.sees(question);
		expect(session.modes().screen).toBe('normal');
		session.pressInShell(`${answer}\r`);
	}
}

/** Expects only printable characters, line breaks and the bell. */
async function expectGivenBack(session: Session) {
	await session.sees('-echoprt');
	expect(session.text()).toMatch(/ icanon/);
	expect(session.text()).toMatch(/ echo /);
	expect(session.received()).toMatch(/^[\x20-\x7e\u00a0-\uffff\r\n\x07]+$/);
}

test('the spoken monitor greets a person and signs in, Ctrl-Z hands the terminal to the shell, and the key “q” gives the terminal back', async () => {
	const shell = {
		ENV: '/dev/null',
		HISTFILE: '/dev/null',
		CROWSNEST_STATE_DIR: join(folder(), 'first'),
		CROWSNEST_CONFIG_DIR: join(folder(), 'first-config'),
	};
	const session = open({ shell: ['-i'], env: shell, rows: 60 });
	await session.sees('prompt>');
	session.pressInShell(`${process.execPath} ${program} --screen-reader\r`);
	await session.sees('Welcome to crowsnest');
	await session.sees('l signs in, any other key closes this and acts.');
	await session.sees('24 computers, trouble first.');
	session.press('l');
	await answerSignInQuestions(session);
	await session.sees('crowsnest, watching default.');
	await session.sees('7 computers, trouble first.');
	expect(session.received()).toMatch(/Password \(not shown\): \r\nSigned in/);

	session.press('\x1a');
	await session.until('the prompt', () => /Stopped.*\n(.*\n)*prompt>/.test(session.text()));
	session.pressInShell('echo still $((40 + 2))\r');
	await session.sees('still 42');
	session.pressInShell('fg\r');
	await session.sees('Resumed.');
	session.press('j');
	await session.sees('2 of 7: borealis');
	session.press('q');
	await session.until('the prompt', () => /2 of 7: borealis[^>]*\nprompt>/.test(session.text()));
	session.pressInShell('echo "status $?"; stty -a\r');
	await expectGivenBack(session);
	expect(session.text()).toContain('status 0');
});

test('on a terminal that can only show lines the monitor speaks and only adds lines, and a signal makes it give the terminal back even in the middle of a line', async () => {
	const line = `echo before; ${process.execPath} ${program}; echo "status $?"; stty -a`;
	const lineTerminal = { INK_SCREEN_READER: 'true', TERM: 'dumb', LANG: 'C', LC_ALL: 'C' };
	const session = open({ line, env: { ...signedIn(), ...lineTerminal }, rows: 60 });
	await session.sees('Press the question mark for help');
	await session.press('/atl');
	expect(session.text()).toContain('Filter: atl');
	await session.press('\x7f');
	expect(session.text()).toContain('Filter: at\n');
	process.kill(childrenOf(session.pty.pid)[0] ?? 0, 'SIGTERM');
	await expectGivenBack(session);
	expect(session.text()).toMatch(/Filter: at\n(Terminated\n)?status 143/);
	// No line was written again.
	expect(session.received().match(/Press the question mark for help/g)).toHaveLength(1);
});
