import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { addOperationRow, operationRowOf } from '../../source/fleet/operations/operation-table.ts';
import { statusAnswerOf } from '../../source/store/freshness.ts';
import {
	accountAfter,
	computerAfter,
	fact,
	failure,
	listRead,
	operationFacts,
	statusRead,
} from '../arbitraries/sample-facts.ts';

const minute = 60_000;
const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.4.2' };
const stopped = { id: 'sb_1', status: 'stopped' };

test('what a status or a detail leaves out counts as read, and does not erase what is known', () => {
	const list = listRead(1, [{ id: 'sb_1', status: 'error' }]);
	const afterStatus = (...facts: Fact[]) => computerAfter('sb_1', list, ...facts)?.reading;
	expect(afterStatus()).toEqual({ id: 'sb_1', status: 'error' });
	expect(afterStatus(statusRead(2, { id: 'sb_1', status: 'error' }))).toMatchObject({
		error: null,
	});
	const disk = statusRead(2, { id: 'sb_1', status: 'error', error: 'disk full' });
	expect(afterStatus(disk, statusRead(3, { id: 'sb_1', status: 'error' }))?.error).toBe(
		'disk full',
	);
	const active = statusRead(3, { id: 'sb_1', status: 'active', version: '1.4.2' });
	expect(afterStatus(disk, active)).not.toHaveProperty('error');
	const again = listRead(4, [{ id: 'sb_1', status: 'error' }]);
	expect(afterStatus(disk, active, again)).not.toHaveProperty('error');
	expect(afterStatus(disk, active, again)?.version).toBe('1.4.2');
	const detail = fact(5, {
		type: 'computerRead',
		read: 'detail',
		computer: { id: 'sb_1', cpu: 12 },
	});
	expect(afterStatus(active, detail)).toMatchObject({ cpu: 12, memory: null, address: null });
});

test('an answer is ignored if its request is older than that of the last answer', () => {
	const late = computerAfter(
		'sb_1',
		listRead(1_000, [atlas]),
		statusRead(3_000, stopped),
		statusRead(3_100, atlas, 2_900),
	);
	expect(late?.phase).toBe('stopped');
	const slow = computerAfter(
		'sb_1',
		statusRead(2_500, stopped, 2_400),
		listRead(4_000, [{ ...atlas, cpu: 3 }], 2_000),
	);
	expect(slow?.phase).toBe('stopped');
	expect(slow?.reading).toMatchObject({ name: 'atlas', cpu: 3 });
	const state = accountAfter(
		statusRead(2_500, stopped, 2_400),
		listRead(4_000, [{ ...atlas, status: 'stopped' }], 2_000),
	);
	const computer = state.computers.get('sb_1');
	expect(computer && statusAnswerOf(state, computer)).toMatchObject({ at: 2_500 });
});

test('the status in a list is ignored if the list was requested before a stop was accepted', () => {
	const facts = [
		listRead(1_000, [atlas]),
		...operationFacts(stop, { queued: 1_900, sent: 2_000, accepted: 2_400 }),
		statusRead(2_600, { id: 'sb_1', status: 'stopping' }, 2_500),
	] as const;
	expect(computerAfter('sb_1', ...facts, listRead(4_000, [atlas], 2_100))?.phase).toBe('stopping');
	expect(
		computerAfter('sb_1', ...facts.slice(0, 4), listRead(4_000, [stopped], 2_100))?.phase,
	).toBe('active');
	expect(computerAfter('sb_1', ...facts, listRead(4_000, [atlas], 2_700))?.phase).toBe('active');
});

test('answers are accepted after the clock was set back', () => {
	const hour = 60 * minute;
	const computer = computerAfter('sb_1', statusRead(2 * hour, atlas), statusRead(hour, stopped));
	expect(computer?.phase).toBe('stopped');
});

test("no change is logged when only the platform's word for the same status changes", () => {
	const state = accountAfter(
		listRead(1, [{ ...atlas, cpu: 4 }]),
		statusRead(2, { id: 'sb_1', status: 'running' }),
	);
	expect(state.changes).toEqual([]);
	expect(state.computers.get('sb_1')?.reading).toMatchObject({ status: 'running', cpu: 4 });
});

