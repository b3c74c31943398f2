import fc from 'fast-check';
import * as valibot from 'valibot';
import { expect, test } from 'vitest';
import { changeSchema, mergeChanges } from '../../source/fleet/change.ts';
import { mergeSamples } from '../../source/fleet/computers/runway.ts';
import { commonFactFields, type Fact, factTable } from '../../source/fleet/fact.ts';
import { unionOf, validatorOf } from '../../source/foundation/schema.ts';
import { isSnapshotFact, snapshotFacts } from '../../source/journal/fleet-file.ts';
import {
	changeIn,
	changesToKeep,
	logLine,
	withoutOwnPane,
} from '../../source/journal/log-files.ts';
import { recordedFactSchema } from '../../source/journal/recording.ts';
import { outcomeOf } from '../../source/operations/outcome.ts';
import { statusAnswerOf } from '../../source/store/freshness.ts';
import { countsOf, rowsOf } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState, type State } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import {
	anyFacts,
	change,
	factBody,
	factBodyExcept,
	sequentialFacts,
} from '../arbitraries/facts.ts';
import { replacePart } from '../arbitraries/replace-part.ts';
import { everyFact } from '../arbitraries/sample-facts.ts';
import { latestTime, now } from '../arbitraries/values.ts';
import { runs } from '../runs.ts';

/**
 * Leaves out the facts that come from files, because they are not saved again, and the closing of an account, which
 * drops its log from the store but not from the journal.
 */
const journalledFacts = sequentialFacts(factBodyExcept('recalled'));

test('facts of any kind in any order can be folded, and the values derived from the state agree with the state', () => {
	fc.assert(
		fc.property(anyFacts, facts => {
			const state = facts.reduce(fold, emptyState);
			for (const each of state.accounts.values()) {
				const rows = rowsOf('test', each);
				expect(rows.map(row => row.computer.id)).toEqual([...each.computers.keys()]);
				expect(countsOf(rows).total).toBeLessThanOrEqual(rows.length);
				for (const operation of each.operations.values()) outcomeOf(each, operation, 0);
				for (const computer of each.computers.values()) {
					expect(computer.reading.id).toBe(computer.id);
					expect(statusAnswerOf(each, computer)?.at ?? 0).toBeLessThanOrEqual(latestTime);
				}
				for (const id of each.computerReads.keys()) expect(each.computers.has(id)).toBe(true);
			}
		}),
		runs(150),
	);
});

test('folding does not modify the previous state', () => {
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

/** Returns the value after a round trip through JSON, which turns -0 into 0. */
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** No process of these facts has it. */
const ownId = 'this process';

/** Returns the change in a line, as the process that wrote it reads it. */
function keptChange(line: string) {
	const change = changeIn(line, JSON.parse(line).account);
	return change && withoutOwnPane(change, ownId);
}

/** Returns every line that the journal writes while the facts are folded. */
function linesOf(facts: readonly Fact[]) {
	const lines: string[] = [];
	let state: State = emptyState;
	for (const fact of facts) {
		const next = fold(state, fact);
		const accountIn = ({ accounts }: State) => accounts.get(fact.account) ?? emptyAccount;
		const changes = changesToKeep(accountIn(state), accountIn(next), ownId);
		lines.push(...changes.map(change => logLine(fact.account, change)));
		state = next;
	}
	return { lines, state };
}

test('replaying the journal restores the log, even if two panes wrote it', () => {
	fc.assert(
		fc.property(journalledFacts, facts => {
			const { lines, state } = linesOf(facts);
			const live = throughJson((state.accounts.get('owner') ?? emptyAccount).changes);
			const entries = lines.flatMap(line => keptChange(line) ?? []);
			expect(entries).toHaveLength(lines.length);
			const past = { changes: mergeChanges(entries, entries), samples: [] };
			const replay: Fact = { account: 'owner', at: now + 2_000_000, type: 'recalled', ...past };
			const restored = fold(emptyState, replay).accounts.get('owner');
			expect(restored?.changes).toEqual(mergeChanges([], live));
			expect(restored?.changes).toHaveLength(live.length);
			expect(restored?.samples).toEqual(mergeSamples([], restored?.samples ?? []));
		}),
		runs(60),
	);
});

// Every restored computer must have the same fields, phase and time of its last change. Of its ports, only the
// numbers are compared, because the snapshot leaves out share tokens and the addresses that contain them.
test('a snapshot of any fleet restores the same fleet', () => {
	fc.assert(
		fc.property(journalledFacts, facts => {
			const live = facts.reduce(fold, emptyState).accounts.get('owner') ?? emptyAccount;
			const kept = throughJson(snapshotFacts('owner', live, now + 2_000_000));
			const recalled = kept.filter(isSnapshotFact);
			expect(recalled).toHaveLength(kept.length);
			const restored = recalled.reduce(fold, emptyState).accounts.get('owner') ?? emptyAccount;
			const savedPart = (state: typeof live) =>
				[...state.computers.values()].map(({ id, reading, phase, since, stopReason }) => {
					const ports = reading.ports?.map(({ port }) => port);
					return JSON.stringify([id, { ...reading, ports }, phase, since, stopReason]);
				});
			expect(savedPart(restored)).toEqual(savedPart(live));
			expect(restored.release).toEqual(live.release);
			expect(restored.subscription).toEqual(live.subscription);
		}),
		runs(60),
	);
});

const aFact = fc.oneof(
	factBody.map(body => ({ account: 'owner', at: 1_795_248_000_000, ...body })),
	fc.constantFrom(...everyFact),
);

const cases: readonly [string, valibot.GenericSchema, fc.Arbitrary<unknown>][] = [
	['fact', unionOf(factTable, commonFactFields), aFact],
	['recorded fact', recordedFactSchema, aFact.filter(({ type }) => type !== 'listRead')],
	['change', changeSchema, change],
];

const part = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom(-1, 0, 1e15, 1e16, 1e308, '', 'https://a.example/', 'http://a.example/', 'stop'),
	fc.constantFrom(null, true, [], [null], {}, { type: 'signInTried' }, { port: 80 }),
);

test.each(cases)(
	'the schema of a %s accepts every value of the type, and with replaced parts accepts and copies exactly what valibot does',
	(_, schema, valid) => {
		const { isValid, copy } = validatorOf(schema);
		const parsed = valid.map(value => JSON.parse(JSON.stringify(value)) as unknown);
		const seen = { accepted: 0, refused: 0 };
		const changes = fc.array(fc.tuple(fc.nat(500), part), { maxLength: 3 });
		fc.assert(
			fc.property(parsed, changes, (value, replacements) => {
				expect(isValid(value)).toBe(true);
				let changed = value;
				for (const [place, replacement] of replacements)
					changed = replacePart(changed, place, replacement);
				const { success, output } = valibot.safeParse(schema, changed);
				expect(isValid(changed)).toBe(success);
				if (success) expect(copy(changed, text => text)).toEqual(output);
				seen[success ? 'accepted' : 'refused'] += 1;
			}),
			runs(100),
		);
		expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20);
	},
);
