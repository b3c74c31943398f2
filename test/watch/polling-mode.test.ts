import { expect, test } from 'vitest';
import { plan } from '../../source/watch/plan.ts';
import type { PlannerInput } from '../../source/watch/planner-input.ts';
import { pollingModeOf } from '../../source/watch/polling-mode.ts';
import {
	answeredAgo,
	fleetOf,
	now,
	plannerInput,
	polledComputer,
	readBudget,
	readBudgets,
	readHistory,
} from './planner-inputs.ts';

const always = Number.POSITIVE_INFINITY;
const minute = 60_000;

const plannedReads = (change: Partial<PlannerInput>, budgets = readBudgets()) =>
	plan(plannerInput(change), budgets, now).reads.map(({ name }) => name);

test('a fleet is unattended, moving or calm', () => {
	const modeOf = (attendedUntil: number, movingSince: number | null) =>
		pollingModeOf({ attendedUntil, movingSince }, now);
	expect(modeOf(now, now)).toBe('unattended');
	expect(modeOf(always, now - 9 * minute)).toBe('moving');
	expect(modeOf(always, now - 10 * minute)).toBe('calm');
	expect(modeOf(always, null)).toBe('calm');
});

test('the details of a computer are read after the cursor has rested on it for a second', () => {
	const computers = fleetOf(polledComputer('open', { detail: readHistory() }));
	const open = { computers, detailId: 'open', detailAddsFields: true };
	expect(plannedReads({ ...open, restingSince: now - 900 })).toEqual([]);
	expect(plannedReads({ ...open, restingSince: now - 1000 })).toEqual(['detail']);
});

test('reads that a person requests may exceed the share of this process', () => {
	const spent = { ...readBudget(0, 12), requestedReadsLeft: 3 };
	const budgets = { status: spent, other: spent };
	const due = { histories: { ...plannerInput().histories, list: answeredAgo(minute) } };
	expect(plannedReads(due, budgets)).toEqual([]);
	expect(plannedReads({ ...due, requestedReads: [{ name: 'list' }] }, budgets)).toEqual(['list']);
});

test('if several processes poll, reads about the account wait for their turn and until the lists leave room', () => {
	const { histories: usual } = plannerInput();
	const due = {
		histories: { ...usual, list: answeredAgo(500), credits: answeredAgo(60 * minute) },
	};
	const beside = (listIntervalMs: number) => {
		const other = { ...readBudget(10, 8), requestsPerMsAfterExtraRead: 1 / listIntervalMs };
		return { ...readBudgets(), other: { ...other, pollerCount: 3 } };
	};
	expect(plannedReads(due, beside(8_700))).toEqual(['credits']);
	expect(plannedReads(due, beside(10_200))).toEqual([]);
	const late = { histories: { ...due.histories, list: answeredAgo(2_000) } };
	expect(plannedReads(late, beside(8_700))).toEqual([]);
});