test('the log entry of a status change says how long the previous status lasted', () => {
	const creating = { id: 'sb_1', name: 'atlas', status: 'provisioning' };
	const appeared = [listRead(0, []), listRead(1_000, [creating])];
	const state = accountAfter(
		...appeared,
		statusRead(46_000, creating, 45_900),
		statusRead(49_000, { ...creating, status: 'active' }, 48_900),
	);
	expect(state.changes.at(-1)).toEqual({
		type: 'statusChanged',
		at: 49_000,
		notBefore: 45_900,
		id: 'sb_1',
		name: 'atlas',
		from: 'provisioning',
		to: 'active',
		lasted: 48_000,
	});
	// If nobody looked for 48 s, only the platform can tell.
	const unseen = (more: object) =>
		accountAfter(
			...appeared,
			statusRead(49_000, { ...creating, status: 'active', ...more }, 48_900),
		).changes.at(-1);
	expect(unseen({})).toHaveProperty('lasted', undefined);
	expect(unseen({ createdAt: 500, startedAt: 20_500 })).toMatchObject({ lasted: 19_500 });
});

test('a status dates from the change that was seen, or at the latest from the first read', () => {
	expect(computerAfter('sb_1', listRead(5_000, [atlas]))?.since).toEqual({
		at: 5_000,
		isLowerBound: true,
	});
	const facts = [listRead(5_000, [{ ...atlas, status: 'starting' }]), listRead(8_000, [atlas])];
	expect(computerAfter('sb_1', ...facts)?.since).toEqual({ at: 8_000, isLowerBound: false });
	const late = [
		listRead(5_000, [{ ...atlas, status: 'starting' }]),
		listRead(15 * minute, [atlas]),
	];
	expect(computerAfter('sb_1', ...late)?.since).toEqual({ at: 15 * minute, isLowerBound: true });
});

test('the uptime starts again after a gap in which a computer may have slept and woken', () => {
	const later = 5_000 + 20 * minute;
	const seen = listRead(5_000, [atlas]);
	expect(computerAfter('sb_1', seen, listRead(later, [atlas]))?.since.at).toBe(later);
	const pro = fact(1, {
		type: 'answered',
		read: 'subscription',
		answer: { plan: 'pro', planName: 'Pro' },
	});
	expect(computerAfter('sb_1', pro, seen, listRead(later, [atlas]))?.since.at).toBe(5_000);
});

test('an uptime continues when other computers were read in the meantime', () => {
	const others = Array.from({ length: 40 }, (_, place) =>
		statusRead(5_000 + place * minute, { id: 'sb_2', status: 'active' }),
	);
	const facts = [statusRead(5_000, atlas), ...others, statusRead(45 * minute, atlas)];
	expect(computerAfter('sb_1', ...facts)?.since.at).toBe(5_000);
});

test('the duration of a creation is logged only when the start of the creation was seen', () => {
	const creating = { id: 'sb_2', status: 'creating' };
	const ready = statusRead(5_000, { id: 'sb_2', status: 'active' });
	const begun = accountAfter(listRead(1_000, [creating]), ready);
	expect(begun.changes.at(-1)).toHaveProperty('lasted', undefined);
	const seen = accountAfter(listRead(1_000, [atlas]), listRead(2_000, [atlas, creating]), ready);
	expect(seen.changes.at(-1)).toMatchObject({ to: 'active', lasted: 3_000 });
	const late = listRead(10 * minute, [atlas, creating]);
	const ended = statusRead(11 * minute, { id: 'sb_2', status: 'active' });
	const missed = accountAfter(listRead(1_000, [atlas]), late, ended);
	expect(missed.changes.at(-1)).toHaveProperty('lasted', undefined);
});

