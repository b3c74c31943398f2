import { describe, expect, test, vi } from 'vitest';
import type { ScopeUsage } from '../../source/fleet/fact.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import { durationText } from '../../source/foundation/duration.ts';
import {
	estimateSendingTime,
	overdueText,
	usualDurationIfSlow,
	usualDurationOf,
} from '../../source/operations/why-not.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { accountAfter, operationFacts } from '../arbitraries/sample-facts.ts';
import { minute, second } from '../durations.ts';
import { rowId } from '../opened-account.ts';
import { openOperations } from './open-operations.ts';

test('a duration is written with at most two units', () => {
	const times = [0, 999, 48_000, 80_000, 720_000, 11_520_000, 532_800_000, -5];
	expect(times.map(durationText).join(', ')).toBe(
		'0 s, 0 s, 48 s, 1 min 20 s, 12 min, 3 h 12 min, 6 d 4 h, 0 s',
	);
});

describe('the duration of an operation', () => {
	function stopUnderWay() {
		const spec = { key: 'k', operation: 'stop', computer: 'sb_1' };
		const facts = operationFacts(spec, { queued: 0, sent: second, accepted: 2 * second });
		const stop = accountAfter(...facts).operations.get('k');
		if (!stop) throw new Error('no operation');
		return stop;
	}

	const ended = (took: number, key: string, operation: OperationId = 'stop') =>
		operationFacts(
			{ key, operation, computer: `sb_${key}` },
			{ queued: 0, sent: 5 * minute, done: 5 * minute + took },
		);

	test('is reported only when it exceeds a limit', () => {
		const stop = stopUnderWay();
		expect(overdueText(stop, 61 * second)).toBeUndefined();
		expect(overdueText(stop, 62 * second)).toBe('still stopping after 1 min 1 s');
	});

	test('is usually the median of the last twenty, without the time in the queue', () => {
		const facts = [9, 10, 11, 500].flatMap(took => ended(took * second, `k${took}`));
		const { changes } = accountAfter(...facts, ...ended(1, 'other', 'start'));
		expect(usualDurationOf(changes, 'stop')).toBe(10 * second);
		expect(usualDurationOf(changes, 'restart')).toBeUndefined();
		const many = Array.from({ length: 20 }, (_, n) => ended(3 * second, `m${n}`)).flat();
		const later = accountAfter(...facts, ...many);
		expect(usualDurationOf(later.changes, 'stop')).toBe(3 * second);
		const stop = stopUnderWay();
		expect(usualDurationIfSlow(stop, changes, 15 * second)).toBeUndefined();
		expect(usualDurationIfSlow(stop, changes, 17 * second)).toBe(10 * second);
	});

	test('includes the wait for free slots when a batch exceeds the slots', () => {
		const timeOf = (count: number, other: ScopeUsage) =>
			estimateSendingTime(count, 'other', { create: other, status: other, other }, 0);
		const slots = { limit: 30, spent: 20 };
		expect(timeOf(10, slots)).toBe(0);
		expect(timeOf(40, slots)).toBe(61 * second);
		expect(timeOf(40, { ...slots, elsewhere: 15 })).toBe(122 * second);
		expect(timeOf(1, { limit: 30, spent: 30, nextOperationAt: 5 * minute })).toBe(5 * minute);
	});
});

test('a published port is visited once at a time, and a silent port differs from a failed visit', async () => {
	const { operations, platform, pass } = await openOperations();
	const visit = vi.spyOn(platform, 'visitPort');
	visit.mockResolvedValueOnce(false);
	visit.mockRejectedValueOnce(new PlatformError(createFailure('offline', 'no network')));
	const results = () => operations.state().portChecks;
	for (const _ of ['one', 'two']) operations.checkPort(rowId('sb_1'), 80);
	await pass(1);
	expect(visit).toHaveBeenCalledOnce();
	expect(results()).toMatchObject([{ port: 80, state: 'silent' }]);
	operations.checkPort(rowId('sb_1'), 80);
	await pass(1);
	expect(results()).toMatchObject([{ state: 'failed', failure: { kind: 'offline' } }]);
});
