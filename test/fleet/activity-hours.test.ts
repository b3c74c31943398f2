import { expect, test } from 'vitest';
import {
	activityFromPast,
	addedActivity,
	mergedActivity,
	withChangesCounted,
	withWatchedTime,
} from '../../source/fleet/activity-hours.ts';
import type { Change } from '../../source/fleet/change.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';

const hour = 3_600_000;
const at = (hours: number) => hours * hour + 60_000;

const change = (hours: number, to: string): Change => ({
	type: 'statusChanged',
	at: at(hours),
	notBefore: at(hours),
	id: 'sb_1',
	from: 'active',
	to,
});

test('changes are counted in the hour in which they were noticed, and errors are counted as failures', () => {
	const hours = withChangesCounted(
		[],
		[change(500, 'stopped'), change(500, 'active'), change(501, 'error')],
	);
	expect(hours).toEqual([
		{ hour: 500, changes: 2, failures: 0 },
		{ hour: 501, changes: 1, failures: 1 },
	]);
	expect(withChangesCounted(hours, [change(500, 'active')])[0]?.changes).toBe(3);
	const topUp: Change = { type: 'toppedUp', at: at(501), notBefore: 0, from: 1, to: 2 };
	expect(withChangesCounted(hours, [topUp])).toBe(hours);
});

test('an hour that was watched has a count even if nothing changed, and hours before the last 24 are dropped', () => {
	const hours = withWatchedTime(withWatchedTime([], at(500)), at(501));
	expect(hours.map(each => each.hour)).toEqual([500, 501]);
	expect(withWatchedTime(hours, at(501) + 1)).toBe(hours);
	expect(withWatchedTime(hours, at(524)).map(each => each.hour)).toEqual([501, 524]);
});

test('the changes of earlier runs are counted, and a credit balance of an earlier run makes its hour a watched one', () => {
	const samples = [
		{ at: at(498), balance: 4 },
		{ at: at(300), balance: 9 },
	];
	expect(
		activityFromPast([change(300, 'error'), change(499, 'stopped')], samples, at(500)),
	).toEqual([
		{ hour: 498, changes: 0, failures: 0 },
		{ hour: 499, changes: 1, failures: 0 },
	]);
});

test('two records of the same hour are merged to the higher counts, and the counts of two accounts are added', () => {
	const one = [{ hour: 5, changes: 2, failures: 1 }];
	const other = [
		{ hour: 5, changes: 3, failures: 0 },
		{ hour: 6, changes: 1, failures: 0 },
	];
	expect(mergedActivity(one, other)[0]).toEqual({ hour: 5, changes: 3, failures: 1 });
	expect(addedActivity(one, other)).toEqual([
		{ hour: 5, changes: 5, failures: 1 },
		{ hour: 6, changes: 1, failures: 0 },
	]);
});

test('the store counts the changes that lists show, and keeps the object while a list shows nothing new', () => {
	const list = (time: number, status: string) => listRead(time, [{ id: 'sb_1', status }]);
	const lists = [list(1000, 'active'), list(2000, 'stopped'), list(3000, 'error')];
	const state = accountAfter(...lists);
	expect(state.activity.map(({ changes, failures }) => [changes, failures])).toEqual([[2, 1]]);
	expect(accountAfter(...lists, list(4000, 'error')).activity).toEqual(state.activity);
	const activity = [{ hour: -3, changes: 9, failures: 0 }];
	const past = fact(4000, { type: 'pastRecalled', changes: [], samples: [], activity });
	expect(accountAfter(...lists, past).activity.map(({ changes }) => changes)).toEqual([9, 2]);
});
