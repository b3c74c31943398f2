import type { Clock } from '../../../source/foundation/clock.ts';
import { createJumps } from '../../../source/foundation/jumps.ts';
import { createLimiter } from '../../../source/limits/limiter.ts';
import { documentedLimits as limits } from '../../../source/limits/limits.ts';
import { createRequestLog } from '../../../source/limits/request-log.ts';
import { fold } from '../../../source/store/fold.ts';
import { emptyState } from '../../../source/store/state.ts';
import { shareWhenAlone } from '../../../source/watch/polling-mode.ts';
import { createWatch } from '../../../source/watch/watch.ts';
import { createMemoryDisk } from '../../limits/memory-files.ts';
import { createChanges } from './changes.ts';
import { fullRecord } from './full-record.ts';
import { createModelPlatform } from './model-platform.ts';
import { createMovingClock } from './moving-clock.ts';
import { createRandom } from './random.ts';
import { createWindow, type Window } from './window.ts';

const minute = 60_000;

export type PaneOptions = {
	/** When the pane opens, in milliseconds after the first. */
	opensAt?: number;
	/** When the pane is suspended, and for how long. */
	suspended?: { at: number; forMs: number };
};

type Pane = {
	/** How long each list was shown until the next came, in milliseconds, and how long the first took to come. */
	readonly ages: readonly number[];
	/** How many answers of each type came. */
	readonly facts: ReadonlyMap<string, number>;
};

type Panes = {
	panes: readonly Pane[];
	windows: Readonly<Record<'status' | 'other', Window>>;
};

/** Runs several processes that poll for themselves (`--alone`) against a model of the platform, on a clock that the test moves. */
export async function runPanes(
	options: readonly PaneOptions[],
	{ forMs, beside }: RunOptions,
): Promise<Panes> {
	const clock = createMovingClock();
	const random = createRandom(1);
	const computers = Array.from({ length: 50 }, (_, place) => ({
		id: `sb_${place}`,
		status: 'active',
		...fullRecord,
	}));
	const windows = {
		status: createWindow(60, minute, 'rolling'),
		other: createWindow(30, minute, 'rolling'),
	};
	const ids = computers.map(({ id }) => id);
	const files = createMemoryDisk(clock.now);
	const openLimiter = () =>
		createLimiter({
			clock,
			random,
			limits,
			log: createRequestLog({
				name: 'requests-1',
				hostId: 'a',
				files,
				limits,
				msSinceBoot: () => 1_000_000 + clock.elapsed(),
				wallClockNow: clock.now,
			}),
		});

	function openPane({ opensAt = 0, suspended }: PaneOptions): Pane {
		const ages: number[] = [];
		const facts = new Map<string, number>();
		let lastAt = opensAt;
		const limiter = openLimiter();
		const platform = createModelPlatform({
			clock,
			random,
			computers,
			windows,
			rateLimiter: limiter,
			changes: createChanges({ ids, every: 60 * minute, random }),
			hasStatus: { list: true, detail: true },
			fate: () => 'answered',
			onStatus: () => undefined,
		});
		let state = emptyState;
		const isAway = () => {
			const now = clock.elapsed();
			return suspended && now >= suspended.at && now < suspended.at + suspended.forMs;
		};
		// The timers of a suspended process run when it continues.
		const ownClock: Clock = {
			now: clock.now,
			monotonic: clock.monotonic,
			after: (milliseconds, call) => {
				let cancel = clock.after(milliseconds, function run() {
					const end = suspended ? suspended.at + suspended.forMs - clock.elapsed() : 0;
					if (isAway()) cancel = clock.after(end, run);
					else call();
				});
				return () => cancel();
			},
		};
		const watch = createWatch({
			account: 'one',
			platform,
			limiter,
			random,
			maxShare: () => shareWhenAlone,
			clock: ownClock,
			jumps: createJumps(ownClock),
			accountState: () => state.accounts.get('one'),
			onFact(fact) {
				const { type } = fact;
				state = fold(state, fact);
				facts.set(type, (facts.get(type) ?? 0) + 1);
				if (type !== 'listRead') return;
				ages.push(clock.elapsed() - lastAt);
				lastAt = clock.elapsed();
			},
			initialAttention: {
				visibleIds: new Set(ids),
				attendedUntil: Number.POSITIVE_INFINITY,
			},
		});
		clock.after(opensAt, watch.start);
		clock.after(forMs - 1, () => ages.push(clock.elapsed() - lastAt));
		return { ages, facts };
	}

	const panes = options.map(openPane);
	beside?.({ clock, limiter: openLimiter(), windows });
	await clock.live(forMs);
	return { panes, windows };
}

type RunOptions = {
	forMs: number;
	/** Starts whatever else happens while the panes run, on the same log or elsewhere. */
	beside?: (others: {
		clock: ReturnType<typeof createMovingClock>;
		limiter: ReturnType<typeof createLimiter>;
		windows: Panes['windows'];
	}) => void;
};

/** Returns the age in seconds of the oldest list that any of the panes ever showed. */
export const oldestListAge = ({ panes }: Panes): number =>
	Math.max(...panes.flatMap(({ ages }) => ages)) / 1000;
