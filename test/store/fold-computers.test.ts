import { expect, test } from 'vitest';
import { type Reading, readingFields } from '../../source/fleet/computers/computer.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { statusAnswerOf } from '../../source/store/freshness.ts';
import { createStore } from '../../source/store/store.ts';
import {
	account,
	accountAfter,
	fact,
	failure,
	listRead as list,
	missed,
	operationChanged,
	operationFacts,
	statusRead,
} from '../arbitraries/sample-facts.ts';
import { hour, minute } from '../durations.ts';

type Told = Partial<Reading>;

const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.4.2' };
const other = { id: 'sb_2', name: 'borealis', status: 'stopped' };
const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
const plan = { plan: 'pro', planName: 'Pro' };
const [stopped, starting, inError] = ['stopped', 'starting', 'error'].map(status => ({
	status,
})) as [Told, Told, Told];
const pro = fact(1, { type: 'answered', read: 'subscription', answer: plan });

const status = (at: number, told: Told, askedAt = at) =>
	statusRead(at, { id: 'sb_1', ...told }, askedAt);
const detail = (at: number, told: Told) =>
	fact(at, { type: 'computerRead', read: 'detail', computer: { id: 'sb_1', ...told } });
const missing = missed(2_000, 'sb_1');
const listed = (at: number, told: Told, askedAt = at) =>
	list(at, [{ id: 'sb_1', ...told }], askedAt);

/** What is known of `sb_1`, and of the fleet. */
function known(...facts: readonly Fact[]) {
	const state = accountAfter(...facts);
	const computer = state.computers.get('sb_1');
	const { phase, since, stopReason, isMissing, stageStarts, idleForMs } = computer ?? {};
	return {
		...(Object.fromEntries(readingFields.map(field => [field, computer?.reading[field]])) as Told),
		...{ phase, since, stopReason, isMissing, stageStarts, idleForMs },
		toldAt: computer && statusAnswerOf(state, computer)?.at,
		ids: [...state.computers.keys()],
		changes: state.changes,
	};
}

const disk = { status: 'error', error: 'disk full' };
const oneStop = [
	list(1_000, [atlas]),
	...operationFacts(stop, { queued: 1_900, sent: 2_000, accepted: 2_400 }),
];
const stopping = [...oneStop, status(2_600, { status: 'stopping' })];

test('what was asked for later wins, what was left out counts as read, and nothing that is known is erased', () => {
	expect(known(listed(1, inError), status(2, inError)).error).toBe(null);
	expect(known(listed(1, inError)).error).toBe(undefined);
	expect(known(status(2, disk), status(3, inError)).error).toBe('disk full');
	expect(known(status(2, disk), status(3, atlas), listed(4, inError))).toMatchObject({
		error: undefined,
		version: '1.4.2',
	});
	expect(known(status(1, atlas), detail(5, { cpu: 12 }))).toMatchObject({
		cpu: 12,
		memory: null,
		address: null,
	});
	expect(
		known(list(1_000, [atlas]), status(3_000, stopped), status(3_100, atlas, 2_900)).phase,
	).toBe('stopped');
	expect(
		known(status(2_500, stopped, 2_400), list(4_000, [{ ...atlas, cpu: 3 }], 2_000)),
	).toMatchObject({ phase: 'stopped', name: 'atlas', cpu: 3, toldAt: 2_500 });
	expect(known(...stopping, list(4_000, [atlas], 2_100)).phase).toBe('stopping');
	expect(known(...oneStop, listed(4_000, stopped, 2_100)).phase).toBe('active');
	expect(known(...stopping, list(4_000, [atlas], 2_700)).phase).toBe('active');
	expect(known(status(2 * hour, atlas), status(hour, stopped)).phase).toBe('stopped');
	expect(known(list(1, [{ ...atlas, cpu: 4 }]), status(2, { status: 'running' }))).toMatchObject({
		status: 'running',
		cpu: 4,
		changes: [],
	});
	expect(known(status(1_000, atlas), listed(5_000, { name: 'atlas' })).toldAt).toBe(1_000);
});

const creating = { id: 'sb_1', name: 'atlas', status: 'provisioning' };
const begun = [list(0, []), list(1_000, [creating])];
const stageAt = (at: number, stage: string, told: Told = {}) =>
	listed(at, { ...creating, stage, ...told });
const createdAt = { createdAt: 1_000 };
const lasted = (lasted: number | undefined) => ({ changes: [{}, { to: 'active', lasted }] });

