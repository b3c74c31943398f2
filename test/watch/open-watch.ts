import type { Fact } from '../../source/fleet/fact.ts';
import type { Answers } from '../../source/fleet/reads.ts';
import { createJumps } from '../../source/foundation/clock.ts';
import type { FailureKind } from '../../source/foundation/failure.ts';
import type { Slots } from '../../source/limits/limiter.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyState } from '../../source/store/state.ts';
import type { ReadApi } from '../../source/watch/reads.ts';
import { createWatch, type OwnWatch } from '../../source/watch/watch.ts';
import { answersOfAccount, createMovingClock, fullRecord } from './simulation.ts';

/** A watch over one computer, with a platform that follows `requestFate` and slots that never run out. */
export type OpenWatch = {
	clock: ReturnType<typeof createMovingClock>;
	watch: OwnWatch;
	calls: { read: string; at: number; signal: AbortSignal }[];
	facts: Fact[];
	/**
	 * How every request ends from now on. A request with `hang` never ends, and one with `wait` is never sent. If
	 * undefined, requests are answered.
	 */
	requestFate: FailureKind | 'hang' | 'wait' | undefined;
	/** Folds a fact that does not come from the watch, such as a step of an operation. */
	fold: (fact: Fact) => void;
	/** The share of the limits that the watch last asked for. */
	share: number;
	/** The largest share that the watch may ask for. */
	maxShare: number;
	/** How often this read was requested. */
	count(read: string): number;
};

const accountAnswers: Partial<Answers> = {
	credits: { balance: 4 },
	subscription: null,
	release: { version: '1.4.2', changes: [] },
};

export function openWatch(): OpenWatch {
	const clock = createMovingClock();
	const calls: OpenWatch['calls'] = [];
	const facts: Fact[] = [];
	let state = emptyState;

	const answer =
		<T>(read: string, value: T) =>
		(asking: { signal: AbortSignal; onSent?: () => void }) => {
			calls.push({ read, at: clock.now(), signal: asking.signal });
			const { requestFate: fate } = setup;
			if (fate !== 'wait') asking.onSent?.();
			return new Promise<T>((resolve, reject) => {
				if (fate === 'hang' || fate === 'wait') return;
				clock.after(50, () => {
					if (fate) reject(new PlatformError(createFailure(fate, 'no')));
					else resolve(value);
				});
			});
		};
	const computers = [{ id: 'a', status: 'active', ...fullRecord }];
	const platform: ReadApi = {
		listComputers: answer('list', { computers, requestCount: 1 }),
		readStatus: (id, asking) => answer(`status ${id}`, { id, status: 'active' })(asking),
		readComputer: (id, asking) => answer(`detail ${id}`, { id, status: 'active' })(asking),
		...answersOfAccount(name => answer(name, name in accountAnswers ? accountAnswers[name] : [])),
	};
	const slots = (limit: number, count: number): Slots => ({
		limit,
		free: { operation: count, requestedRead: count, read: count },
		nextAt: { operation: 0, requestedRead: 0, read: 0 },
		readsPerMs: Math.min(limit, 1.25 * limit * setup.share) / 61_000,
		spentElsewhere: 0,
		frozenUntil: undefined,
		isAlone: false,
	});
	const watch = createWatch({
		jumps: createJumps(clock),
		account: 'one',
		platform,
		limiter: {
			slotsWithin(share) {
				setup.share = share;
				return { create: slots(5, 5), status: slots(60, 50), other: slots(24, 20) };
			},
		},
		maxShare: () => setup.maxShare,
		clock,
		random: () => 0,
		accountState: () => state.accounts.get('one'),
		onFact(fact) {
			facts.push(fact);
			setup.fold(fact);
		},
		initialAttention: {
			visibleIds: new Set(),
			views: new Set(),
			attendedUntil: Number.POSITIVE_INFINITY,
		},
	});
	const setup: OpenWatch = {
		clock,
		watch,
		calls,
		facts,
		requestFate: undefined,
		fold(fact) {
			state = fold(state, fact);
		},
		share: 1,
		maxShare: 1,
		count: read => calls.filter(each => each.read === read).length,
	};
	return setup;
}