test('a change to an error keeps its reason in the log, also if the reason is read later and after the computer has recovered', () => {
	const broken = { id: 'sb_1', status: 'error' };
	const reason = { error: 'disk quota exceeded' };
	const errorsIn = (...facts: readonly Fact[]) =>
		accountAfter(...facts).changes.map(change => change.type === 'statusChanged' && change.error);
	const known = statusRead(2_000, { ...broken, ...reason });
	expect(errorsIn(listRead(1_000, [atlas]), known)).toEqual(['disk quota exceeded']);
	const facts = [listRead(1_000, [atlas]), listRead(2_000, [broken])] as const;
	expect(errorsIn(...facts)).toEqual([undefined]);
	const later = [...facts, statusRead(3_000, { ...broken, ...reason })] as const;
	expect(errorsIn(...later)).toEqual(['disk quota exceeded']);
	expect(errorsIn(...facts, listRead(3_000, [{ ...broken, ...reason }]))).toEqual([
		'disk quota exceeded',
	]);
	const other = statusRead(3_500, { ...broken, error: 'out of memory' });
	expect(errorsIn(...later, other), 'the first reason stays').toEqual(['disk quota exceeded']);
	const recovered = [...later, listRead(4_000, [atlas])] as const;
	expect(errorsIn(...recovered)).toEqual(['disk quota exceeded', undefined]);
	const another = statusRead(6_000, { ...broken, error: 'out of memory' });
	expect(errorsIn(...recovered, listRead(5_000, [broken]), another)).toEqual([
		'disk quota exceeded',
		undefined,
		'out of memory',
	]);
});

const pro = fact(1, {
	type: 'answered',
	read: 'subscription',
	answer: { plan: 'pro', planName: 'Pro' },
});

/** Returns lists in which a computer is busy until a minute, then idle, and stopped at another minute. */
const idleLists = (busyUntil: number, stoppedAt: number) => [
	pro,
	...Array.from({ length: stoppedAt }, (_, place) =>
		listRead(place * minute, [{ ...atlas, cpu: place <= busyUntil ? 60 : 1 }]),
	),
	listRead(stoppedAt * minute, [stopped]),
];

const stopReasonAfter = (...facts: readonly Fact[]) =>
	accountAfter(...facts).computers.get('sb_1')?.stopReason;

test('a stop is logged as sleep only if the computer was last busy, or was started, just as long before as the plan lets it idle', () => {
	expect(stopReasonAfter(...idleLists(10, 41))).toBe('asleep');
	expect(stopReasonAfter(...idleLists(10, 25)), 'stopped earlier by a person').toBe('unknown');
	expect(stopReasonAfter(...idleLists(10, 200)), 'stopped later by a person').toBe('unknown');
	const slept = accountAfter(...idleLists(10, 41));
	expect(slept.changes.at(-1)).toMatchObject({ reason: 'asleep' });
	const started = listRead(minute, [{ ...atlas, startedAt: 0 }]);
	const lists = (stoppedAt: number) => [
		...Array.from({ length: stoppedAt }, (_, place) => listRead((place + 1) * minute, [atlas])),
		listRead((stoppedAt + 1) * minute, [stopped]),
	];
	expect(stopReasonAfter(pro, started, ...lists(30))).toBe('asleep');
	expect(stopReasonAfter(pro, started, ...lists(50))).toBe('unknown');
	expect(stopReasonAfter(pro, ...lists(30)), 'its start is not known').toBe('unknown');
});

test('the time for which a computer was idle is known until it has stopped, and not after a time without reads', () => {
	const before = idleLists(10, 41).slice(0, -1);
	const stopping = statusRead(41 * minute, { ...stopped, status: 'stopping' });
	const slowly = accountAfter(...before, stopping, statusRead(43 * minute, stopped));
	expect(slowly.computers.get('sb_1')).toMatchObject({ stopReason: 'asleep' });
	expect(slowly.computers.get('sb_1')).not.toHaveProperty('idleForMs');
	expect(stopReasonAfter(...before.slice(0, -3), listRead(41 * minute, [stopped]))).toBe('unknown');
});

