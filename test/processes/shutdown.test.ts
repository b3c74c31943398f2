import { readdirSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childrenOf, isProcessRunning } from './running.ts';
import { registerSessions, type Session } from './session.ts';

const { open, folder } = registerSessions();

/** Opens the program under a shell that afterwards prints the state that the program left. */
async function openUnderShell(flags: string[] = []) {
	const session = open({ line: 'echo before; $PROGRAM; echo "status $?"; stty -a', flags });
	await session.sees('atlas-0000');
	return session;
}

async function expectGivenBack(session: Session) {
	await session.sees('-echoprt');
	const { screen, isCursorHidden, ...modes } = session.modes();
	expect({ screen, isCursorHidden }).toEqual({ screen: 'normal', isCursorHidden: false });
	expect(modes).toMatchObject({
		bracketedPasteMode: false,
		sendFocusMode: false,
		mouseTrackingMode: 'none',
		synchronizedOutputMode: false,
		wraparoundMode: true,
	});
	expect(session.text()).toMatch(/^before\n/);
	expect(session.text()).toMatch(/ icanon/);
	expect(session.text()).toMatch(/ echo /);
	expect(session.title()).toBe('');
}

test('Ctrl-C gives the screen back and prints the errors that were written while it was taken', async () => {
	const session = await openUnderShell(['--mouse']);
	await session.until('the title', () => session.title() === 'crowsnest: 1000');
	expect(session.modes()).toMatchObject({
		screen: 'alternate',
		isCursorHidden: true,
		bracketedPasteMode: true,
		sendFocusMode: true,
		mouseTrackingMode: 'vt200',
		wraparoundMode: false,
	});
	await session.press('W');
	expect(session.text()).toContain('typed W');
	expect(session.text()).not.toContain('written beside');
	session.press('\u0003');
	await expectGivenBack(session);
	expect(session.text()).toContain('status 0');
	expect(session.text()).toContain('written beside the screen');
});

// A hang-up does not always mean that the terminal is gone.
test.each(['SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGABRT'] as const)(
	'%s gives the terminal back, and the shell sees that the signal ended the program',
	async signal => {
		const session = await openUnderShell(['--mouse']);
		process.kill(childrenOf(session.pty.pid)[0] ?? 0, signal);
		await expectGivenBack(session);
		expect(session.text()).toContain(`status ${128 + constants.signals[signal]}`);
	},
);

test('after an uncaught exception the program prints the error and the path of the crash report', async () => {
	const session = await openUnderShell();
	session.press('E');
	await expectGivenBack(session);
	expect(session.text()).toContain('crowsnest stopped because of a bug: thrown on purpose');
	expect(session.text()).toContain('status 1');
	const reports = readdirSync(folder()).filter(name => name.startsWith('crash-'));
	const report = join(folder(), reports.at(-1) ?? '');
	expect(session.text().replaceAll('\n', '')).toContain(report);
	expect(statSync(report).mode & 0o777).toBe(0o600);
	expect(readFileSync(report, 'utf8')).toContain('Error: thrown on purpose');
});

test('closing the terminal ends the program, even when SIGHUP is ignored', async () => {
	const session = open({ line: "trap '' HUP; exec $PROGRAM", flags: ['--calm'] });
	await session.sees('atlas-0000');
	const { pid } = session.pty;
	(session.pty as unknown as { destroy(): void }).destroy();
	await session.until('its end', () => !isProcessRunning(pid));
});
