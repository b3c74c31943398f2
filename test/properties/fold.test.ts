import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeChanges } from '../../source/fleet/change.ts';
import type { Reading } from '../../source/fleet/computer.ts';
import type { Fact, Happening, OperationId, ReadName, Wish } from '../../source/fleet/fact.ts';
import type { Failure } from '../../source/fleet/failure.ts';
import { mergeSamples } from '../../source/fleet/runway.ts';
import { changeEntryFrom, creditEntryFrom, entriesOf } from '../../source/journal/entry.ts';
import { factFrom, factsOf } from '../../source/journal/kept-fact.ts';
import { createCountsOf } from '../../source/store/counts.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsOf } from '../../source/store/rows.ts';
import { settlementIn } from '../../source/store/settlement.ts';
import { statusSightOf } from '../../source/store/sight.ts';
import { emptyAccount, emptyState, type State } from '../../source/store/state.ts';

// Few ids, keys and words, so that facts meet; and some words that objects already know.
const id = fc.constantFrom('sb_1', 'sb_2', 'sb_3', '__proto__', 'constructor', '');
const key = fc.constantFrom('k1', 'k2', 'k3', '__proto__');
const account = fc.constantFrom('owner', '__proto__');
const text = fc.option(fc.string({ maxLength: 5 }));
const number = fc.option(fc.double({ noNaN: false }));
const status = fc.constantFrom(
	'provisioning',
	'active',
	'running',
	'stopped',
	'sleeping',
	'error',
	'stopping',
	'archived',
	'hasOwnProperty',
	'',
);

const reading: fc.Arbitrary<Reading> = fc.record(
	{
		id,
		status,
		name: text,
		stage: text,
		stageProgress: number,
		version: fc.option(fc.constantFrom('1.3.9', '1.4.2', 'x', '')),
		error: text,
		cpu: number,
		startedAt: number,
		ports: fc.option(fc.array(fc.record({ port: fc.nat(9) }), { maxLength: 2 })),
	},
	{ requiredKeys: ['id'] },
);

const failure: fc.Arbitrary<Failure> = fc.record({
	kind: fc.constantFrom('offline', 'server', 'cancelled', 'missing'),
	message: fc.string({ maxLength: 5 }),
	advice: fc.constant(''),
	isOutcomeUnknown: fc.boolean(),
});

const operation = fc.constantFrom<OperationId>(
	'create',
	'start',
	'stop',
	'restart',
	'update',
	'delete',
	'publish',
	'unpublish',
);

const wish: fc.Arbitrary<Wish> = fc.record(
	{ key, operation, computer: id, port: fc.nat(9), version: fc.constant('1.4.2') },
	{ requiredKeys: ['key', 'operation'] },
);

const read = fc.constantFrom<ReadName>('list', 'status', 'detail', 'credits', 'release');
const type = <T extends string>(name: T) => fc.constant(name);

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			type: type('listRead'),
			computers: fc.array(reading, { maxLength: 4 }),
			unreadable: fc.nat(1),
		}),
	},
	{ weight: 4, arbitrary: fc.record({ type: type('statusRead'), computer: reading }) },
	{ weight: 2, arbitrary: fc.record({ type: type('detailRead'), computer: reading }) },
	fc.record({ type: type('computerMissed'), id }),
	fc.record(
		{ type: type('readFailed'), read, id, failure },
		{ requiredKeys: ['type', 'read', 'failure'] },
	),
	fc.record({ type: type('creditsRead'), credits: fc.record({ balance: number }) }),
	fc.record({
		type: type('subscriptionRead'),
		subscription: fc.option(
			fc.record({ plan: fc.constantFrom('pro', 'ultra', '__proto__'), planName: type('x') }),
		),
	}),
	fc.record({
		type: type('releaseRead'),
		release: fc.record({ version: fc.constantFrom('1.4.1', '1.4.2'), changes: fc.constant([]) }),
	}),
	{ weight: 3, arbitrary: fc.record({ type: type('operationAsked'), wish }) },
	fc.record({ type: type('operationSent'), key }),
	fc.record(
		{ type: type('operationAccepted'), key, computer: id, reading },
		{ requiredKeys: ['type', 'key'] },
	),
	fc.record({
		type: fc.constantFrom('operationSettled', 'operationCancelled', 'operationSeen'),
		key,
	}),
	fc.record({ type: fc.constantFrom('operationFailed', 'operationUnknown'), key, failure }),
	fc.record({ type: type('signedIn'), email: type('owner@example.com') }),
);

/** Facts at any time, in any order, asked for at any time. */
const anyFacts: fc.Arbitrary<Fact[]> = fc.array(
	fc
		.record({
			account,
			at: fc.nat(300_000),
			askedAt: fc.option(fc.nat(400_000), { nil: undefined }),
		})
		.chain(({ askedAt, ...place }) =>
			happening.map(what => ({ ...place, ...(askedAt !== undefined && { askedAt }), ...what })),
		),
	{ maxLength: 40 },
);

