import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Session, sessionsOf } from './session.ts';

const { open } = sessionsOf();

/** Redraws the whole screen again and again: several kilobytes each time. */
async function drawOften(session: Session, count: number) {
	for (let time = 0; time < count; time++) {
		session.press('\u000C');
		await sleep(4);
	}
}

function isGone(pid: number): boolean {
	try {
		// A process that has ended but was not waited for is a zombie.
		return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
	} catch {
		return true;
	}
}

test('a terminal that stops reading delays neither signals nor the exit, and gets the newest frame when it reads again', async () => {
	const session = open({ flags: ['--calm'] });
	await session.sees('q quit');
	for (let page = 1; page <= 10; page++) {
		await session.press('\u001B[6~');
		expect(session.text()).toContain(`-${String(page * 18).padStart(4, '0')}`);
	}

	session.pty.pause();
	await drawOften(session, 60);
	const before = session.received().length;
	const newest = session.press('gjjj');
	session.pty.resume();
	await newest;
	expect(session.text()).toContain('❯ draco-0003');
	// The received output consists of the text in the pty, the frame that was cut off, and the newest frame.
	expect(session.received().length - before).toBeLessThan(60_000);

	session.pty.pause();
	await drawOften(session, 60);
	process.kill(session.pty.pid, 'SIGTERM');
	await session.until('its end', () => isGone(session.pty.pid));
});
