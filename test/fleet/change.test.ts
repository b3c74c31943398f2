import { expect, test } from 'vitest';
import { type Change, mergeChanges, type StatusChange } from '../../source/fleet/change.ts';

function seen(notBefore: number, at: number, from = 'active', to = 'stopped'): StatusChange {
	return { type: 'statusChanged', id: 'sb_1', notBefore, at, from, to };
}

test('the log merges a change that two panes recorded, and keeps the more exact time', () => {
	const mine: StatusChange = { ...seen(10, 20), reason: 'asked', lasted: 5 };
	const theirs: StatusChange = { ...seen(12, 23), reason: 'asleep' };
	const both = { ...mine, notBefore: 12 };
	expect(mergeChanges([mine], [theirs])).toEqual([both]);
	expect(mergeChanges([theirs], [mine])).toEqual([both]);
});

test('a change that occurs again later counts as another change', () => {
	const changes = [seen(10, 20), seen(20, 25, 'stopped', 'active'), seen(25, 31)];
	expect(mergeChanges([], changes)).toEqual(changes);
});

test('the log merges each of several similar changes with the record of that change from another pane', () => {
	const mine = [seen(10, 20), seen(20, 25, 'stopped', 'active'), seen(26, 31)];
	const theirs = [seen(11, 21), seen(21, 26, 'stopped', 'active'), seen(26, 33)];
	expect(mergeChanges(mine, theirs)).toHaveLength(3);
});

test('the log merges a change with the record of another pane that noticed the change much later', () => {
	expect(mergeChanges([seen(10, 20)], [seen(2, 5_000)])).toEqual([seen(10, 20)]);
});

test('the log continues from the status that another process saw between two statuses', () => {
	const stopping = seen(10, 20, 'active', 'stopping');
	const stopped = seen(20, 30, 'stopping', 'stopped');
	const both = { ...seen(5, 35), lasted: 9_000 };
	expect(mergeChanges([stopping], [both])).toEqual([stopping, seen(20, 35, 'stopping', 'stopped')]);
	expect(mergeChanges([stopping, stopped], [both])).toEqual([stopping, stopped]);
	expect(mergeChanges([both], [stopping, stopped])).toEqual([stopping, stopped]);
});

test('the log keeps the time that a status lasted if the process saw the beginning of the status', () => {
	const asleep = seen(10, 20);
	const awake: StatusChange = { ...seen(15, 30, 'stopped', 'active'), lasted: 10 };
	expect(mergeChanges([asleep], [awake])).toEqual([asleep, { ...awake, notBefore: 20 }]);
});

test('the log does not merge changes of different computers or statuses', () => {
	const other = { ...seen(10, 20), id: 'sb_2' };
	const elsewhere = seen(10, 20, 'active', 'error');
	expect(mergeChanges([seen(10, 20)], [other, elsewhere])).toHaveLength(3);
});

test('the log keeps each step of an operation once, even if two panes recorded it', () => {
	const wish = { key: 'k1', operation: 'stop', computer: 'sb_1' } as const;
	const step = (to: 'sent' | 'settled', at: number): Change => ({
		type: 'operationMoved',
		at,
		wish,
		to,
		took: at,
	});
	const steps = [step('sent', 1), step('settled', 5)];
	expect(mergeChanges(steps, steps)).toEqual(steps);
});

test('the log merges top-ups of credits and new versions that two panes recorded', () => {
	const topUp: Change = { type: 'toppedUp', at: 20, notBefore: 10, from: 1, to: 51 };
	const theirs: Change = { type: 'toppedUp', at: 24, notBefore: 14, from: 0.9, to: 50.9 };
	const later: Change = { type: 'toppedUp', at: 99, notBefore: 90, from: 1, to: 51 };
	const release: Change = { type: 'released', at: 30, notBefore: 2, from: '1.4.1', to: '1.4.2' };
	const merged = mergeChanges([topUp, release], [theirs, later, { ...release, at: 44 }]);
	expect(merged.map(({ type, at }) => [type, at])).toEqual([
		['toppedUp', 20],
		['released', 30],
		['toppedUp', 99],
	]);
});
