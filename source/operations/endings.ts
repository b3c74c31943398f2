import type { Clock } from '../fleet/clock.ts';
import type { ReadName, Wish } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import type { Pace } from '../pace/pace.ts';
import type { Attempt } from './attempt.ts';
import type { ItemState } from './batches.ts';
import type { Countdowns } from './countdowns.ts';
import { durationText } from './duration-text.ts';
import { lookAt } from './look.ts';
import { operations } from './operations.ts';
import type { Run } from './queue.ts';
import type { Doer, Taken } from './rule.ts';
import type { Teller } from './teller.ts';
import { confirmAfter, lookUpAfter } from './verdict.ts';

/** What of the watch is needed here. */
export type AccountSession = {
	/** There is something new to watch. */
	wake(): void;
	/** As soon as the budget allows it. */
	readNow(read: { name: ReadName; id?: string }): void;
};

/** What follows from how a request ended. */
export type Endings = {
	met(run: Run, ended: Exclude<Attempt, { end: 'unsent' }>): void;
	fail(run: Run, failure: Failure): void;
};

type Parts = {
	teller: Teller;
	platform: Doer;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	countdowns: Countdowns;
	watch: AccountSession;
	/** The end of the program. */
	signal: AbortSignal;
	/** Its request is over: there is nothing left to send. */
	onOver: (run: Run) => void;
	/** It was not done for now, and goes again. */
	onAgain: (run: Run) => void;
	onMoved: (wish: Wish, state: ItemState, message?: string) => void;
};

// A create that has to wait for longer is not what its question had told of.
const createWaitAtMost = 60_000;

// Each refusal freezes the scope for everybody, and longer each time: an operation that is refused so
// often would keep the others from their turn.
const mostRefusals = 6;

export function createEndings(parts: Parts): Endings {
	const { teller, platform, pace, clock, countdowns, watch, signal } = parts;
	const { onOver, onAgain, onMoved } = parts;

	function accept(run: Run, taken: Taken) {
		onOver(run);
		teller.tell({ type: 'operationAccepted', key: run.wish.key, ...taken }, run.sentAt);
		watch.wake();
	}

	function fail(run: Run, failure: Failure) {
		onOver(run);
		teller.tell({ type: 'operationFailed', key: run.wish.key, failure });
		onMoved(run.wish, 'failed', failure.message);
	}

	// It is never sent again: what is so will tell whether it was done.
	function lose(run: Run, failure: Failure) {
		const { wish } = run;
		onOver(run);
		onMoved(wish, 'unknown');
		teller.tell({ type: 'operationUnknown', key: wish.key, failure });
		if (signal.aborted) return;
		lookUp(wish);
		for (const wait of [lookUpAfter, confirmAfter]) {
			countdowns.later(wait, () => {
				if (teller.known().operations.get(wish.key)?.stage === 'unknown') lookUp(wish);
			});
		}
	}

	// The status of what is unknown is watched anyway; of ports and of new computers others tell.
	function lookUp({ operation, computer }: Wish) {
		if (computer === undefined) watch.readNow({ name: 'list' });
		else if (operation === 'publish' || operation === 'unpublish') {
			watch.readNow({ name: 'detail', id: computer });
		} else {
			watch.wake();
		}
	}

	// Pace has frozen the scope by now: there it waits for the end of that, and Esc calls it off.
	function limit(run: Run, failure: Failure) {
		run.refusals = (run.refusals ?? 0) + 1;
		if (run.refusals >= mostRefusals) {
			const message = `not done: refused ${run.refusals} times by the rate limit`;
			return fail(run, { ...failure, message, advice: 'Ask again later if it is still wanted.' });
		}
		const wait = pace.budgets().create.nextAt.operation - clock.now();
		if (run.wish.operation !== 'create' || wait <= createWaitAtMost) return onAgain(run);
		const message = `${failure.message}: the next create is possible in ${durationText(wait)}`;
		fail(run, { ...failure, message, advice: 'Asked for anew, it waits for that.' });
	}

	// "Already in progress" may be just what was wanted, and so may "not found" when deleting.
	async function refuse(run: Run, failure: Failure) {
		const isWorthALook = failure.kind === 'conflict' || failure.kind === 'missing';
		if (isWorthALook && (await isSoAnyway(run.wish))) accept(run, {});
		else fail(run, failure);
	}

	async function isSoAnyway(wish: Wish): Promise<boolean> {
		const { computer: id, operation } = wish;
		if (id === undefined || signal.aborted) return false;
		const looked = await lookAt(wish, { platform, clock, signal });
		if (!looked) return false;
		teller.tell(looked.happening, looked.askedAt);
		const computer = teller.known().computers.get(id);
		return computer ? operations[operation].isOnItsWay(computer, wish) : operation === 'delete';
	}

	return {
		met(run, ended) {
			if (ended.end === 'accepted') accept(run, ended.taken);
			else if (ended.end === 'lost') lose(run, ended.failure);
			else if (ended.end === 'limited') limit(run, ended.failure);
			else void refuse(run, ended.failure);
		},
		fail,
	};
}