test('a phase, its duration and the stages of a creation date from what was seen or told, and from nothing else', () => {
	expect(known(list(5_000, [atlas]))).toMatchObject({ since: { at: 5_000, isLowerBound: true } });
	const sinceOf = (at: number) => known(listed(5_000, starting), list(at, [atlas])).since;
	expect(sinceOf(8_000)).toEqual({ at: 8_000, isLowerBound: false });
	expect(sinceOf(hour)).toEqual({ at: hour, isLowerBound: true });
	const twice = [list(5_000, [atlas]), list(20 * minute, [atlas])];
	expect(known(...twice).since?.at).toBe(20 * minute);
	expect(known(pro, ...twice).since?.at).toBe(5_000);
	const others = Array.from({ length: 40 }, (_, at) => statusRead(at * minute, other));
	expect(known(status(5_000, atlas), ...others, status(45 * minute, atlas)).since?.at).toBe(5_000);
	expect(
		known(...begun, status(46_000, creating, 45_900), status(49_000, atlas, 48_900)),
	).toMatchObject({
		changes: [
			{},
			{ notBefore: 45_900, at: 49_000, from: 'provisioning', to: 'active', lasted: 48_000 },
		],
	});
	expect(known(...begun, status(49_000, atlas))).toMatchObject(lasted(undefined));
	expect(
		known(...begun, status(49_000, { ...atlas, createdAt: 500, startedAt: 20_500 })),
	).toMatchObject(lasted(19_500));
	expect(known(list(0, [atlas]), list(hour, [creating]), list(hour + 1, [atlas]))).toMatchObject(
		lasted(undefined),
	);
	const first = stageAt(2_000, 'creating', createdAt);
	const loading = [
		stageAt(5_000, 'loading_image'),
		stageAt(8_000, 'loading_image', { stageProgress: 60 }),
	];
	const both = { creating: 1_000, loading_image: 5_000 };
	expect(known(first, ...loading).stageStarts).toMatchObject(both);
	expect(known(first, status(9_000, atlas)).stageStarts).toBe(undefined);
	expect(known(stageAt(20_000, 'loading_image', createdAt)).stageStarts).toBe(undefined);
	expect(known(first, stageAt(hour, 'loading_image')).stageStarts).toMatchObject({
		creating: 1_000,
	});
});

const broken = { id: 'sb_1', status: 'error' };
const errors = [list(1_000, [atlas]), list(2_000, [broken]), status(3_000, disk)];
const reasons = (...errors: readonly (string | undefined)[]) => ({
	changes: errors.map(error => ({ error })),
});

test('a change to an error keeps the first reason that is read, also later, and also after a recovery', () => {
	const otherReason = (at: number) => status(at, { ...disk, error: 'no memory' });
	const full = reasons('disk full');
	expect(known(list(1_000, [atlas]), status(2_000, disk))).toMatchObject(full);
	expect(known(...errors)).toMatchObject(full);
	expect(known(...errors.slice(0, 2), listed(3_000, disk))).toMatchObject(full);
	expect(known(...errors, otherReason(3_500))).toMatchObject(full);
	const again = [...errors, list(4_000, [atlas]), list(5_000, [broken]), otherReason(6_000)];
	expect(known(...again)).toMatchObject(reasons('disk full', undefined, 'no memory'));
});

/** Busy until a minute, then idle, and stopped at another minute. */
const idle = (busyUntil: number, stoppedAt: number) => [
	pro,
	...Array.from({ length: stoppedAt }, (_, at) =>
		list(at * minute, [{ ...atlas, cpu: at <= busyUntil ? 60 : 1 }]),
	),
	listed(stoppedAt * minute, stopped),
];
const started = (stoppedAt: number, told: Told = { startedAt: 0 }) => [
	pro,
	list(minute, [{ ...atlas, ...told }]),
	...Array.from({ length: stoppedAt }, (_, at) => list((at + 1) * minute, [atlas])),
	listed((stoppedAt + 1) * minute, stopped),
];
const asked = operationFacts(stop, { queued: 1_100, sent: 1_200 });
const before = idle(10, 41).slice(0, -1);

