import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { plan } from '../../source/watch/plan.ts';
import {
	historyOf,
	type PlannerInput,
	type PolledComputer,
	type Read,
	type ReadHistory,
	type ReadSlots,
	type ReadSlotsByScope,
} from '../../source/watch/planner-input.ts';
import { statusNeeds } from '../../source/watch/pollable-fleet.ts';
import { readTable } from '../../source/watch/reads.ts';
import { createRequestHistory } from '../../source/watch/request-history.ts';
import { createRandom } from '../watch/simulation/random.ts';
import { runs } from './runs.ts';

const second = 1000;
const minute = 60 * second;
const now = Date.UTC(2026, 10, 21, 8);

describe('a plan for any state', () => {
	// Generates times: never, long ago, just now, or in the future, as after the clock was set back.
	const time = fc.oneof(
		fc.constant(Number.NEGATIVE_INFINITY),
		fc.integer({ min: -200 * minute, max: 10 * minute }).map(ago => now + ago),
		fc.integer({ min: -10 * second, max: 0 }).map(ago => now + ago),
	);
	const past = fc.integer({ min: 0, max: 2 * minute }).map(ago => now - ago);
	const backoff = fc.option(
		fc.record({
			failureCount: fc.integer({ min: 1, max: 9 }),
			firstFailedAt: past,
			failedAt: past,
			delayMs: fc.integer({ min: 0, max: 75 * second }),
		}),
	);
	const history: fc.Arbitrary<ReadHistory> = fc.record({
		askedAt: time,
		answeredAt: time,
		isInFlight: fc.boolean(),
		backoff,
	});
	const id = fc.integer({ min: 0, max: 60 }).map(place => `sb_${place}`);
	const computer: fc.Arbitrary<PolledComputer> = fc.record({
		id,
		urgentSince: fc.option(time),
		statusNeed: fc.constantFrom(null, ...statusNeeds),
		lacksDetail: fc.boolean(),
		status: history,
		detail: history,
	});
	const read: fc.Arbitrary<Read> = fc.oneof(
		fc.constantFrom('list', 'credits', 'models', 'release').map(name => ({ name }) as const),
		fc.record({ name: fc.constantFrom('status', 'detail'), id }),
	);
	const maybeKnown = fc.option(fc.boolean());
	const input: fc.Arbitrary<PlannerInput> = fc
		.record({
			computers: fc
				.uniqueArray(computer, { selector: each => each.id, maxLength: 60 })
				.map(all => new Map(all.map(each => [each.id, each]))),
			histories: fc.record({
				list: history,
				status: history,
				detail: history,
				credits: history,
				subscription: history,
				release: history,
				models: history,
			}),
			visibleIds: fc.array(id, { maxLength: 40 }).map(ids => new Set(ids)),
			detailId: fc.option(id, { nil: undefined }),
			attendedUntil: fc.constantFrom(now, Number.POSITIVE_INFINITY),
			movingSince: fc.option(time),
			listHasStatus: maybeKnown,
			detailHasStatus: maybeKnown,
			detailAddsFields: maybeKnown,
			isListUrgent: fc.boolean(),
			requestsPerList: fc.integer({ min: 1, max: 500 }),
			listDurationMs: fc.integer({ min: 0, max: minute }),
			lastSentAt: fc.record({ urgent: time, attended: time, rest: time, detail: time }),
			sideReadTimes: fc.array(time, { maxLength: 6 }),
			requestedReads: fc.array(read, { maxLength: 8 }),
			answersStaleBefore: time,
			outageBackoff: backoff,
		})
		.map(({ detailId, ...rest }) => (detailId === undefined ? rest : { ...rest, detailId }));
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
				const spent = chosen.filter(({ name }) => readTable[name].scope === scope).length;
				const { free } = slots[scope];
				expect(spent).toBeLessThanOrEqual(Math.max(free.read, free.requestedRead));
			}
		});
	});

	test('never repeats a read that is in flight, and never reads a computer that does not exist', () => {
		check((state, _, chosen) => {
			expect(chosen.filter(each => historyOf(state, each)?.isInFlight !== false)).toEqual([]);
			expect(new Set(chosen.map(({ name, id: about }) => `${name} ${about}`)).size).toBe(
				chosen.length,
			);
		});
	});

	test('repeats a failed read only after its backoff', () => {
		check((state, _, chosen) => {
			for (const each of state.outageBackoff ? [] : chosen) {
				const failed = historyOf(state, each)?.backoff;
				if (failed) expect(failed.failedAt + failed.delayMs).toBeLessThanOrEqual(now);
			}
		});
	});

	test('sends at most one request during an outage, and only after the backoff', () => {
		check((state, _, chosen) => {
			if (!state.outageBackoff) return;
			expect(chosen.length).toBeLessThanOrEqual(1);
			if (chosen.length > 0)
				expect(state.outageBackoff.failedAt + state.outageBackoff.delayMs).toBeLessThanOrEqual(now);
		});
	});

	test('returns the same reads for the same state, and does not modify it', () => {
		check((state, slots, chosen) => {
			const before = structuredClone(state);
			expect(plan(state, slots, now).reads).toEqual(chosen);
			expect(state).toEqual(before);
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
		const requestHistory = createRequestHistory(random);
		const ids = Array.from({ length: options.computers }, (_, place) => `sb_${place}`);
		const computers = ids.map((id, place) => ({
			id,
			urgentSince: place < options.urgent ? now : null,
			statusNeed: null,
			lacksDetail: false,
		}));
		const listFields = new Set(options.listHasStatus ? ['id', 'status'] : ['id']);
		requestHistory.setFleet({
			computers,
			listFields,
			isListUrgent: false,
			movingSince: options.urgent > 0 ? now : null,
		});
		requestHistory.setAttention({
			visibleIds: new Set(ids.slice(0, options.visible)),
			attendedUntil: options.focused ? Number.POSITIVE_INFINITY : now,
			...(options.isOpen && { detailId: 'sb_0' }),
		});
		requestHistory.expireAnswers(now);

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
			const { reads: chosen, nextPlanAt } = plan(requestHistory.plannerInput, slots, at);
			for (const read of chosen) {
				requestHistory.noteSent(read, at);
				const { scope } = readTable[read.name];
				spent[scope].push(at);
				const limit = scope === 'status' ? 60 : 24;
				if (spent[scope].length > limit) throw new Error(`more than ${limit} requests in ${scope}`);
				if (read.name === 'status') markRead(read.id ?? '', at);
				if (read.name === 'list' && options.listHasStatus) for (const id of ids) markRead(id, at);
				const isBroken =
					ids.indexOf(read.id ?? '') >= Math.max(1, options.computers - options.broken);
				const arrivesAt = at + 50 + random() * options.slowest;
				responses.push({
					at: arrivesAt,
					deliver: () =>
						read.id !== undefined && isBroken
							? requestHistory.noteFailed(read, createFailure('server', 'broken'), arrivesAt)
							: requestHistory.noteAnswered(read, answerTo(read), arrivesAt),
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

	const answerTo = ({ name, id = '' }: Read) => ({
		fact:
			name === 'detail'
				? ({ type: 'detailRead', computer: { id } } as const)
				: name === 'status'
					? ({ type: 'statusRead', computer: { id, status: 'active' } } as const)
					: ({ type: 'listRead', computers: [] } as const),
		requestCount: 1,
	});

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