test('a change to stopped is logged with the reason for the stop', () => {
	const early = accountAfter(pro, listRead(1_000, [atlas]), statusRead(2_000, stopped));
	expect(early.computers.get('sb_1')?.stopReason).toBe('unknown');
	const facts = [
		pro,
		listRead(1_000, [atlas]),
		...operationFacts(stop, { queued: 1_100, sent: 1_200 }),
	];
	const ours = accountAfter(...facts, statusRead(2_000, stopped));
	expect(ours.computers.get('sb_1')?.stopReason).toBe('asked');
	const removeRow = addOperationRow('hibernate', {
		...operationRowOf('stop'),
		endsProcesses: false,
	});
	const hibernated = accountAfter(
		pro,
		listRead(1_000, [atlas]),
		...operationFacts({ ...stop, operation: 'hibernate' }, { queued: 1_100, sent: 1_200 }),
		statusRead(2_000, stopped),
	);
	removeRow();
	expect(hibernated.computers.get('sb_1')?.stopReason).toBe('asked');
	const woken = accountAfter(
		pro,
		listRead(1_000, [atlas]),
		statusRead(2_000, stopped),
		statusRead(3_000, atlas),
	);
	expect(woken.computers.get('sb_1')?.stopReason).toBeUndefined();
});

test('a list without statuses does not make an old status count as recently read', () => {
	const state = accountAfter(
		statusRead(1_000, atlas),
		listRead(5_000, [{ id: 'sb_1', name: 'atlas' }]),
	);
	const computer = state.computers.get('sb_1');
	expect(computer && statusAnswerOf(state, computer)).toMatchObject({ at: 1_000 });
});

test('a computer that a read did not find is removed once the list does not contain it either', () => {
	const missed = fact(2_000, {
		type: 'computerRead',
		read: 'status',
		computer: { id: 'sb_1' },
		isMissing: true,
	});
	const state = accountAfter(listRead(1_000, [atlas]), missed);
	expect(state.computers.get('sb_1')?.isMissing).toBe(true);
	expect(accountAfter(listRead(1_000, [atlas]), missed, listRead(3_000, [])).computers.size).toBe(
		0,
	);
	const listed = accountAfter(listRead(1_000, [atlas]), missed, listRead(3_000, [atlas]));
	expect(listed.computers.get('sb_1')?.isMissing).toBe(true);
	const found = accountAfter(listRead(1_000, [atlas]), missed, statusRead(3_000, atlas));
	expect(found.computers.get('sb_1')?.isMissing).toBe(false);
	const unlisted = accountAfter(statusRead(1_000, atlas), missed);
	expect(unlisted.computers.size).toBe(0);
	expect(unlisted.changes).toMatchObject([{ from: 'active', to: null }]);
});

test('failures of a read are counted from the first failure until a response arrives', () => {
	const failed = (at: number, askedAt = at, nextAt = at + 500) =>
		fact(at, { type: 'readFailed', read: 'status', id: 'sb_1', failure, nextAt }, askedAt);
	const facts = [listRead(1_000, [atlas]), failed(2_000, 1_900), failed(3_000)];
	const failing = {
		failure,
		firstAskedAt: 1_900,
		firstFailedAt: 2_000,
		lastFailedAt: 3_000,
		attempts: 2,
		nextAt: 3_500,
	};
	const state = accountAfter(...facts);
	expect(state.reads.status).toEqual({ failing });
	expect(state.computerReads.get('sb_1')?.failing?.status).toEqual(failing);
	const over = accountAfter(...facts, statusRead(4_000, atlas));
	expect(over.reads.status).toEqual({ answer: { askedAt: 4_000, at: 4_000 } });
	expect(over.computerReads.get('sb_1')?.failing).toBeUndefined();
	expect(
		accountAfter(...facts, statusRead(4_000, atlas), failed(5_000, 3_500)).reads.status?.failing,
	).toBe(undefined);
});

test('a cancelled read does not count as a failure', () => {
	const cancelled = { ...failure, kind: 'cancelled' } as const;
	const state = accountAfter(fact(1, { type: 'readFailed', read: 'list', failure: cancelled }));
	expect(state.reads.list).toBeUndefined();
});

