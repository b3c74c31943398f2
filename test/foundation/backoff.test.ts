import { describe, expect, test } from 'vitest';
import { backoffDelay, dueTimeAfter } from '../../source/foundation/backoff.ts';
import type { FailureKind } from '../../source/foundation/failure.ts';

const now = 1_000_000;

function waits(kind: FailureKind, times: number, random: number): readonly number[] {
	let delayMs: number | undefined;
	return Array.from({ length: times }, () => {
		delayMs = backoffDelay(delayMs, { kind }, () => random);
		return delayMs / 1000;
	});
}

describe('the wait after a failure', () => {
	test('doubles with each failure, up to a minute', () => {
		expect(waits('server', 8, 0)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
		expect(waits('server', 5000, 0).at(-1)).toBe(60);
	});

	test('is up to a quarter longer at random', () => {
		expect(waits('offline', 7, 1)).toEqual([1.25, 2.5, 5, 10, 20, 40, 75]);
	});

	test('is a minute already after the first failure if a retry cannot help', () => {
		expect(waits('denied', 2, 0)).toEqual([60, 60]);
	});

	test('grows to five minutes for a refused sign-in', () => {
		expect(waits('auth', 8, 0)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
	});

	test('is as long as the platform asks for, up to an hour', () => {
		const delayAfter = (retryAfter: number) =>
			backoffDelay(undefined, { kind: 'server', retryAfter }, () => 0);
		expect(delayAfter(30_000)).toBe(30_000);
		expect(delayAfter(86_400_000)).toBe(3_600_000);
	});
});

test('an action that last happened in the future is due now', () => {
	expect(dueTimeAfter(now - 10, 50, now)).toBe(now + 40);
	expect(dueTimeAfter(now + 10, 50, now)).toBeLessThan(now);
});
