import { expect, test } from 'vitest';
import { type Change, mergeChanges, type StatusChange } from '../../source/fleet/change.ts';

/** A change of a status that happened after one time, and was noticed at another. */
const seen = (
	notBefore: number,
	at: number,
	from = 'active',
	to = 'stopped',
	more: Partial<StatusChange> = {},
): StatusChange => ({ type: 'statusChanged', id: 'sb_1', notBefore, at, from, to, ...more });

const asleep = seen(10, 20);
const awake = seen(20, 25, 'stopped', 'active');
const stopping = seen(10, 20, 'active', 'stopping');
const stopped = seen(20, 30, 'stopping', 'stopped');
const sent: Change = {
	type: 'operationMoved',
	at: 1,
	wish: { key: 'k1', operation: 'stop', computer: 'sb_1' },
	to: 'sent',
	took: 1,
};
const accepted: Change = { ...sent, isAccepted: true };
const settled: Change = { ...sent, at: 5, to: 'settled' };
const topUp: Change = { type: 'toppedUp', at: 20, notBefore: 10, from: 1, to: 51 };
const release: Change = { type: 'released', at: 30, notBefore: 2, from: '1.4.1', to: '1.4.2' };

test.each<[string, Change[], Change[], Change[]]>([
	['the same change', [asleep], [seen(12, 23)], [asleep]],
	['the same change, noticed much later', [asleep], [seen(2, 5_000)], [asleep]],
	[
		'the same change, which one of them asked for',
		[seen(10, 20, 'active', 'stopped', { reason: 'unknown' })],
		[seen(10, 20, 'active', 'stopped', { reason: 'asked' })],
		[seen(10, 20, 'active', 'stopped', { reason: 'asked' })],
	],
	[
		'the same error, whose reason one of them read',
		[seen(10, 20, 'active', 'error')],
		[seen(10, 20, 'active', 'error', { error: 'disk full' })],
		[seen(10, 20, 'active', 'error', { error: 'disk full' })],
	],
	[
		'the same change once more, later',
		[asleep, awake],
		[seen(25, 31)],
		[asleep, awake, seen(25, 31)],
	],
	[
		'several changes that both noticed',
		[asleep, awake, seen(26, 31)],
		[seen(11, 21), seen(21, 26, 'stopped', 'active'), seen(26, 33)],
		[asleep, awake, seen(26, 31)],
	],
	[
		'two changes that the other noticed as one',
		[stopping],
		[seen(5, 35, 'active', 'stopped', { lasted: 9_000 })],
		[stopping, seen(20, 35, 'stopping', 'stopped')],
	],
	[
		'two changes, the second noticed by both',
		[stopping, stopped],
		[seen(5, 35)],
		[stopping, stopped],
	],
	[
		'a status whose beginning one of them saw',
		[asleep],
		[seen(15, 30, 'stopped', 'active', { lasted: 10 })],
		[asleep, seen(20, 30, 'stopped', 'active', { lasted: 10 })],
	],
	[
		'other computers',
		[asleep],
		[{ ...seen(10, 21), id: 'sb_2' }],
		[asleep, { ...seen(10, 21), id: 'sb_2' }],
	],
	['the steps of an operation', [sent, settled], [sent, settled], [sent, settled]],
	['a step that says more', [sent, accepted], [], [sent, accepted]],
	['a top-up', [topUp], [{ ...topUp, at: 24, notBefore: 14, to: 50.9 }], [topUp]],
	[
		'another top-up',
		[topUp],
		[{ ...topUp, at: 99, notBefore: 90 }],
		[topUp, { ...topUp, at: 99, notBefore: 90 }],
	],
	['a release', [release], [{ ...release, at: 44 }], [release]],
])('the records of two processes are merged: %s', (_, ours, theirs, merged) => {
	expect(mergeChanges(ours, theirs)).toEqual(merged);
	expect(mergeChanges(theirs, ours)).toEqual(merged);
});
