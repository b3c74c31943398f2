import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../source/fleet/reads.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import {
	outageRetryAt,
	type PlannerInput,
	plan,
	type Read,
	type ReadSlots,
	type ReadSlotsByScope,
	readKey,
} from '../../source/watch/plan.ts';
import { anyFacts } from '../arbitraries/facts.ts';
import { now } from '../arbitraries/values.ts';
import { minute, second } from '../durations.ts';
import { runs } from '../runs.ts';

describe('a plan for any state', () => {
	// Generates times: never, long ago, just now, or in the future, as after the clock was set back.
	const time = fc.oneof(
		fc.constant(Number.NEGATIVE_INFINITY),
		fc.integer({ min: -200 * minute, max: 10 * minute }).map(ago => now + ago),
		fc.integer({ min: -10 * second, max: 0 }).map(ago => now + ago),
	);
	const failed = fc.record({
		read: fc.constantFrom('list', 'credits', 'models', 'status'),
		kind: fc.constantFrom('offline', 'auth', 'server', 'limited'),
		at: time.filter(Number.isFinite),
		wait: fc.nat(2 * minute),
	});
	const account = fc
		.tuple(anyFacts, fc.array(failed, { maxLength: 12 }))
		.map(([facts, failures]) => {
			const { account: owner = 'owner' } = facts[0] ?? {};
			const failing = failures.map(({ read, kind, at, wait }) => {
				const body = { type: 'readFailed', read, nextAt: at + wait } as const;
				return { account: owner, at, ...body, failure: createFailure(kind, 'broken') };
			});
			return [...facts, ...failing].reduce(fold, emptyState).accounts.get(owner) ?? emptyAccount;
		});
	const input: fc.Arbitrary<PlannerInput> = account.chain(known => {
		const ids = [...known.computers.keys(), 'sb_gone'];
		const id = fc.constantFrom(...ids);
		const read: fc.Arbitrary<Read> = fc.oneof(
			fc.constantFrom('list', 'credits', 'models', 'release').map(name => ({ name }) as const),
			fc.record({ name: fc.constantFrom('status', 'detail'), id }),
		);
		const rounds = fc.constantFrom('urgent', 'attended', 'rest', 'detail');
		const key = fc.oneof(read.map(readKey), rounds);
		return fc.record({
			account: fc.constant(known),
			mode: fc.constantFrom('moving', 'calm', 'unattended'),
			attention: fc.record({
				visibleIds: fc.uniqueArray(id, { maxLength: 40 }),
				views: fc.constantFrom([], ['models']),
				detailId: fc.option(id, { nil: undefined }),
				attendedUntil: fc.constantFrom(now, Number.POSITIVE_INFINITY),
			}),
			inFlight: fc.array(read).map(all => new Set(all.map(readKey))),
			sentAt: fc.array(fc.tuple(key, time), { maxLength: 30 }).map(all => new Map(all)),
			sideReadTimes: fc.array(time, { maxLength: 6 }),
			requestedAt: time,
			requested: fc.array(read, { maxLength: 8 }),
			staleBefore: time,
			requestsPerList: fc.integer({ min: 1, max: 500 }),
		});
	});
	const byPriority = (value: fc.Arbitrary<number>) =>
		fc.record({ operation: value, requestedRead: value, read: value });
	const slotsOf = (limit: number): fc.Arbitrary<ReadSlots> =>
		fc.record({
			free: byPriority(fc.integer({ min: 0, max: limit })),
			nextAt: byPriority(fc.integer({ min: 0, max: 2 * minute }).map(ahead => now + ahead)),
			readsPerMs: fc.double({ min: 1, max: limit, noNaN: true }).map(each => each / minute),
		});
	const slotPair: fc.Arbitrary<ReadSlotsByScope> = fc.record({
		status: slotsOf(60),
		other: slotsOf(24),
	});

	type Rule = (state: PlannerInput, slots: ReadSlotsByScope, chosen: readonly Read[]) => void;
	const check = (rule: Rule) =>
		fc.assert(
			fc.property(input, slotPair, (state, slots) => {
				rule(state, slots, plan(state, slots, now).reads);
			}),
			runs(200),
		);

	test('never exceeds the slots of a scope', () => {
		check((_, slots, chosen) => {
			for (const scope of ['status', 'other'] as const) {
				const spent = chosen.filter(({ name }) => readRows[name].scope === scope).length;
				const { free } = slots[scope];
				expect(spent).toBeLessThanOrEqual(Math.max(free.read, free.requestedRead));
			}
		});
	});

	test('never repeats a read that is in flight, and never reads a computer that does not exist', () => {
		check((state, _, chosen) => {
			expect(chosen.filter(each => state.inFlight.has(readKey(each)))).toEqual([]);
			const ids = chosen.flatMap(({ id }) => id ?? []);
			expect(ids.filter(id => !state.account.computers.has(id))).toEqual([]);
			expect(new Set(chosen.map(readKey)).size).toBe(chosen.length);
		});
	});

	test('sends at most one request during an outage, and only after the wait', () => {
		check((state, _, chosen) => {
			const retryAt = outageRetryAt(state, now);
			if (retryAt === undefined) return;
			expect(chosen.length).toBeLessThanOrEqual(1);
			if (chosen.length > 0) expect(retryAt).toBeLessThanOrEqual(now);
		});
	});
});
