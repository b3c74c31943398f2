import type { Clock } from '../fleet/clock.ts';
import type { OperationId, Wish } from '../fleet/fact.ts';
import type { Pace } from '../pace/pace.ts';
import { failureOf } from '../platform/platform-error.ts';
import type { Store } from '../store/store.ts';
import { createAhead } from './ahead.ts';
import type { ItemState } from './batches.ts';
import { obstacleTo } from './capture.ts';
import type { Countdowns } from './countdowns.ts';
import { createDispatch, type Permit } from './dispatch.ts';
import { type AccountSession, createEndings } from './endings.ts';
import { judgeEnds } from './judge.ts';
import { isOverdue } from './late.ts';
import { type KnownBefore, knownIds } from './lost-create.ts';
import type { Run } from './queue.ts';
import type { Details, Doer } from './rule.ts';
import type { SeenBudgets } from './seen-budgets.ts';
import type { Teller } from './teller.ts';
import { type Waiting, waitingOf } from './waiting.ts';

/** From the answered question to the end: grace, queue, request, and what came of it, as facts. */
export type Walk = {
	begin(wishes: readonly Wish[], details: Details, grace: number): void;
	/** Drops what has not gone, all at once. */
	cancel(isMeant: (wish: Wish) => boolean): readonly Wish[];
	/** What has not gone. */
	unsent(): readonly Run[];
	/** What computers wait for of which the store does not know yet. */
	untold(): ReadonlyMap<string, OperationId>;
	/** Why each has not gone, at that time; undefined for what has. */
	waiting(kept: {
		isLocked: boolean;
		isQueueHeld: boolean;
		now: number;
	}): (key: string) => Waiting | undefined;
	/** What was held may go. */
	resume(): void;
	close(): void;
};

type Parts = {
	account: string;
	store: Store;
	teller: Teller;
	platform: Doer;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	countdowns: Countdowns;
	watch: AccountSession;
	mayChange: () => 'go' | 'hold' | 'drop';
	/** As last seen: they are asked for while a picture is drawn. */
	budgets: SeenBudgets['now'];
	onSent: () => void;
	onMoved: (wish: Wish, state: ItemState, message?: string) => void;
	onSettled: (wish: Wish) => void;
};

