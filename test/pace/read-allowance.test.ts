import { describe, expect, test } from 'vitest';
import type { Budget } from '../../source/pace/budget.ts';
import { createLedgerState } from '../../source/pace/ledger-state.ts';
import { documentedLimits } from '../../source/pace/limits.ts';
import { createReadAllowance } from '../../source/pace/read-allowance.ts';

const rule = documentedLimits.other;
const slotMs = 61_000;

/** Creates an allowance whose process sends reads at given times. */
function openAllowance() {
	const allowance = createReadAllowance(rule);
	const state = createLedgerState().other;
	let count = 0;
	const budgetAt = (now: number) => {
		for (const { id, at } of state.spends.values()) if (at + slotMs <= now) state.spends.delete(id);
		const left = rule.maxRequests - state.spends.size;
		const budget: Budget = {
			limit: rule.maxRequests,
			requestsLeft: { operation: left, read: left },
			nextRequestAt: { operation: now, read: now },
			spentElsewhere: 0,
		};
		return allowance.appliedTo(budget, state, now);
	};
	function read(at: number) {
		count += 1;
		const id = `71-r.${count}`;
		state.spends.set(id, { id, number: count, at, hold: slotMs });
		allowance.noteTaken(id);
	}
	/** Sends each read as early as it may, and returns the times. */
	function readUntil(from: number, until: number): readonly number[] {
		const times: number[] = [];
		for (let now = from; now < until; ) {
			const { requestsLeft, nextRequestAt } = budgetAt(now);
			if (requestsLeft.read > 0) {
				read(now);
				times.push(now);
			} else now = Math.max(now + 1, Math.ceil(nextRequestAt.read));
		}
		return times;
	}
	return { allowance, read, readUntil, budgetAt };
}

const gapsOf = (times: readonly number[]) =>
	times.slice(1).map((time, place) => time - (times[place] ?? 0));

describe('the reads of a process within its share', () => {
	test('are at most the share of the limit in any window', () => {
		const { allowance, readUntil } = openAllowance();
		allowance.setShare(1 / 2);
		const times = readUntil(0, 300_000);
		for (const at of times) {
			const inWindow = times.filter(time => time >= at && time < at + slotMs);
			expect(inWindow.length).toBeLessThanOrEqual(15);
		}
	});

	test('go on at the pace of a smaller share, although more reads of the larger share still count', () => {
		const { allowance, read, readUntil } = openAllowance();
		for (let at = 0; at < 60_000; at += 2_400) read(at);
		allowance.setShare(1 / 2);
		const times = [57_600, ...readUntil(60_000, 180_000)];
		const settled = times.filter(time => time < 60_000 + slotMs);
		expect(Math.max(...gapsOf(settled))).toBeLessThanOrEqual(5_000);
		for (const at of times.slice(1)) {
			const inWindow = times.filter(time => time >= at && time < at + slotMs);
			expect(inWindow.length).toBeLessThanOrEqual(15);
		}
	});

	test('wait after a burst that the share itself allowed', () => {
		const { allowance, readUntil, budgetAt } = openAllowance();
		allowance.setShare(1 / 2);
		expect(readUntil(0, 1)).toHaveLength(15);
		expect(budgetAt(30_000).requestsLeft.read).toBe(0);
		expect(budgetAt(30_000).nextRequestAt.read).toBe(slotMs);
	});

	test('may be as many as before when the share grows again', () => {
		const { allowance, read, budgetAt } = openAllowance();
		for (let at = 0; at < 20; at += 1) read(at);
		allowance.setShare(1 / 2);
		expect(budgetAt(20).requestsLeft.read).toBe(0);
		allowance.setShare(1);
		expect(budgetAt(20).requestsLeft.read).toBe(10);
	});
});
