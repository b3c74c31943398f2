import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeChanges } from '../../source/fleet/change.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { mergeSamples } from '../../source/fleet/runway.ts';
import { changeEntryFrom, creditEntryFrom, entriesOf } from '../../source/journal/journal-entry.ts';
import { snapshotFactFrom, snapshotFacts } from '../../source/journal/snapshot.ts';
import { settlementIn } from '../../source/operations/settlement.ts';
import { statusAnswerOf } from '../../source/store/answer-times.ts';
import { fold } from '../../source/store/fold.ts';
import { createCountsOf, createRowsOf } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState, type State } from '../../source/store/state.ts';
import { anyFacts, factBodyExcept, sequentialFacts } from '../arbitraries/facts.ts';
import { now } from '../arbitraries/values.ts';
import { runs } from './runs.ts';

/** Facts of the journal's own are not written to it again. */
const lived = sequentialFacts(factBodyExcept('fleetRecalled', 'pastRecalled', 'historyRecalled'));

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
					expect(statusAnswerOf(each, computer)?.at ?? 0).toBeLessThanOrEqual(now + 400_000);
				}
				for (const seen of each.computerReads.keys()) expect(each.computers.has(seen)).toBe(true);
			}
		}),
		runs(150),
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
		runs(60),
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
		runs(60),
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
		fc.property(lived, facts => {
			const { changes, credits, state } = linesOf(facts);
			const { changes: log, samples: taken } = state.accounts.get('owner') ?? emptyAccount;
			const live = { changes: plain(log), samples: plain(taken) };
			const kept = changes.flatMap(line => changeEntryFrom(line)?.what ?? []);
			const samples = credits.flatMap(line => creditEntryFrom(line)?.what ?? []);
			expect([kept.length, samples.length]).toEqual([changes.length, credits.length]);
			const past = { changes: mergeChanges(kept, kept), samples };
			const replay: Fact = { account: 'owner', at: now + 2_000_000, type: 'pastRecalled', ...past };
			const again = fold(emptyState, replay).accounts.get('owner');
			expect(again?.changes).toEqual(mergeChanges([], live.changes));
			expect(again?.changes).toHaveLength(live.changes.length);
			expect(live.samples).toEqual(expect.arrayContaining([...(again?.samples ?? [])]));
			expect(again?.samples).toEqual(mergeSamples([], again?.samples ?? []));
		}),
		runs(60),
	);
});

// The same is: every computer with its fields, its phase and since when. Of its ports the numbers: a
// share token opens a door, so neither the token nor an address that holds it is written down.
test('the fleet that is written down comes back the same', () => {
	fc.assert(
		fc.property(lived, facts => {
			const live = facts.reduce(fold, emptyState).accounts.get('owner') ?? emptyAccount;
			const lines = [...snapshotFacts('owner', live, now + 2_000_000)].map(fact =>
				JSON.stringify(fact),
			);
			const recalled = lines.flatMap(line => snapshotFactFrom(line) ?? []);
			expect(recalled).toHaveLength(lines.length);
			const again = recalled.reduce(fold, emptyState).accounts.get('owner') ?? emptyAccount;
			const essence = (state: typeof live) =>
				[...state.computers.values()].map(({ id, reading, phase, since, stopReason }) =>
					JSON.stringify([
						id,
						{ ...reading, ports: reading.ports?.map(({ port }) => port) },
						phase,
						since,
						stopReason,
					]),
				);
			expect(essence(again)).toEqual(essence(live));
			expect(again.release).toEqual(live.release);
			expect(again.subscription).toEqual(live.subscription);
		}),
		runs(60),
	);
});