export function createWalk(parts: Parts): Walk {
	const { teller, clock, countdowns, watch, mayChange, onMoved, budgets } = parts;
	const runs = new Map<string, Run>();
	const knownBefore = new Map<string, KnownBefore>();
	const closing = new AbortController();

	const endings = createEndings({
		...parts,
		signal: closing.signal,
		onOver: run => runs.delete(run.wish.key),
		onAgain: again,
	});
	const ahead = createAhead({
		isWaiting: isOurs,
		countWaiting: () => unsent().length,
		tell: some => teller.tellAll(some.map(({ wish }) => ({ type: 'operationAsked', wish }))),
	});
	const dispatch = createDispatch({
		platform: parts.platform,
		permitFor,
		isBlocked: scope => scope === 'create' && isCreateBlocked(),
		onRefused(run, permit) {
			if (permit === 'drop') return void cancel([run].filter(isOurs));
			ahead.ensure(run);
			endings.fail(run, failureOf('conflict', permit.obstacle));
			ahead.next();
		},
		onSent(run) {
			const { key, operation } = run.wish;
			run.sentAt = clock.now();
			ahead.ensure(run);
			if (operation === 'create') knownBefore.set(key, knownIds(teller.known()));
			teller.tell({ type: 'operationSent', key });
			ahead.next();
			onMoved(run.wish, 'underWay');
			parts.onSent();
			watch.wake();
		},
		onEnd(run, ended) {
			if (ended.end !== 'unsent') endings.met(run, ended);
			else if (isOurs(run)) again(run);
			if (ended.end !== 'lost') knownBefore.delete(run.wish.key);
		},
	});
	const stopJudging = judgeEnds({
		...parts,
		knownBefore: key => knownBefore.get(key),
		onVerdicts(verdicts) {
			teller.tellAll(verdicts.map(({ verdict }) => verdict));
			for (const { operation, verdict } of verdicts) {
				const { wish } = operation;
				if (wish.operation === 'create') knownBefore.delete(wish.key);
				if (verdict.type === 'operationFailed') onMoved(wish, 'failed', verdict.failure.message);
				else onMoved(wish, verdict.type === 'operationSettled' ? 'done' : 'underWay');
				if (verdict.type === 'operationSettled') parts.onSettled(wish);
			}
			watch.wake();
			dispatch.pump();
		},
	});

	/** Nobody called it off, and its request is not over. */
	function isOurs(run: Run) {
		return runs.get(run.wish.key) === run;
	}

	// A create goes out when it is known what became of the one before.
	function isCreateBlocked() {
		const all = [...teller.known().operations.values()];
		return all.some(({ wish, stage }) => stage === 'unknown' && wish.computer === undefined);
	}

	function permitFor(run: Run): Permit {
		const { wish } = run;
		const permit = isOurs(run) ? mayChange() : 'drop';
		if (permit !== 'go' || wish.operation === 'create') return permit;
		const known = teller.known();
		const computer = known.computers.get(wish.computer ?? '');
		const obstacle = obstacleTo(known, wish.operation, computer, wish);
		return obstacle === undefined ? 'go' : { obstacle };
	}

	// Told as asked for once more: for whoever looks, it waits again.
	function again(run: Run) {
		if (run.sentAt !== undefined) teller.tell({ type: 'operationAsked', wish: run.wish });
		delete run.sentAt;
		onMoved(run.wish, 'waiting');
		dispatch.putBack(run);
	}

	function cancel(dropped: readonly Run[]): readonly Wish[] {
		const wishes = dropped.map(({ wish }) => wish);
		if (wishes.length === 0) return wishes;
		for (const { key } of wishes) runs.delete(key);
		dispatch.remove(new Set(dropped));
		const told = dropped.filter(({ isTold }) => isTold);
		teller.tellAll(told.map(({ wish: { key } }) => ({ type: 'operationCancelled', key })));
		ahead.refill();
		for (const wish of wishes) onMoved(wish, 'cancelled');
		return wishes;
	}

	function unsent(): readonly Run[] {
		return [...runs.values()].filter(({ stage }) => stage !== 'gone');
	}

	// What was asked of them before and never came to its end makes way.
	function giveUpFor(wishes: readonly Wish[]) {
		const ids = new Set(wishes.map(({ computer }) => computer));
		for (const operation of teller.known().operations.values()) {
			const { key, computer } = operation.wish;
			// A create that got lost is looked for as long as it takes.
			if (computer === undefined || !ids.has(computer)) continue;
			if (!isOverdue(operation, clock.now())) continue;
			const message = 'given up: something else was asked for';
			const failure = failureOf('cancelled', message, { isOutcomeUnknown: true });
			teller.tell({ type: 'operationFailed', key, failure });
			onMoved(operation.wish, 'failed', message);
		}
	}

	return {
		begin(wishes, details, grace) {
			giveUpFor(wishes);
			const begun = wishes.map((wish): Run => {
				const controller = new AbortController();
				const until = clock.now() + grace;
				return { wish, details, stage: 'grace', until, controller, isTold: false };
			});
			for (const run of begun) runs.set(run.wish.key, run);
			ahead.add(begun);
			countdowns.begin(grace, {
				onHeld(left) {
					for (const run of begun.filter(isOurs)) run.heldWith = left;
				},
				onRestart(until) {
					const left = begun.filter(isOurs);
					for (const run of left) {
						run.until = until;
						delete run.heldWith;
					}
					for (const { wish } of left) onMoved(wish, 'waiting');
				},
				onOver(wasAwake) {
					const left = begun.filter(isOurs);
					if (wasAwake) dispatch.add(left);
					else cancel(left);
				},
			});
		},
		cancel: isMeant => cancel(unsent().filter(({ wish }) => isMeant(wish))),
		unsent,
		untold: ahead.untold,
		waiting(kept) {
			const { placeOf } = dispatch;
			return key => {
				const run = runs.get(key);
				if (!run || run.stage === 'gone') return undefined;
				return waitingOf(run, { ...kept, isCreateBlocked, placeOf, budgets });
			};
		},
		resume: dispatch.pump,
		close() {
			closing.abort();
			stopJudging();
		},
	};
}
