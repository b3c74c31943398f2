import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pressUntil } from './deaf.ts';
import { program, type Session, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

const spoken = () => `${process.execPath} ${program} --demo --computers 7 --screen-reader`;

const env = () => ({ CROWSNEST_STATE_DIR: join(folder(), 'state') });

async function openUnderShell(more = '') {
	const line = `echo before; ${spoken()} ${more}; echo "status $?"; stty -a`;
	const session = open({ line, env: env(), rows: 60 });
	await session.sees('Press question mark for help');
	return session;
}

/** Matches output of only printable characters, line breaks and the bell. */
function expectOnlyText(session: Session) {
	expect(session.received()).toMatch(/^[\x20-\x7e\u00a0-\uffff\r\n\x07]+$/);
}

async function expectGivenBack(session: Session, status: number) {
	await session.sees('-echoprt');
	expect(session.text()).toContain(`status ${status}`);
	expect(session.text()).toMatch(/ icanon/);
	expect(session.text()).toMatch(/ echo /);
	expectOnlyText(session);
}

function programUnder(session: Session): number {
	const { pid } = session.pty;
	const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
	return Number(children.trim().split(' ')[0]);
}

test('the spoken monitor only adds lines, whatever keys are pressed, and gives the terminal back', async () => {
	const session = await openUnderShell();
	session.press('j');
	await session.sees('2 of 7: borealis');
	for (const key of '/atl') session.press(key);
	await session.sees('Filter: atl');
	session.press('\x7f');
	await session.sees('Filter: at\n');
	session.press('l');
	session.press('\r');
	await session.sees('1 of 7 computers match.');
	session.press('x');
	await session.sees('Stop it? y / n');
	await pressUntil(session, 'y', () => session.text().includes('Stopping atlas'));
	await session.sees('Stopping atlas in 4 s, Esc to cancel.');
	session.press('\x1b');
	await session.sees('Cancelled: atlas was not stopped');
	session.press('\x0c');
	await session.sees('1 of 1: atlas');
	session.press('?');
	await session.sees('control z: suspend; fg resumes.');
	session.press('q');
	await expectGivenBack(session, 0);
	// The lines that scrolled away are still there, so no line was overwritten.
	expect(session.received().match(/Press question mark for help/g)).toHaveLength(1);
});

test('a signal makes the spoken monitor give the terminal back, even in the middle of a line', async () => {
	const session = await openUnderShell();
	await session.press('/at');
	await session.sees('Filter: at');
	process.kill(programUnder(session), 'SIGTERM');
	await expectGivenBack(session, 143);
	expect(session.text()).toMatch(/Filter: at\n(Terminated\n)?status/);
});

test('Ctrl-Z in the spoken monitor hands the terminal to the shell, and fg continues the monitor', async () => {
	const shell = { ...env(), ENV: '/dev/null', HISTFILE: '/dev/null' };
	const session = open({ shell: ['-i'], env: shell, rows: 60 });
	await session.sees('prompt>');
	session.pressInShell(`${spoken()}\r`);
	await session.sees('Press question mark for help');
	session.press('\x1a');
	await session.until('the prompt', () => /Stopped.*\n(.*\n)*prompt>/.test(session.text()));
	session.pressInShell('echo still $((40 + 2))\r');
	await session.sees('still 42');
	session.pressInShell('fg\r');
	await session.sees('Resumed.');
	session.press('j');
	await session.sees('2 of 7: borealis');
	expectOnlyText(session);
});

test('the monitor speaks on a terminal that can only show lines', async () => {
	const session = open({
		line: `INK_SCREEN_READER=true TERM=dumb ${process.execPath} ${program} --demo --computers 7`,
		env: { ...env(), LANG: 'C', LC_ALL: 'C' },
	});
	await session.sees('Press question mark for help');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
	expect(session.received()).toMatch(/^[\x20-\x7e\r\n\x07]+$/);
});
