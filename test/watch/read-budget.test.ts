import { expect, test } from 'vitest';
import type { Budget } from '../../source/pace/budget.ts';
import { createReadBudgetConverter } from '../../source/watch/read-budget.ts';

const now = 5_000_000;

function budgets(change: Partial<Budget> = {}): Record<'create' | 'status' | 'other', Budget> {
	const usual = { spentElsewhere: 0, nextRequestAt: { operation: now, read: now } };
	return {
		create: { ...usual, limit: 5, requestsLeft: { operation: 5, read: 5 } },
		status: { ...usual, limit: 60, requestsLeft: { operation: 60, read: 60 }, ...change },
		other: { ...usual, limit: 30, requestsLeft: { operation: 30, read: 24 }, ...change },
	};
}

const perMinute = (rate: number) => rate * 60_000;

test('the read rate is slightly below the documented limit', () => {
	const { status, other } = createReadBudgetConverter()(budgets(), now);
	expect(perMinute(status.requestsPerMs)).toBeGreaterThan(58);
	expect(perMinute(status.requestsPerMs)).toBeLessThan(60);
	expect(perMinute(other.requestsPerMs)).toBeGreaterThan(23);
	expect(perMinute(other.requestsPerMs)).toBeLessThan(24);
	expect([status.requestsLeft, other.requestsLeft]).toEqual([60, 24]);
});

test('the read rate leaves other clients slightly more than they spend', () => {
	const { status } = createReadBudgetConverter()(budgets({ spentElsewhere: 20 }), now);
	expect(perMinute(status.requestsPerMs)).toBeLessThan(37);
	expect(perMinute(status.requestsPerMs)).toBeGreaterThan(30);
});

test('the read rate rises slowly after the platform stops reporting the requests of other clients', () => {
	const budgetsAt = createReadBudgetConverter();
	const seen = budgetsAt(budgets({ spentElsewhere: 20 }), now).status.requestsPerMs;
	const soon = budgetsAt(budgets(), now + 5000).status.requestsPerMs;
	const late = budgetsAt(budgets(), now + 600_000).status.requestsPerMs;
	expect(soon).toBeGreaterThan(seen);
	expect(perMinute(soon)).toBeLessThan(40);
	expect(perMinute(late)).toBeGreaterThan(58);
});

test('the read rate stays above a minimum, however much other clients spend', () => {
	const { status, other } = createReadBudgetConverter()(budgets({ spentElsewhere: 100 }), now);
	expect(perMinute(status.requestsPerMs)).toBeGreaterThan(4);
	expect(perMinute(other.requestsPerMs)).toBeGreaterThan(1.5);
});

test('the read rate falls when the platform reports a lower limit', () => {
	const { other } = createReadBudgetConverter()(budgets({ limit: 10 }), now);
	expect(perMinute(other.requestsPerMs)).toBeLessThan(8);
});
