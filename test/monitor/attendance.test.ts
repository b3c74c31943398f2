import { expect, test } from 'vitest';
import { createAttendance, isWorthReporting } from '../../source/monitor/attendance.ts';
import { createHeldClock } from '../held-clock.ts';

const minute = 60_000;

test('a person counts as watching for five minutes after each key if the terminal does not report its focus', () => {
	const clock = createHeldClock();
	const attendance = createAttendance(clock);
	expect(attendance.attendedUntil()).toBe(clock.now() + 5 * minute);
	clock.move(4 * minute);
	attendance.noteKey();
	expect(attendance.attendedUntil()).toBe(clock.now() + 5 * minute);
});

test('the focus alone says whether a person watches if the terminal reports it', () => {
	const attendance = createAttendance(createHeldClock());
	attendance.noteFocus(false);
	attendance.noteKey();
	expect(attendance.attendedUntil()).toBe(Number.NEGATIVE_INFINITY);
	attendance.noteFocus(true);
	expect(attendance.attendedUntil()).toBe(Number.POSITIVE_INFINITY);
});

test('a key is reported after a pause, and otherwise only twice a minute', () => {
	const now = 1_000_000;
	expect(isWorthReporting(now + 5 * minute, now - 1, now)).toBe(true);
	expect(isWorthReporting(now + 5 * minute, now + 5 * minute - 1_000, now)).toBe(false);
	expect(isWorthReporting(now + 5 * minute, now + 4 * minute, now)).toBe(true);
	expect(isWorthReporting(now + minute, now + minute, now)).toBe(false);
});