/** Facts as one program meets them: each is asked for after the one before was answered. */
const factsInTurn: fc.Arbitrary<Fact[]> = fc
	.array(fc.tuple(fc.integer({ min: 2, max: 9_000 }), happening), { maxLength: 60 })
	.map(steps => {
		let at = 1_000_000;
		return steps.map(([wait, what]) => {
			at += wait;
			return { account: 'owner', at, askedAt: at - 1, ...what };
		});
	});

test('any facts in any order are folded, and what is derived from them is whole', () => {
	fc.assert(
		fc.property(anyFacts, facts => {
			const state = facts.reduce(fold, emptyState);
			for (const each of state.accounts.values()) {
				const rows = createRowsOf()(each);
				expect(rows.map(row => row.computer.id)).toEqual([...each.computers.keys()]);
				expect(createCountsOf()(rows).total).toBeLessThanOrEqual(rows.length);
				for (const known of each.operations.values()) settlementIn(each, known);
				for (const computer of each.computers.values()) {
					expect(computer.reading.id).toBe(computer.id);
					expect(statusSightOf(each, computer)?.at ?? 0).toBeLessThanOrEqual(400_000);
				}
				for (const seen of each.sights.keys()) expect(each.computers.has(seen)).toBe(true);
			}
		}),
		{ numRuns: 500 },
	);
});

test('a fold changes nothing that was there before', () => {
	fc.assert(
		fc.property(anyFacts, facts => {
			let state = emptyState;
			for (const fact of facts) {
				const before = structuredClone(state);
				const next = fold(state, fact);
				expect(state).toEqual(before);
				state = next;
			}
		}),
		{ numRuns: 200 },
	);
});

test('the same facts again give an equal state', () => {
	fc.assert(
		fc.property(anyFacts, facts => {
			expect(facts.reduce(fold, emptyState)).toEqual(facts.reduce(fold, emptyState));
			expect(
				facts.map(fact => JSON.parse(JSON.stringify(fact)) as Fact).reduce(fold, emptyState),
			).toEqual(JSON.parse(JSON.stringify(facts)).reduce(fold, emptyState));
		}),
		{ numRuns: 200 },
	);
});

/** As it comes back from a file: minus nothing is nothing. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Every line that the journal writes on the way, as text. */
function linesOf(facts: readonly Fact[]) {
	const lines = { changes: [] as string[], credits: [] as string[] };
	let state: State = emptyState;
	for (const fact of facts) {
		const next = fold(state, fact);
		const { changes, credits } = entriesOf(state, fact, next);
		lines.changes.push(...changes.map(entry => JSON.stringify(entry)));
		lines.credits.push(...credits.map(entry => JSON.stringify(entry)));
		state = next;
	}
	return { ...lines, state };
}

// The same is: the log, and of the credits those samples that the journal takes.
test('replaying the journal gives the same log, also when two panes wrote it', () => {
	fc.assert(
		fc.property(factsInTurn, facts => {
			const { changes, credits, state } = linesOf(facts);
			const { changes: log, samples: taken } = state.accounts.get('owner') ?? emptyAccount;
			const live = { changes: plain(log), samples: plain(taken) };
			const kept = changes.flatMap(line => changeEntryFrom(line)?.what ?? []);
			const samples = credits.flatMap(line => creditEntryFrom(line)?.what ?? []);
			expect([kept.length, samples.length]).toEqual([changes.length, credits.length]);
			const past = { changes: mergeChanges(kept, kept), samples };
			const replay: Fact = { account: 'owner', at: 2_000_000, type: 'pastRecalled', ...past };
			const again = fold(emptyState, replay).accounts.get('owner');
			expect(again?.changes).toEqual(mergeChanges([], live.changes));
			expect(again?.changes).toHaveLength(live.changes.length);
			expect(live.samples).toEqual(expect.arrayContaining([...(again?.samples ?? [])]));
			expect(again?.samples).toEqual(mergeSamples([], again?.samples ?? []));
		}),
		{ numRuns: 200 },
	);
});

// The same is: every computer with all that was told of it, its phase and since when.
test('the fleet that is written down comes back the same', () => {
	fc.assert(
		fc.property(factsInTurn, facts => {
			const live = facts.reduce(fold, emptyState).accounts.get('owner') ?? emptyAccount;
			const lines = [...factsOf('owner', live, 2_000_000)].map(fact => JSON.stringify(fact));
			const recalled = lines.flatMap(line => factFrom(line) ?? []);
			expect(recalled).toHaveLength(lines.length);
			const again = recalled.reduce(fold, emptyState).accounts.get('owner') ?? emptyAccount;
			const essence = (state: typeof live) =>
				[...state.computers.values()].map(({ id: of, reading: told, phase, since, stopReason }) =>
					JSON.stringify([of, told, phase, since, stopReason]),
				);
			expect(essence(again)).toEqual(essence(live));
			expect(again.release).toEqual(live.release);
			expect(again.subscription).toEqual(live.subscription);
		}),
		{ numRuns: 200 },
	);
});
