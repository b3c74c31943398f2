import { describe, expect, test } from 'vitest';
import { type Fact, type OperationChanged, operationFact } from '../../source/fleet/fact.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { outcomeOf } from '../../source/operations/outcome.ts';
import { batchesOf } from '../../source/store/our-operations.ts';
import {
	accountAfter,
	fact,
	failure,
	listRead,
	missed,
	operationChanged,
	operationFacts,
	statusRead,
} from '../arbitraries/sample-facts.ts';

const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.3.9' };
const fleet = listRead(1_000, [atlas]);
const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
const accepted = { queued: 2_000, sent: 2_500, accepted: 2_800 };
const stopped = [fleet, ...operationFacts(stop, accepted)];

function endAfter(...facts: readonly Fact[]) {
	const state = accountAfter(...facts);
	const operation = state.operations.get('k');
	const { stage } = (operation && outcomeOf(state, operation, facts.at(-1)?.at ?? 0)) ?? {};
	return stage === 'done' ? 'settled' : (stage ?? 'settling');
}

const stepsOf = ({ changes }: ReturnType<typeof accountAfter>) =>
	changes.flatMap(change => (change.type === 'operationMoved' ? [[change.to, change.at]] : []));

test('each step of an operation is logged, and an operation that is done has ended', () => {
	const signedIn = fact(1, { type: 'signInTried', email: 'owner@example.com' });
	const facts = operationFacts(stop, { ...accepted, done: 9_000 });
	const state = accountAfter(signedIn, fleet, ...facts);
	expect(state.operations.size).toBe(0);
	expect(state.endedOperations.get('k')?.stage).toBe('done');
	const who = 'owner@example.com';
	expect(state.changes).toEqual([
		{ type: 'operationMoved', at: 2_500, wish: stop, to: 'sent', took: 0, who },
		{ type: 'operationMoved', at: 9_000, wish: stop, to: 'settled', took: 6_500, who },
	]);
});

test('the latest fact alone says what all facts say, except how the computer was before', () => {
	const all = accountAfter(...stopped);
	const last = stopped.at(-1);
	const alone = accountAfter(fleet, ...(last ? [{ ...last, pane: '7' }] : []));
	const { readingBefore, ...operation } = all.operations.get('k') ?? {};
	expect(readingBefore).toEqual(atlas);
	expect(alone.operations.get('k')).toEqual({ ...operation, pane: '7' });
	expect(stepsOf(alone)).toEqual(stepsOf(all));
});

test('a step that has no failure to explain is told in fewer than 400 bytes', () => {
	const at = Date.UTC(2026, 10, 21);
	const operation: Operation = {
		spec: {
			key: 'lz4k2m9q-1p3x8c7d2a-1f4',
			operation: 'unpublish',
			computer: 'sb_9p8p29seq06p',
			name: 'a-name-of-twenty-two-c',
			port: 8080,
			batch: 'lz4k2m9q-1p3x8c7d2a-e',
		},
		stage: 'done',
		askedAt: at,
		sentAt: at,
		acceptedAt: at,
		endedAt: at,
		skipped: 3,
		hasPhaseChanged: false,
	};
	const told = { account: 'owner@example.com', at, ...operationFact(operation) };
	expect(JSON.stringify(told).length).toBeLessThan(400);
});

test('what another process tells twice is logged once', () => {
	const facts = operationFacts(stop, { ...accepted, done: 9_000 }, { pane: '7' });
	expect(stepsOf(accountAfter(fleet, ...facts, ...facts))).toHaveLength(2);
});

test('a restart is done when the status in between was seen', () => {
	const restart = [fleet, ...operationFacts({ ...stop, operation: 'restart' }, accepted)];
	const again = statusRead(4_000, atlas, 3_900);
	const between = statusRead(3_000, { id: 'sb_1', status: 'restarting' }, 2_900);
	expect(endAfter(...restart, again)).toBe('settling');
	expect(endAfter(...restart, between)).toBe('settling');
	expect(endAfter(...restart, between, again)).toBe('settled');
});

