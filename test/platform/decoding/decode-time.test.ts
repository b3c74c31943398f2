import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { timeFrom } from '../../../source/platform/decoding/decode.ts';

const time = Date.UTC(2026, 10, 21, 8);

beforeEach(() => {
	vi.stubEnv('TZ', 'America/New_York');
	onTestFinished(() => void vi.unstubAllEnvs());
	expect(new Date(time).getHours()).toBe(3);
});

test.each([
	['an ISO date', '2026-11-21T08:00:00Z'],
	['an ISO date with milliseconds', '2026-11-21T08:00:00.000Z'],
	['an ISO date of another time zone', '2026-11-21T10:00:00+02:00'],
	['an ISO date without a zone', '2026-11-21T08:00:00'],
	['an ISO date with parts of seconds', '2026-11-21T08:00:00.000000'],
	['an ISO date without seconds', '2026-11-21T08:00'],
	['a date from a database', ' 2026-11-21 08:00:00'],
	['a date from a database with its zone', '2026-11-21 08:00:00+00'],
	['an HTTP date', 'Sat, 21 Nov 2026 08:00:00 GMT'],
	['a date as the Unix command prints it', 'Sat Nov 21 03:00:00 EST 2026'],
	['Unix seconds', time / 1000],
	['Unix milliseconds', String(time)],
])('the client reads %s as the same time in every local time zone', (_, value) => {
	expect(timeFrom(value)).toBe(time);
});

test('the client reads a date without a time of day as UTC', () => {
	expect(timeFrom('2026-11-21')).toBe(Date.UTC(2026, 10, 21));
});

test.each([null, undefined, '', 'soon', '08:00:00', '1970-01-01T00:00:00', {}, -1, 1e20])(
	'the client reads no time from the value %j',
	value => {
		expect(timeFrom(value)).toBe(value === null ? null : undefined);
	},
);