test('a stop is sleep only if the computer was idle, or started, just as long before as its plan lets it, and ours if we asked', () => {
	expect(known(...idle(10, 41)).stopReason).toBe('asleep');
	expect(known(...idle(10, 25)).stopReason).toBe('unknown');
	expect(known(...idle(10, 200)).stopReason).toBe('unknown');
	expect(known(...started(30)).stopReason).toBe('asleep');
	expect(known(...started(50)).stopReason).toBe('unknown');
	expect(known(...started(30, {})).stopReason).toBe('unknown');
	expect(
		known(...before, status(41 * minute, { status: 'stopping' }), status(43 * minute, stopped)),
	).toMatchObject({ stopReason: 'asleep', idleForMs: undefined });
	expect(known(...before.slice(0, -3), listed(41 * minute, stopped)).stopReason).toBe('unknown');
	expect(known(pro, list(1_000, [atlas]), ...asked, status(2_000, stopped))).toMatchObject({
		stopReason: 'asked',
		changes: [{}, { reason: 'asked' }],
	});
	expect(
		known(pro, list(1_000, [atlas]), status(2_000, stopped), status(3_000, atlas)).stopReason,
	).toBe(undefined);
});

const full = {
	name: 'atlas',
	status: 'creating',
	stage: 'loading_image',
	stageProgress: 40,
	version: '1.4.2',
	startedAt: 100_000,
	cpu: 12,
};
const ended = { stage: undefined, stageProgress: undefined, startedAt: undefined, cpu: undefined };

test.each<readonly [string, Told, Told]>([
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
	['a new status ends what belongs to it', { status: 'active' }, { status: 'active', ...ended }],
	[
		'another word for the status ends nothing',
		{ status: 'provisioning' },
		{ status: 'provisioning' },
	],
])('in a merged reading, %s', (_, told, expected) => {
	const store = createStore();
	const computers = () => store.getState().accounts.get(account)?.computers;
	store.receive([listed(1_000, full)]);
	const earlier = computers();
	store.receive([listed(2_000, told)]);
	expect(computers()?.get('sb_1')?.reading).toEqual({ id: 'sb_1', ...full, ...expected });
	expect(computers() === earlier).toBe(Object.keys(expected).length === 0);
});

test.each<readonly [string, Told, Told]>([
	['fills in what nobody told', { location: 'eu-north' }, { location: 'eu-north' }],
	['changes nothing that is known', { cpu: 50, name: 'vega' }, {}],
	['never tells a start', { startedAt: 200_000 }, {}],
	['tells nothing of another status', disk, {}],
])('an outdated answer %s', (_, told, expected) => {
	expect(known(listed(3_000, full), status(4_000, told, 2_000))).toMatchObject({
		...full,
		...expected,
	});
});

const gone = [list(1_000, [atlas, other]), list(3_000, [other], 2_500)];
const partial = (notes: object) => [
	list(1_000, [atlas, other]),
	fact(3_000, { type: 'listRead', computers: [other], ...notes }, 2_900),
];
const create = { key: 'k', operation: 'create', computer: 'sb_1' };
const accepted = { sent: 1_600, accepted: 2_000 };
const created = [
	list(1_000, [other]),
	...operationFacts({ key: 'k', operation: 'create' }, { queued: 1_500, sent: 1_600 }),
	fact(2_000, operationChanged(create, 'accepted', accepted, { reading: creating })),
];

test('a computer goes when a whole list leaves it out that was asked for after all that is known of it', () => {
	expect(known(list(1, [atlas, other]), list(2, [other, atlas])).ids).toEqual(['sb_2', 'sb_1']);
	expect(known(...gone)).toMatchObject({
		ids: ['sb_2'],
		changes: [{ at: 3_000, notBefore: 1_000, name: 'atlas', from: 'active', to: null }],
	});
	expect(known(...partial({ unreadable: 1 }))).toMatchObject({
		ids: ['sb_2', 'sb_1'],
		changes: [],
		toldAt: 1_000,
	});
	expect(known(...partial({ isCut: true }))).toMatchObject({ ids: ['sb_2', 'sb_1'], changes: [] });
	expect(known(...partial({ isCut: true }), list(5_000, [other]))).toMatchObject({
		ids: ['sb_2'],
		changes: [{ to: null }],
	});
	expect(known(...partial({ isCut: true }), list(5_000, [other, { id: 'sb_3' }]))).toMatchObject({
		changes: [{ id: 'sb_3', from: null, notBefore: 1_000 }, { id: 'sb_1' }],
	});
	expect(known(...gone, status(3_100, atlas, 2_400))).toMatchObject({ ids: ['sb_2'] });
	expect(known(...gone, list(4_000, [atlas, other], 3_500))).toMatchObject({
		ids: ['sb_1', 'sb_2'],
		changes: [{}, { from: null, to: 'active' }],
	});
	expect(known(list(3_000, [atlas], 2_500), list(3_100, [], 2_000)).ids).toEqual(['sb_1']);
	expect(known(list(1_000, [atlas]), list(2_000, [atlas, other]))).toMatchObject({
		changes: [{ id: 'sb_2', from: null, to: 'stopped', notBefore: 1_000 }],
	});
	expect(known(list(1_000, []), listed(2_000, {}), list(3_000, []))).toMatchObject({
		changes: [
			{ from: null, to: 'unknown' },
			{ from: 'unknown', to: null },
		],
	});
	expect(known(list(1, [atlas]), list(2, [broken, { ...broken, cpu: 50 }]))).toMatchObject({
		ids: ['sb_1'],
		cpu: 50,
		changes: [{ to: 'error' }],
	});
	expect(known(...created, list(2_100, [other], 1_900))).toMatchObject({ ids: ['sb_2', 'sb_1'] });
	expect(known(...created, list(4_000, [other])).phase).toBe('creating');
	const done = fact(9_000, operationChanged(create, 'done', { ...accepted, ended: 9_000 }));
	expect(known(...created, done, list(9_900, [other])).ids).toEqual(['sb_2']);
	expect(known(list(1_000, [atlas]), missing, list(3_000, [atlas])).isMissing).toBe(true);
	expect(known(list(1_000, [atlas]), missing, list(3_000, []))).toMatchObject({ ids: [] });
});

