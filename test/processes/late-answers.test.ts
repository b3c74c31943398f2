import { expect, test } from 'vitest';
import { registerSessions, type Session } from './session.ts';

const { open } = registerSessions();

/** A shell in a terminal that answers late, as over a slow line. */
async function openInSlowTerminal(): Promise<Session> {
	const env = { ENV: '/dev/null', HISTFILE: '/dev/null' };
	const session = open({ shell: ['-i'], env, isSlowToAnswer: true });
	await session.sees('prompt>');
	session.pressInShell('$PROGRAM --calm\r');
	await session.sees('q quit');
	await session.until('the questions', () => session.unanswered().endsWith('c'));
	return session;
}

/** The emulator does not reply to the query for the background colour. */
function answer(session: Session) {
	session.press('\u001B]11;rgb:1e1e/1e1e/1e1e\u001B\\');
	session.answer();
}

async function expectCleanPrompt(session: Session) {
	await session.until('the prompt', () => /prompt>\s*$/.test(session.text().trimEnd()));
	// The shell would read late replies of the terminal before this input.
	session.pressInShell('echo still $((40 + 2))\r');
	await session.sees('still 42');
	expect(session.text()).toMatch(
		/^prompt> \S+.*--calm\n?.*\n?prompt> echo still \$\(\(40 \+ 2\)\)\nstill 42/s,
	);
	expect(session.text()).not.toMatch(/rgb|\^\[|\[\?/);
	expect(session.modes().screen).toBe('normal');
}

test('late replies of the terminal, and keys typed while the program waits for them, do not reach the shell', async () => {
	const session = await openInSlowTerminal();
	session.press('q');
	await session.until('the shell’s screen', () => session.modes().screen === 'normal');
	session.press('E');
	answer(session);
	await expectCleanPrompt(session);
	expect(session.text()).not.toContain('stopped because of a bug');
});

test('the program ends even if the terminal never replies', async () => {
	const session = await openInSlowTerminal();
	session.press('q');
	await session.until('the prompt', () => session.text().split('prompt>').length > 2);
	session.pressInShell('echo still $((40 + 2))\r');
	await session.sees('still 42');
});
