import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { readRows } from '../../source/fleet/reads.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { noFailures, noteAnswer, noteFailure } from '../../source/watch/failures.ts';
import { createNeedsSelector } from '../../source/watch/needs.ts';
import { plan } from '../../source/watch/plan.ts';
import type {
	PlannerInput,
	ReadSlots,
	ReadSlotsByScope,
} from '../../source/watch/planner-input.ts';
import { type Read, readKey } from '../../source/watch/reads.ts';
import { anyFacts } from '../arbitraries/facts.ts';
import { now } from '../arbitraries/values.ts';
import { runs } from '../runs.ts';
import { createRandom } from '../watch/simulation/random.ts';

const second = 1000;
const minute = 60 * second;

describe('a plan for any state', () => {
	// Generates times: never, long ago, just now, or in the future, as after the clock was set back.
	const time = fc.oneof(
		fc.constant(Number.NEGATIVE_INFINITY),
		fc.integer({ min: -200 * minute, max: 10 * minute }).map(ago => now + ago),
		fc.integer({ min: -10 * second, max: 0 }).map(ago => now + ago),
	);
	const account = anyFacts.map(facts => {
		const [first = emptyAccount] = facts.reduce(fold, emptyState).accounts.values();
		return first;
	});
	const input: fc.Arbitrary<PlannerInput> = account.chain(known => {
		const ids = [...known.computers.keys(), 'sb_gone'];
		const id = fc.constantFrom(...ids);
		const read: fc.Arbitrary<Read> = fc.oneof(
			fc.constantFrom('list', 'credits', 'models', 'release').map(name => ({ name }) as const),
			fc.record({ name: fc.constantFrom('status', 'detail'), id }),
		);
		const key = fc.oneof(
			read.map(readKey),
			fc.constantFrom('urgent', 'attended', 'rest', 'detail'),
		);
		const failed = fc.record({
			read,
			kind: fc.constantFrom('offline', 'auth', 'server', 'limited'),
			at: time.filter(Number.isFinite),
		});
		const failures = fc.array(failed, { maxLength: 12 }).map(all => {
			const noted = noFailures();
			for (const { read: which, kind, at } of all)
				noteFailure(noted, which, createFailure(kind, 'broken'), at, at, () => 0.5);
			return noted;
		});
		return fc.record({
			account: fc.constant(known),
			needs: fc.constant(createNeedsSelector()(known)),
			attention: fc.record({
				visibleIds: fc.array(id, { maxLength: 40 }).map(all => new Set(all)),
				detailId: fc.option(id, { nil: undefined }),
				attendedUntil: fc.constantFrom(now, Number.POSITIVE_INFINITY),
			}),
			inFlight: fc.array(read).map(all => new Set(all.map(readKey))),
			sentAt: fc.array(fc.tuple(key, time), { maxLength: 30 }).map(all => new Map(all)),
			sideReadTimes: fc.array(time, { maxLength: 6 }),
			failures,
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

	const check = (
		expectRule: (state: PlannerInput, slots: ReadSlotsByScope, chosen: readonly Read[]) => void,
	) =>
		fc.assert(
			fc.property(input, slotPair, (state, slots) => {
				expectRule(state, slots, plan(state, slots, now).reads);
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
			expect(chosen.every(({ id }) => id === undefined || state.needs.computers.has(id))).toBe(
				true,
			);
			expect(new Set(chosen.map(readKey)).size).toBe(chosen.length);
		});
	});

	test('sends at most one request during an outage, and only after the wait', () => {
		check(({ failures: { outage } }, _, chosen) => {
			if (!outage) return;
			expect(chosen.length).toBeLessThanOrEqual(1);
			const isOver = outage.failedAt > now || outage.failedAt + outage.delayMs <= now;
			if (chosen.length > 0) expect(isOver).toBe(true);
		});
	});
});

describe('a series of plans', () => {
	const fleet = fc.record({
		computers: fc.integer({ min: 1, max: 12 }),
		urgent: fc.integer({ min: 0, max: 20 }),
		/** The number of computers that cannot be read. At least one can be read: other tests cover an outage. */
		broken: fc.integer({ min: 0, max: 3 }),
		visible: fc.integer({ min: 0, max: 20 }),
		isOpen: fc.boolean(),
		focused: fc.boolean(),
		listHasStatus: fc.boolean(),
		slowest: fc.integer({ min: 50, max: 15 * second }),
		seed: fc.integer(),
	});
	type Fleet = typeof fleet extends fc.Arbitrary<infer T> ? T : never;

	/** Returns the longest time in milliseconds that each computer waited to be read, alone or in the list. */
	function longestWaits(options: Fleet, length: number): readonly number[] {
		const random = createRandom(options.seed);
		const ids = Array.from({ length: options.computers }, (_, place) => `sb_${place}`);
		const needsOf = createNeedsSelector();
		const inFlight = new Set<string>();
		const sentAt = new Map<string, number>();
		const failures = noFailures();
		let state = emptyState;
		const tell = (fact: Fact) => {
			state = fold(state, fact);
		};
		const statusOf = (id: string) =>
			ids.indexOf(id) < options.urgent ? { status: 'provisioning' } : { status: 'active' };
		const computers = ids.map(id => ({ id, ...(options.listHasStatus && statusOf(id)) }));
		const answerTo = ({ name, id = '' }: Read) => {
			if (name === 'list') return { type: 'listRead', computers } as const;
			if (name === 'detail') return { type: 'detailRead', computer: { id } } as const;
			if (name === 'status')
				return { type: 'statusRead', computer: { id, ...statusOf(id) } } as const;
			return { type: 'answered', read: 'credits', answer: { balance: 4 } } as const;
		};
		const failure = createFailure('server', 'broken');
		const inputAt = (): PlannerInput => {
			const known = state.accounts.get('one') ?? emptyAccount;
			return {
				account: known,
				needs: needsOf(known),
				attention: {
					visibleIds: new Set(ids.slice(0, options.visible)),
					attendedUntil: options.focused ? Number.POSITIVE_INFINITY : now,
					detailId: options.isOpen ? 'sb_0' : undefined,
				},
				inFlight,
				sentAt,
				sideReadTimes: [],
				failures,
				requested: [],
				staleBefore: now,
				requestsPerList: 1,
			};
		};

		const share = options.focused ? 1 : 1 / 4;
		const spent = { status: [] as number[], other: [] as number[] };
		const responses: { at: number; deliver: () => void }[] = [];
		const last = new Map(ids.map(id => [id, now]));
		const longest = new Map(ids.map(id => [id, 0]));
		const slotsAt = (scope: keyof ReadSlotsByScope, limit: number, at: number): ReadSlots => {
			spent[scope] = spent[scope].filter(each => each > at - 61 * second);
			const left = limit - spent[scope].length;
			const [oldest = at] = spent[scope];
			const nextAt = left > 0 ? at : oldest + 61 * second;
			return {
				free: { operation: left, requestedRead: left, read: left },
				nextAt: { operation: nextAt, requestedRead: nextAt, read: nextAt },
				readsPerMs: (limit * share) / (61 * second),
			};
		};
		const markRead = (id: string, at: number) => {
			longest.set(id, Math.max(longest.get(id) ?? 0, at - (last.get(id) ?? now)));
			last.set(id, at);
		};

		for (let at = now; at < now + length; ) {
			const slots = { status: slotsAt('status', 60, at), other: slotsAt('other', 24, at) };
			const { reads: chosen, nextPlanAt } = plan(inputAt(), slots, at);
			for (const read of chosen) {
				inFlight.add(readKey(read));
				for (const key of [readKey(read), read.name, read.purpose]) if (key) sentAt.set(key, at);
				const { scope } = readRows[read.name];
				spent[scope].push(at);
				const limit = scope === 'status' ? 60 : 24;
				if (spent[scope].length > limit) throw new Error(`more than ${limit} requests in ${scope}`);
				if (read.name === 'status') markRead(read.id ?? '', at);
				if (read.name === 'list' && options.listHasStatus) for (const id of ids) markRead(id, at);
				const isBroken =
					ids.indexOf(read.id ?? '') >= Math.max(1, options.computers - options.broken);
				const askedAt = at;
				const arrivesAt = at + 50 + random() * options.slowest;
				responses.push({
					at: arrivesAt,
					deliver() {
						inFlight.delete(readKey(read));
						const times = { account: 'one', at: arrivesAt, askedAt };
						if (read.id === undefined || !isBroken) {
							noteAnswer(failures, read);
							tell({ ...times, ...answerTo(read) });
							return;
						}
						const nextAt = noteFailure(failures, read, failure, askedAt, arrivesAt, random);
						tell({ ...times, type: 'readFailed', read: read.name, id: read.id, failure, nextAt });
					},
				});
			}
			responses.sort((a, b) => a.at - b.at);
			const nextResponse = responses[0]?.at ?? Number.POSITIVE_INFINITY;
			at = Math.min(Math.max(nextPlanAt, at + 1), nextResponse, at + 5 * second);
			while (responses[0] && responses[0].at <= at) responses.shift()?.deliver();
		}
		for (const id of ids) markRead(id, now + length);
		return [...longest.values()];
	}

	/** Few reads a minute are left, and one computer cannot be read: its retries must not take all of them. */
	const failingBesideUrgent: Fleet = {
		computers: 4,
		urgent: 1,
		broken: 1,
		visible: 2,
		isOpen: false,
		focused: false,
		listHasStatus: false,
		slowest: 50,
		seed: 0,
	};

	test('reads every computer within the time that the share of the rate limit allows', () => {
		fc.assert(
			fc.property(fleet, options => {
				// Urgent reads leave a twelfth of the limit for the other computers. Reads of visible rows take half of
				// that, and an unattended pane uses only a quarter of the limit.
				const share = 60 / 12 / 2 / (options.focused ? 1 : 4);
				const bound = (options.computers / share) * minute + 2 * minute;
				const waits = longestWaits(options, 2 * bound);
				expect(Math.max(...waits)).toBeLessThanOrEqual(bound);
			}),
			{ ...runs(4), examples: [[failingBesideUrgent]] },
		);
	});
});