test('a computer that a read did not find is kept only while a list names it', () => {
	expect(known(list(1_000, [atlas]), missing, status(3_000, atlas)).isMissing).toBe(false);
	expect(known(status(1_000, atlas), missing)).toMatchObject({
		ids: [],
		changes: [{ from: 'active', to: null }],
	});
	expect(known(...partial({ isCut: true }), missed(4_000, 'sb_1')).ids).toEqual(['sb_2']);
});

test('the log keeps the latest 1,000 changes, and all changes of one list until the next fact', () => {
	const fleet = (status: string) =>
		Array.from({ length: 1_500 }, (_, at) => ({ id: `sb_${at}`, status }));
	const facts = [list(1, fleet('active')), list(2, fleet('stopped'))];
	expect(accountAfter(...facts).changes).toHaveLength(1_500);
	const next = accountAfter(...facts, status(3, atlas));
	expect(next.changes).toHaveLength(1_000);
	expect(next.changeCount).toBe(1_501);
});

test('failures of a read are counted from the first one until an answer comes, and those that fail together as one', () => {
	const failed = (at: number, askedAt = at) =>
		fact(
			at,
			{ type: 'readFailed', read: 'status', id: 'sb_1', failure, nextAt: at + 500 },
			askedAt,
		);
	const facts = [list(1_000, [atlas]), failed(2_000, 1_900), failed(2_010, 1_910), failed(3_000)];
	const times = { firstAskedAt: 1_900, firstFailedAt: 2_000, lastFailedAt: 3_000 };
	const failing = { failure, ...times, attempts: 2, nextAt: 3_500 };
	const state = accountAfter(...facts);
	expect(state.reads.status).toEqual({ failing });
	expect(state.computerReads.get('sb_1')?.failing?.status).toEqual(failing);
	const over = accountAfter(...facts, status(4_000, atlas), failed(5_000, 3_500));
	expect(over.reads.status).toEqual({ answer: { askedAt: 4_000, at: 4_000 } });
	expect(over.computerReads.get('sb_1')?.failing).toBeUndefined();
	const cancelled = { ...failure, kind: 'cancelled' } as const;
	const none = accountAfter(fact(1, { type: 'readFailed', read: 'list', failure: cancelled }));
	expect(none.reads.list).toBeUndefined();
});

const recalled = fact(900, {
	type: 'recalled',
	computers: [
		{ reading: atlas, seenAt: 800, since: { at: 100, isLowerBound: false } },
		{ reading: { id: 'sb_2', status: 'stopped' }, seenAt: 800, stopReason: 'asleep' },
	],
});

test('a saved fleet is shown until a list is read, and what has changed since then is logged', () => {
	expect(known(recalled)).toMatchObject({ phase: 'active', toldAt: 800 });
	expect(known(recalled, list(2_000, [atlas, other]))).toMatchObject({
		since: { at: 100, isLowerBound: false },
		changes: [],
	});
	expect(known(recalled, list(hour, [broken, { id: 'sb_3' }]))).toMatchObject({
		since: { at: hour, isLowerBound: true },
		changes: [
			{ id: 'sb_1', notBefore: 800 },
			{ id: 'sb_3', notBefore: 800 },
			{ id: 'sb_2', to: null },
		],
	});
	expect(known(recalled, list(hour, [atlas, other]))).toMatchObject({
		since: { at: hour, isLowerBound: true },
	});
	expect(known(list(800, [broken]), recalled)).toMatchObject({ ids: ['sb_1'], phase: 'error' });
});