describe('a creation', () => {
	const create = { key: 'k', operation: 'create' };
	const sent = operationFacts(create, { queued: 2_000, sent: 2_100 });
	const acceptedAs = (more: Partial<OperationChanged>, name?: string) => {
		const times = { sent: 2_100, accepted: 2_600 };
		const spec = { ...create, computer: 'sb_9', name };
		return fact(2_600, operationChanged(spec, 'accepted', times, more));
	};
	const done = fact(9_000, operationChanged({ ...create, computer: 'sb_9' }, 'done'));

	test('adds the computer of the response to the fleet', () => {
		const reading = { id: 'sb_9', status: 'provisioning', stage: 'creating' };
		const state = accountAfter(fleet, ...sent, acceptedAs({ reading }, 'lyra'));
		expect(state.operations.get('k')?.spec.computer).toBe('sb_9');
		expect(state.computers.get('sb_9')).toMatchObject({
			phase: 'creating',
			reading: { ...reading, name: 'lyra' },
			since: { at: 2_600, isLowerBound: false },
		});
	});

	test('without a name is reported with the name that the platform chose', () => {
		const reading = { id: 'sb_9', name: 'octans-21', status: 'provisioning' };
		const byResponse = accountAfter(...sent, acceptedAs({ reading }));
		expect(byResponse.operations.get('k')?.spec.name).toBe('octans-21');
		const byLaterList = accountAfter(...sent, acceptedAs({}), listRead(3_000, [reading]), done);
		expect(byLaterList.changes.at(-1)).toMatchObject({
			to: 'settled',
			wish: { name: 'octans-21' },
		});
	});

	test('does not fail while its new computer is not found yet', () => {
		const facts = [...sent, acceptedAs({}), missed(3_000, 'sb_9')];
		expect(accountAfter(...facts).computers.get('sb_9')?.isMissing).toBe(true);
		expect(endAfter(...facts)).toBe('settling');
	});

	test('that failed belongs to no computer, so only the latest few failures stay', () => {
		const facts = Array.from({ length: 100 }, (_, n) =>
			operationFacts({ key: `k${n}`, operation: 'create' }, { queued: n, failed: n }),
		).flat();
		expect(accountAfter(...facts).operations.size).toBeLessThan(25);
	});
});

test('a deleted computer is removed, and a late answer about the computer is ignored', () => {
	const remove = { ...stop, operation: 'delete' };
	const facts = [fleet, ...operationFacts(remove, accepted), missed(5_000, 'sb_1', 4_900)];
	expect(endAfter(...facts)).toBe('settled');
	const done = operationFacts(remove, { ...accepted, done: 5_001 }).slice(-1);
	const state = accountAfter(...facts, ...done, listRead(5_100, [atlas], 4_800));
	expect(state.computers.size).toBe(0);
	expect(state.changes.at(-1)).toMatchObject({ type: 'statusChanged', to: null, reason: 'asked' });
});

test('the responses to publish and unpublish change the ports of the computer', () => {
	const done = { ...accepted, done: 2_900 };
	const by = (key: string, operation: string, port: number) =>
		operationFacts({ key, operation, computer: 'sb_1', port }, done);
	const portsAfter = (...facts: readonly Fact[]) =>
		accountAfter(fleet, ...facts).computers.get('sb_1')?.reading.ports;
	const both = portsAfter(...by('a', 'publish', 8080), ...by('b', 'publish', 5173));
	expect(both?.map(({ port }) => port)).toEqual([8080, 5173]);
	expect(portsAfter(...by('a', 'publish', 8080), ...by('b', 'unpublish', 8080))).toBeUndefined();
	const many = [{ port: 80 }, { port: 8080, omittedAfter: 30 }];
	const listed = listRead(1_500, [{ id: 'sb_1', status: 'active', ports: many }]);
	expect(portsAfter(listed, ...by('a', 'unpublish', 80))).toEqual(many.slice(1));
	expect(portsAfter(listed, ...by('a', 'unpublish', 8080))).toBeUndefined();
});

