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
	readHistory,
	readSlots,
	readSlotsByScope,
} from './planner-inputs.ts';

const always = Number.POSITIVE_INFINITY;
const minute = 60_000;

const plannedReads = (change: Partial<PlannerInput>, slots = readSlotsByScope()) =>
	plan(plannerInput(change), slots, now).reads.map(({ name }) => name);

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
	const spent = { ...readSlots(0, 12), free: { operation: 3, requestedRead: 3, read: 0 } };
	const slots = { status: spent, other: spent };
	const due = { histories: { ...plannerInput().histories, list: answeredAgo(minute) } };
	expect(plannedReads(due, slots)).toEqual([]);
	expect(plannedReads({ ...due, requestedReads: [{ name: 'list' }] }, slots)).toEqual(['list']);
});
