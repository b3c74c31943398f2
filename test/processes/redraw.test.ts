import { beforeAll, describe, expect, test } from 'vitest';
import { isProcessRunning } from './running.ts';
import { registerSessions, type Session } from './session.ts';

const { openShared } = registerSessions();

/** Redraws the whole screen again and again, which is more than the pty holds. */
async function drawOften(session: Session) {
	for (let time = 0; time < 60; time++) {
		session.press('\u000C');
		await new Promise(setImmediate);
	}
}

describe('the monitor', () => {
	let session: Session;

	beforeAll(async () => {
		session = openShared({ flags: ['--calm'] });
		await session.sees('q quit');
	});

	test('redraws a screen that other programs wrote on after Ctrl-L, and draws after a resize what Ctrl-L draws', async () => {
		await session.press('k');
		const before = session.text();
		session.terminal.write('\u001B[5;5Hnoise\u001B[9;1Hnoise');
		await session.sees('noise');
		await session.press('\u000C');
		expect(session.text()).toBe(before);

		for (const [columns, rows] of [
			[140, 30],
			[20, 7],
			[100, 24],
		] as const) {
			session.resize(columns, rows);
			const rule = '─'.repeat(columns);
			await session.until(`${columns}×${rows}`, () => session.text().split('\n')[2] === rule);
			// The frame of the resize may still be drawn.
			await session.press('k');
			const resized = session.text();
			await session.press('\u000C');
			expect(session.text()).toBe(resized);
		}
	});

	test('goes on at once after Ctrl-Z without a shell that could continue it', async () => {
		const before = session.text();
		session.press('\u001A');
		await session.until('the screen', () => session.received().includes('\u001B[?1049l'));
		await session.until('the picture', () => session.text() === before);
		await session.press('j');
		expect(session.text()).toContain('❯ borealis-0001');
	});

	test('delays neither signals nor its exit for a terminal that stops reading, which gets the newest frame when it reads again', async () => {
		for (let page = 1; page <= 10; page++) {
			await session.press('\u001B[6~');
			expect(session.text()).toContain(`-${String(page * 18).padStart(4, '0')}`);
		}

		// One frame of this size is larger than the buffer of the pty.
		session.resize(400, 200);
		await session.until('the size', () => session.text().split('\n')[2] === '─'.repeat(400));
		await session.press('g');
		const start = session.received().length;
		await session.press('\u000C');
		const frameLength = session.received().length - start;
		session.pty.pause();
		await drawOften(session);
		const before = session.received().length;
		const newest = session.press('jjj');
		session.pty.resume();
		await newest;
		expect(session.text()).toContain('❯ draco-0003');
		// The received output consists of the text in the pty, the frame that was cut off, and the newest frame.
		expect(session.received().length - before).toBeLessThan(10 * frameLength);

		session.pty.pause();
		await drawOften(session);
		process.kill(session.pty.pid, 'SIGTERM');
		await session.until('its end', () => !isProcessRunning(session.pty.pid));
	});
});
