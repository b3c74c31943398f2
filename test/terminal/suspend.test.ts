import { expect, test } from 'vitest';
import { type Session, sessionsOf } from './session.ts';

const { open } = sessionsOf();

const ctrlZ = '\u001A';

/** A shell with job control, as a person has one; the program is started as a child of another one,
 *  as npm and npx do it. */
async function openUnderJobControl(): Promise<Session> {
	const session = open({ shell: ['-i'], env: { ENV: '/dev/null', HISTFILE: '/dev/null' } });
	await session.sees('prompt>');
	session.pressInShell('sh -c "$PROGRAM --calm; true"\r');
	await session.sees('q quit');
	return session;
}

async function expectSuspended(session: Session) {
	await session.until('the prompt', () => /Stopped.*\n(.*\n)*prompt>/.test(session.text()));
	expect(session.modes().screen).toBe('normal');
	session.pressInShell('echo still $((40 + 2))\r');
	await session.sees('still 42');
	expect(session.modes()).toMatchObject({ isCursorHidden: false, bracketedPasteMode: false });
}

test('Ctrl-Z hands the screen to the shell, and after `fg` the same screen is drawn again, in any new size', async () => {
	const session = await openUnderJobControl();
	const before = session.text();
	session.press(ctrlZ);
	await expectSuspended(session);
	session.pressInShell('fg\r');
	await session.until('the picture', () => session.text() === before);
	expect(session.modes()).toMatchObject({ screen: 'alternate', isCursorHidden: true });
	await session.press('H');
	expect(session.title()).toMatch(/^suspended resumed/);

	session.press(ctrlZ);
	await expectSuspended(session);
	session.resize(80, 12);
	session.pressInShell('fg\r');
	await session.sees('command  ?…');
	await session.press('j');
	const resized = session.text();
	expect(resized).toContain('❯ borealis-0001');
	await session.press('\x0c');
	expect(session.text()).toBe(resized);
});

test('the monitor draws the screen correctly after another process stopped and continued it', async () => {
	const session = await openUnderJobControl();
	const before = session.text();
	session.press(ctrlZ);
	await expectSuspended(session);
	session.pressInShell('kill -CONT %1; sleep 0.3; fg\r');
	await session.until('the picture', () => session.text() === before);
	await session.press('j');
	expect(session.text()).toContain('❯ borealis-0001');
});

test('Ctrl-Z without a shell that could continue the program resumes the program at once', async () => {
	const session = open({ flags: ['--calm'] });
	await session.sees('q quit');
	const before = session.text();
	session.press(ctrlZ);
	await session.until('the screen', () => session.received().includes('\u001B[?1049l'));
	await session.until('the picture', () => session.text() === before);
	await session.press('j');
	expect(session.text()).toContain('❯ borealis-0001');
});
