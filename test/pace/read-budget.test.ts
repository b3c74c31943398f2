import { describe, expect, test } from 'vitest';
import type { Budget } from '../../source/pace/budget.ts';
import { createFairShare } from '../../source/pace/fair-share.ts';
import { createLedgerState } from '../../source/pace/ledger-state.ts';
import { documentedLimits } from '../../source/pace/limits.ts';
import { createReadAllowance } from '../../source/pace/read-allowance.ts';
import { createElsewhereEstimate, readBudgetFrom } from '../../source/pace/read-budget.ts';

const now = 5_000_000;

/** Returns how many reads a minute the budget sustains. */
function readsPerMinute(
	scope: 'status' | 'other',
	{ elsewhere = 0, share = 1, commands = 0, ...change }: Partial<Budget> & Options = {},
): number {
	const rule = documentedLimits[scope];
	const budget: Budget = {
		limit: rule.maxRequests,
		requestsLeft: { operation: rule.maxRequests, read: rule.maxRequests },
		nextRequestAt: { operation: now, read: now },
		spentElsewhere: elsewhere,
		...change,
	};
	const allowance = createReadAllowance(rule);
	allowance.setShare(share);
	const state = createLedgerState()[scope];
	for (let count = 1; count <= commands; count += 1)
		state.spends.set(`71-k.${count}`, {
			id: `71-k.${count}`,
			number: count,
			at: now,
			hold: 61_000,
		});
	const ownBudget = allowance.appliedTo(budget, state, now);
	const fairShare = createFairShare();
	const options = { budget, ownBudget, state, rule, allowance, fairShare, elsewhere, now };
	return readBudgetFrom(options).requestsPerMs * 60_000;
}

type Options = { elsewhere?: number; share?: number; commands?: number };

describe('the read rate', () => {
	test('is slightly below the documented limit', () => {
		expect(readsPerMinute('status')).toBeCloseTo(58.8, 0);
		expect(readsPerMinute('other')).toBeCloseTo(23.5, 0);
	});

	test('leaves other clients more than they spend on average, and still more when a share limits the reads', () => {
		expect(readsPerMinute('status', { elsewhere: 20 })).toBeCloseTo(34.8, 0);
		expect(readsPerMinute('status', { elsewhere: 20, share: 1 / 2 })).toBeCloseTo(26, 0);
	});

	test('stays above a minimum, however much other clients spend', () => {
		expect(readsPerMinute('status', { elsewhere: 100 })).toBeGreaterThan(4);
		expect(readsPerMinute('other', { elsewhere: 100 })).toBeGreaterThan(1.5);
	});

	test('falls when the platform reports a lower limit', () => {
		expect(readsPerMinute('other', { limit: 10 })).toBeLessThan(8);
	});

	test('leaves enough for the commands that spend from the same ledger', () => {
		expect(readsPerMinute('other', { commands: 12 })).toBeCloseTo(11.8, 0);
	});

	test('stays within the share of this process', () => {
		expect(readsPerMinute('other', { share: 1 / 2 })).toBeCloseTo(14.7, 0);
		expect(readsPerMinute('other', { share: 1 / 4 })).toBeCloseTo(6.9, 0);
		expect(readsPerMinute('status', { share: 1 / 4 })).toBeCloseTo(14.7, 0);
	});
});

test('the estimate of requests of other clients falls slowly after the platform stops reporting them', () => {
	const estimate = createElsewhereEstimate(documentedLimits.status);
	expect(estimate(20, now)).toBe(20);
	expect(estimate(0, now + 5000)).toBeGreaterThan(17);
	expect(estimate(0, now + 600_000)).toBeLessThan(1);
});
