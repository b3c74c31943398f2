import { expect, test } from 'vitest';
import type { Change, OperationMove, StatusChange } from '../../source/fleet/change.ts';
import { phaseOf } from '../../source/fleet/computers/computer.ts';
import { accountAt } from '../../source/store/past.ts';
import { type ComputerState, emptyAccount } from '../../source/store/state.ts';
import { hour, now } from '../arbitraries/values.ts';
import { minute } from '../durations.ts';

const hoursAgo = (count: number) => now - count * hour;

/** A change that was noticed at once, after the earlier status had lasted for some hours. */
function changed(
	at: number,
	from: string | null,
	to: string | null,
	hours?: number,
	more: Partial<StatusChange> = {},
): StatusChange {
	const lasted = hours === undefined ? undefined : hours * hour;
	return { type: 'statusChanged', id: 'sb_1', at, notBefore: at - 2000, from, to, lasted, ...more };
}

const computer = (status: string, since: number, createdAt?: number): ComputerState => ({
	id: 'sb_1',
	phase: phaseOf(status),
	since: { at: since, isLowerBound: false },
	reading: { id: 'sb_1', name: 'atlas', status, version: '1.4.2', cpu: 12, createdAt },
	isListed: true,
	isMissing: false,
});

const update: OperationMove = {
	type: 'operationMoved',
	at: hoursAgo(1),
	wish: { key: 'k', operation: 'update', computer: 'sb_1' },
	to: 'settled',
	took: 0,
};

/** Says a computer as it was two hours ago. */
function thenOf(present: ComputerState | undefined, changes: readonly Change[]): string {
	const computers = new Map(present && [[present.id, present]]);
	const past = accountAt({ ...emptyAccount, computers, changes }, hoursAgo(2));
	const { reading, stopReason } = past.computers.get('sb_1') ?? {};
	if (!reading) return 'none';
	const { status = 'unknown', version = '', error = '', cpu = '' } = reading;
	return [status, version, error, stopReason, cpu].filter(Boolean).join(' ');
}

const active = computer('active', hoursAgo(3));

test.each<[string, ComputerState | undefined, readonly Change[], string]>([
	['has not changed since', active, [], 'active 1.4.2'],
	['began to be known later', computer('active', hoursAgo(1)), [], 'unknown'],
	['was created later', computer('active', hoursAgo(1), hoursAgo(1)), [], 'none'],
	['was new later', active, [changed(hoursAgo(1), null, 'active')], 'none'],
	[
		'was asleep until an hour ago',
		computer('active', hoursAgo(1)),
		[
			changed(hoursAgo(5), 'active', 'stopped', 9, { reason: 'asleep' }),
			changed(hoursAgo(1), 'stopped', 'active', 4),
		],
		'stopped 1.4.2 asleep',
	],
	[
		'was in error, for a reason',
		computer('active', hoursAgo(1)),
		[
			changed(hoursAgo(5), 'active', 'error', 9, { error: 'disk full' }),
			changed(hoursAgo(1), 'error', 'active', 4),
		],
		'error 1.4.2 disk full',
	],
	[
		'has an earlier status whose beginning nobody saw',
		computer('active', hoursAgo(1)),
		[changed(hoursAgo(1), 'stopped', 'active')],
		'unknown',
	],
	[
		'changed while nobody watched',
		computer('stopped', hoursAgo(1)),
		[changed(hoursAgo(1), 'active', 'stopped', 9, { notBefore: hoursAgo(3) })],
		'unknown',
	],
	[
		'changed a moment before, and then nobody watched',
		computer('active', hoursAgo(1)),
		[changed(hoursAgo(2) - minute, 'active', 'stopped', 9)],
		'stopped',
	],
	['was updated since', active, [update], 'active'],
	[
		'was updated since by somebody else',
		computer('active', hoursAgo(0.5)),
		[
			changed(hoursAgo(1), 'active', 'updating', 9),
			changed(hoursAgo(0.5), 'updating', 'active', 0.5),
		],
		'active',
	],
	['was removed later', undefined, [changed(hoursAgo(1), 'active', null, 5)], 'active'],
	['was removed before', undefined, [changed(hoursAgo(3), 'active', null, 5)], 'none'],
	[
		'was removed later, and nobody knows since when it was there',
		undefined,
		[changed(hoursAgo(1), 'active', null)],
		'none',
	],
])('a computer that %s is shown in the past as the log knows it', (_, present, changes, then) => {
	expect(thenOf(present, changes)).toBe(then);
});

test('the latest version is that of the past, and nothing later is in the log', () => {
	const released: Change = {
		type: 'released',
		at: hoursAgo(1),
		notBefore: hoursAgo(1),
		from: '1.4.1',
		to: '1.4.2',
	};
	const release = { version: '1.4.2', changes: [] };
	const account = {
		...emptyAccount,
		release,
		changes: [changed(hoursAgo(3), null, 'active'), released],
	};
	const past = accountAt(account, hoursAgo(2));
	expect(past.release?.version).toBe('1.4.1');
	expect(past.changes).toHaveLength(1);
});
