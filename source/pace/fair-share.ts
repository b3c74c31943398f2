import type { ScopeState } from './ledger-state.ts';
import { type Limit, slotLifetimeMs } from './limits.ts';
import { pollerOf } from './slot-id.ts';

/**
 * The reads of one process that polls, and when it will read next if it keeps its pace. Times are of the ledger's
 * clock.
 */
type Poller = { lastAt: number; intervalMs: number };

/** The share of the limit that is left for one process, given the reads in the ledger. */
export type FairShare = {
	/** The shortest interval at which the process can go on reading while all others read as well. */
	intervalMs: number;
	/**
	 * The same interval after an extra read, which takes one more slot. The interval is infinite unless this process
	 * was the last to read, so that only one process at a time sends an extra read.
	 */
	intervalAfterExtraReadMs: number;
	/** How many processes poll, including this process. */
	pollerCount: number;
};

type FairShareOptions = {
	state: ScopeState;
	rule: Limit;
	/** How many reads all processes together may send in any window. */
	capacity: number;
	isOwnRead: (slotId: string) => boolean;
	now: number;
};

// A slot is also taken while its request is in flight, which takes about this many milliseconds.
const typicalRequestMs = 250;

/** How long a slot is taken by a request that is answered as fast as usual. */
export const typicalSlotMs = (rule: Limit) => slotLifetimeMs(rule) + typicalRequestMs;

// Another process may soon read a little faster than before, so its interval is multiplied by this factor.
const expectedSpeedup = 0.9;

/**
 * Divides what is left of a limit among the processes that poll. Every process computes the same division from the
 * same ledger, so no process has to ask another. It finds the shortest interval at which all processes can read from
 * now on without ever waiting for a slot:
 *
 * ```
 *   slots taken     ├─ a ─────────────────────┤
 *                      ├─ b ─────────────────────┤
 *   reads to come             a     b      a     b      at most `capacity` slots are taken at any time
 * ```
 *
 * A process that reads more slowly anyway keeps its own interval, and the others get the rest.
 */
export function createFairShare(): (options: FairShareOptions) => FairShare {
	let kept: Turn | undefined;

	// A process keeps the interval that it computed after its last read. Otherwise, other processes that read a
	// little early could delay its turn again and again.
	return options => {
		const share = fairShareFrom(options);
		const { lastAt, pollerCount, intervalMs } = share;
		const isSameTurn = kept?.lastAt === lastAt && kept.pollerCount === pollerCount;
		if (!kept || !isSameTurn || pollerCount === 1 || intervalMs < kept.intervalMs)
			kept = { lastAt, pollerCount, intervalMs };
		return { ...share, intervalMs: kept.intervalMs };
	};
}

/** The last read of this process, how many processes polled then, and the interval that followed from them. */
type Turn = { lastAt: number; pollerCount: number; intervalMs: number };

function fairShareFrom(options: FairShareOptions): FairShare & { lastAt: number } {
	const { state, rule, capacity, isOwnRead, now } = options;
	const lifetimeMs = typicalSlotMs(rule);
	const { own, others } = pollersFrom(state, isOwnRead);
	const { lastAt } = own;
	const pollerCount = others.length + 1;
	if (others.length === 0) {
		const intervalMs = lifetimeMs / capacity;
		return { lastAt, intervalMs, intervalAfterExtraReadMs: intervalMs, pollerCount };
	}
	const ends = [...state.spends.values()].flatMap(({ id, at, hold }) =>
		pollerOf(id) === undefined ? [] : [Math.min(at + hold, at + lifetimeMs)],
	);
	const shortestFor = (slotEnds: readonly number[]) =>
		shortestFittingInterval(
			intervalMs => fits(slotEnds, [own, ...others], { intervalMs, capacity, lifetimeMs, now }),
			lifetimeMs / capacity,
			lifetimeMs * (1 + pollerCount / capacity),
		);
	const isLastReader = others.every(({ lastAt }) => lastAt <= own.lastAt);
	return {
		lastAt,
		intervalMs: shortestFor(ends),
		intervalAfterExtraReadMs: isLastReader
			? shortestFor([...ends, now + lifetimeMs, now + lifetimeMs])
			: Number.POSITIVE_INFINITY,
		pollerCount,
	};
}

/** Collects the last read of each process, and the interval of those that have read a few times. */
function pollersFrom(
	state: ScopeState,
	isOwnRead: (slotId: string) => boolean,
): { own: Poller; others: readonly Poller[] } {
	const times = new Map<string, { first: number; last: number; count: number }>();
	let ownLastAt = Number.NEGATIVE_INFINITY;
	for (const { id, at } of state.spends.values()) {
		const poller = pollerOf(id);
		if (poller === undefined) continue;
		if (isOwnRead(id)) {
			ownLastAt = Math.max(ownLastAt, at);
			continue;
		}
		const known = times.get(poller);
		times.set(poller, {
			first: Math.min(known?.first ?? at, at),
			last: Math.max(known?.last ?? at, at),
			count: (known?.count ?? 0) + 1,
		});
	}
	const others = [...times.values()].map(({ first, last, count }) => ({
		lastAt: last,
		intervalMs: count < 3 ? 0 : (expectedSpeedup * (last - first)) / (count - 1),
	}));
	return { own: { lastAt: ownLastAt, intervalMs: 0 }, others };
}

type Projection = { intervalMs: number; capacity: number; lifetimeMs: number; now: number };

/**
 * Whether `capacity` slots are enough if each process reads at this interval, or at its own interval if that is
 * longer.
 */
function fits(
	ends: readonly number[],
	pollers: readonly Poller[],
	{ intervalMs, capacity, lifetimeMs, now }: Projection,
): boolean {
	const reads = pollers
		.flatMap(poller => readTimes(poller, intervalMs, now, now + lifetimeMs))
		.sort((a, b) => a - b);
	const sortedEnds = [...ends].sort((a, b) => a - b);
	let endedCount = 0;
	return reads.every((at, place) => {
		// An overdue read waits for the next slot, and no interval can change that.
		if (at === now) return true;
		while ((sortedEnds[endedCount] ?? Number.POSITIVE_INFINITY) <= at) endedCount += 1;
		return sortedEnds.length - endedCount + place + 1 <= capacity;
	});
}

function readTimes(poller: Poller, intervalMs: number, now: number, until: number): number[] {
	const step = Math.max(intervalMs, poller.intervalMs);
	const times: number[] = [];
	for (let at = Math.max(now, poller.lastAt + step); at < until; at += step) times.push(at);
	return times;
}

const searchSteps = 12;

function shortestFittingInterval(
	isFitting: (intervalMs: number) => boolean,
	shortest: number,
	longest: number,
): number {
	let [tooShort, longEnough] = [shortest, longest];
	for (let step = 0; step < searchSteps; step += 1) {
		const middle = (tooShort + longEnough) / 2;
		if (isFitting(middle)) longEnough = middle;
		else tooShort = middle;
	}
	return longEnough;
}