describe('a failure', () => {
	const failed = [fleet, ...operationFacts(stop, { queued: 2_000, sent: 2_500, failed: 6_000 })];
	const again = fact(7_000, operationChanged({ ...stop, key: 'again' }, 'queued'));

	test.each([
		['a person has seen it', fact(7_000, operationChanged(stop, 'seen'))],
		['the next operation on its computer', again],
		['its computer is gone', listRead(7_000, [])],
	])('stays until %s, and is then known as ended', (_, later) => {
		const state = accountAfter(...failed);
		expect(state.operations.get('k')).toMatchObject({ stage: 'failed', endedAt: 6_000, failure });
		expect(state.changes.at(-1)).toMatchObject({ to: 'failed', message: 'internal error' });
		const after = accountAfter(...failed, later);
		expect(after.operations.has('k')).toBe(false);
		expect(after.endedOperations.get('k')).toMatchObject({ stage: 'failed', failure });
	});

	test.each(['accepted', 'done', 'sent', 'queued'] as const)(
		'is not changed by a late “%s”',
		step => {
			const late = fact(8_000, operationChanged(stop, step, { sent: 2_500 }));
			expect(accountAfter(...failed, late)).toEqual(accountAfter(...failed));
		},
	);

	test('whose outcome is unknown can still be resolved after a person has seen it', () => {
		const lost = [fleet, ...operationFacts(stop, { queued: 2_000, sent: 2_500, unknown: 9_000 })];
		const state = accountAfter(...lost, fact(9_500, operationChanged(stop, 'seen')));
		expect(state.operations.get('k')).toMatchObject({ stage: 'unknown' });
		const read = statusRead(9_900, { id: 'sb_1', status: 'stopped' });
		expect(endAfter(...lost, read)).toBe('settled');
	});
});

describe('a batch', () => {
	const inBatch = (key: string, batch = 'b1') => {
		return { key, operation: 'stop', computer: `sb_${key}`, name: key, batch };
	};
	const ended = (key: string, step: 'done' | 'failed' | 'cancelled', batch?: string) =>
		operationFacts(inBatch(key, batch), { queued: 0, sent: 1, [step]: 2 });
	const unknownOutcome = { failure: { ...failure, isOutcomeUnknown: true } };

	test('is its operations with one id, each counted in its state', () => {
		const facts = [
			...ended('a', 'done'),
			...operationFacts(inBatch('b'), { queued: 0, sent: 1, unknown: 2 }),
			...ended('c', 'failed'),
			...ended('d', 'cancelled'),
			...operationFacts(inBatch('e'), { queued: 0, sent: 1 }, { skipped: 3 }),
			...operationFacts(inBatch('f'), { queued: 0 }),
			...operationFacts(inBatch('g'), { queued: 0, sent: 1, failed: 2 }, unknownOutcome),
		];
		expect(batchesOf(accountAfter(...facts)).get('b1')).toMatchObject({
			total: 7,
			countsByState: {
				waiting: 1,
				underWay: 1,
				checking: 1,
				done: 1,
				failed: 1,
				unknown: 1,
				cancelled: 1,
			},
			failures: [{ id: 'sb_c', name: 'c', message: 'internal error' }],
			unknownOutcomes: [{ id: 'sb_g', name: 'g' }],
			skipped: 3,
			isOver: false,
		});
	});

	test('is over when each of its operations has ended', () => {
		const facts = [...ended('a', 'done'), ...ended('b', 'cancelled')];
		const progress = batchesOf(accountAfter(...facts)).get('b1');
		expect(progress).toMatchObject({ isOver: true, endedAt: 2, total: 2 });
	});

	test('is forgotten after two thousand later operations have ended', () => {
		const later = Array.from({ length: 2_000 }, (_, n) => ended(`${n}`, 'done', 'later')).flat();
		const batches = batchesOf(accountAfter(...ended('a', 'done', 'old'), ...later));
		expect([...batches.keys()]).toEqual(['later']);
		expect(batches.get('later')?.total).toBe(2_000);
	});

	test('of a killed process: what was not sent is cancelled, and the rest is followed', () => {
		const pane = { pane: '7' };
		const facts = [
			...operationFacts(inBatch('a'), { queued: 0, sent: 1 }, pane),
			...operationFacts(inBatch('b'), { queued: 0 }, pane),
		];
		const left = (hasEnded: boolean) =>
			accountAfter(...facts, fact(5, { type: 'paneLeft', left: '7', hasEnded }));
		expect(batchesOf(left(true)).get('b1')).toMatchObject({
			total: 2,
			countsByState: { underWay: 1, cancelled: 1 },
		});
		expect(left(true).operations.get('a')).toMatchObject({ pane: '7', abandonedAt: 5 });
		expect(batchesOf(left(false)).size).toBe(0);
	});
});
