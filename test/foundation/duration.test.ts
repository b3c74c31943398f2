import { expect, test } from 'vitest';
import { roughDurationText } from '../../source/foundation/duration.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

test.each([
	[48 * second, '48 s'],
	[80 * second, '1 min 20 s'],
	[24 * minute + 5 * second, '24 min'],
	[24 * minute + 50 * second, '25 min'],
	[3 * hour + 12 * minute + 20 * second, '3 h 12 min'],
	[11 * hour + 12 * minute, '11 h'],
])('an estimate of %i ms is rounded to what is known of it: %s', (milliseconds, text) => {
	expect(roughDurationText(milliseconds)).toBe(text);
});
