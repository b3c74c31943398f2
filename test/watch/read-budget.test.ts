import { expect, test } from 'vitest';
import type { Budget } from '../../source/pace/budget.ts';
import { createReadBudgets } from '../../source/watch/read-budget.ts';

const now = 5_000_000;

function budgets(change: Partial<Budget> = {}): Record<'create' | 'status' | 'other', Budget> {
	const usual = { spentElsewhere: 0, nextAt: { operation: now, read: now } };
	return {
		create: { ...usual, limit: 5, left: { operation: 5, read: 5 } },
		status: { ...usual, limit: 60, left: { operation: 60, read: 60 }, ...change },
		other: { ...usual, limit: 30, left: { operation: 30, read: 24 }, ...change },
	};
}

const perMinute = (rate: number) => rate * 60_000;

test('sets the rate a little below the documented limit for reads', () => {
	const { status, other } = createReadBudgets()(budgets(), now);
	expect(perMinute(status.requestsPerMs)).toBeGreaterThan(58);
	expect(perMinute(status.requestsPerMs)).toBeLessThan(60);
	expect(perMinute(other.requestsPerMs)).toBeGreaterThan(23);
	expect(perMinute(other.requestsPerMs)).toBeLessThan(24);
	expect([status.requestsLeft, other.requestsLeft]).toEqual([60, 24]);
});

test('leaves other clients what they spend, and a little more', () => {
	const { status } = createReadBudgets()(budgets({ spentElsewhere: 20 }), now);
	expect(perMinute(status.requestsPerMs)).toBeLessThan(37);
	expect(perMinute(status.requestsPerMs)).toBeGreaterThan(30);
});

test('forgets the use of other clients slowly once the platform no longer reports it', () => {
	const budgetsAt = createReadBudgets();
	const seen = budgetsAt(budgets({ spentElsewhere: 20 }), now).status.requestsPerMs;
	const soon = budgetsAt(budgets(), now + 5000).status.requestsPerMs;
	const late = budgetsAt(budgets(), now + 600_000).status.requestsPerMs;
	expect(soon).toBeGreaterThan(seen);
	expect(perMinute(soon)).toBeLessThan(40);
	expect(perMinute(late)).toBeGreaterThan(58);
});

test('keeps a small rate however much other clients spend', () => {
	const { status, other } = createReadBudgets()(budgets({ spentElsewhere: 100 }), now);
	expect(perMinute(status.requestsPerMs)).toBeGreaterThan(4);
	expect(perMinute(other.requestsPerMs)).toBeGreaterThan(1.5);
});

test('lowers the rate when the limit is lower', () => {
	const { other } = createReadBudgets()(budgets({ limit: 10 }), now);
	expect(perMinute(other.requestsPerMs)).toBeLessThan(8);
});