test('the stages of a creation are timed from its beginning, and forgotten when the computer is ready', () => {
	const creating = { id: 'sb_1', status: 'provisioning', createdAt: 1_000 };
	const facts = [
		listRead(2_000, [{ ...creating, stage: 'creating' }]),
		listRead(5_000, [{ ...creating, stage: 'loading_image', stageProgress: 20 }]),
	];
	const starts = { creating: 1_000, loading_image: 5_000 };
	expect(computerAfter('sb_1', ...facts)?.stageStarts).toEqual(starts);
	const later = listRead(8_000, [{ ...creating, stage: 'loading_image', stageProgress: 60 }]);
	expect(computerAfter('sb_1', ...facts, later)?.stageStarts).toEqual(starts);
	const ready = statusRead(9_000, { id: 'sb_1', status: 'active' });
	expect(computerAfter('sb_1', ...facts, ready)?.stageStarts).toBeUndefined();
});

test('a stage of a creation has no beginning if nothing saw it begin', () => {
	const creating = { id: 'sb_1', status: 'provisioning', createdAt: 1_000 };
	const late = listRead(20_000, [{ ...creating, stage: 'loading_image' }]);
	expect(computerAfter('sb_1', late)?.stageStarts).toBeUndefined();
	const early = listRead(2_000, [{ ...creating, stage: 'creating' }]);
	const afterSilence = listRead(2_000 + 3 * minute, [{ ...creating, stage: 'loading_image' }]);
	expect(computerAfter('sb_1', early, afterSilence)?.stageStarts).toEqual({ creating: 1_000 });
});

const known = {
	id: 'sb_1',
	name: 'atlas',
	status: 'creating',
	stage: 'loading_image',
	stageProgress: 40,
	version: '1.4.2',
	startedAt: 100_000,
	cpu: 12,
};

type Told = Partial<Reading>;

test.each<[string, Told, Told]>([
	['a value takes the place of the earlier one', { cpu: 50 }, { cpu: 50 }],
	['what an answer does not tell stays', {}, {}],
	['null says that there is no value', { name: null }, { name: null }],
	['a start within seconds is the same start', { startedAt: 103_000 }, {}],
	['another start is a new one', { startedAt: 200_000 }, { startedAt: 200_000 }],
	[
		'a new stage ends the progress',
		{ stage: 'ready' },
		{ stage: 'ready', stageProgress: undefined },
	],
	[
		'a new status ends what belongs to it',
		{ status: 'active' },
		{
			status: 'active',
			stage: undefined,
			stageProgress: undefined,
			startedAt: undefined,
			cpu: undefined,
		},
	],
	[
		'another word for the same status ends nothing',
		{ status: 'provisioning' },
		{ status: 'provisioning' },
	],
])('in a merged reading, %s', (_, told, expected) => {
	const before = accountAfter(listRead(1_000, [known]));
	const after = accountAfter(listRead(1_000, [known]), listRead(2_000, [{ id: 'sb_1', ...told }]));
	expect(after.computers.get('sb_1')?.reading).toEqual({ ...known, ...expected });
	if (Object.keys(expected).length === 0) expect(after.computers).toEqual(before.computers);
});

test.each<[string, Told, Told]>([
	['fills in what nobody told', { location: 'eu-north' }, { location: 'eu-north' }],
	['changes nothing that is known', { cpu: 50, name: 'vega' }, {}],
	['never tells a start', { startedAt: 200_000 }, {}],
	['tells nothing of another status', { status: 'error', error: 'disk full' }, {}],
])('an outdated answer %s', (_, told, expected) => {
	const outdated = statusRead(4_000, { id: 'sb_1', ...told }, 2_000);
	const merged = computerAfter('sb_1', listRead(3_000, [known]), outdated)?.reading;
	expect(merged).toEqual({ ...known, ...expected });
});

test('an outdated answer tells no start of a computer whose start is unknown either', () => {
	const started = { id: 'sb_1', status: 'active', startedAt: 1_000 };
	const list = listRead(3_000, [{ id: 'sb_1', status: 'active' }]);
	const late = computerAfter('sb_1', list, statusRead(4_000, started, 2_000));
	expect(late?.reading).not.toHaveProperty('startedAt');
});
