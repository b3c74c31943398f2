import type { Clock } from '../fleet/clock.ts';
import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import type { Pace } from '../pace/pace.ts';
import { failureOf } from '../platform/platform-error.ts';
import type { Store } from '../store/store.ts';
import type { AccountStore } from './account-store.ts';
import type { ItemState } from './batches.ts';
import type { CachedBudgets } from './cached-budgets.ts';
import type { Countdowns } from './countdowns.ts';
import { isOverdue } from './durations.ts';
import type { Details, OperationApi } from './operation-row.ts';
import { type IdsBefore, idsBefore, watchOutcomes } from './outcome.ts';
import {
	createDispatch,
	createVisibleQueue,
	type PendingOperation,
	type SendPermission,
} from './queue.ts';
import { createResponseHandler, type WatchHandle } from './responses.ts';
import { obstacleTo } from './targets.ts';
import { type WaitReason, waitReason } from './waiting.ts';

/** From the answered question to the end: grace, queue, request, and what came of it, as facts. */
export type Lifecycle = {
	begin(wishes: readonly OperationSpec[], details: Details, grace: number): void;
	/** Drops what has not gone, all at once. */
	cancel(isMeant: (wish: OperationSpec) => boolean): readonly OperationSpec[];
	/** What has not gone. */
	unsent(): readonly PendingOperation[];
	/** What computers wait for of which the store does not know yet. */
	hidden(): ReadonlyMap<string, OperationId>;
	/** Why each has not gone, at that time; undefined for what has. */
	waiting(kept: {
		isLocked: boolean;
		isQueueHeld: boolean;
		now: number;
	}): (key: string) => WaitReason | undefined;
	/** What was held may go. */
	resume(): void;
	close(): void;
};

type Parts = {
	account: string;
	store: Store;
	teller: AccountStore;
	platform: OperationApi;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	countdowns: Countdowns;
	watch: WatchHandle;
	mayChange: () => 'go' | 'hold' | 'drop';
	/** As last seen: they are asked for while a picture is drawn. */
	budgets: CachedBudgets['now'];
	onSent: () => void;
	onMoved: (wish: OperationSpec, state: ItemState, message?: string) => void;
	onSettled: (wish: OperationSpec) => void;
};

export function createLifecycle(parts: Parts): Lifecycle {
	const { teller, clock, countdowns, watch, mayChange, onMoved, budgets } = parts;
	const runs = new Map<string, PendingOperation>();
	const knownBefore = new Map<string, IdsBefore>();
	const closing = new AbortController();

	const endings = createResponseHandler({
		...parts,
		signal: closing.signal,
		onOver: run => runs.delete(run.spec.key),
		onAgain: again,
	});
	const ahead = createVisibleQueue({
		isWaiting: isOurs,
		countWaiting: () => unsent().length,
		tell: some => teller.foldAll(some.map(({ spec }) => ({ type: 'operationAsked', wish: spec }))),
	});
	const dispatch = createDispatch({
		platform: parts.platform,
		permitFor,
		isBlocked: scope => scope === 'create' && isCreateBlocked(),
		onRefused(run, permit) {
			if (permit === 'drop') return void cancel([run].filter(isOurs));
			ahead.show(run);
			endings.fail(run, failureOf('conflict', permit.obstacle));
			ahead.next();
		},
		onSent(run) {
			const { key, operation } = run.spec;
			run.sentAt = clock.now();
			ahead.show(run);
			if (operation === 'create') knownBefore.set(key, idsBefore(teller.state()));
			teller.fold({ type: 'operationSent', key });
			ahead.next();
			onMoved(run.spec, 'underWay');
			parts.onSent();
			watch.wake();
		},
		onEnd(run, ended) {
			if (ended.end !== 'unsent') endings.handle(run, ended);
			else if (isOurs(run)) again(run);
			if (ended.end !== 'lost') knownBefore.delete(run.spec.key);
		},
	});
	const stopJudging = watchOutcomes({
		...parts,
		knownBefore: key => knownBefore.get(key),
		onVerdicts(verdicts) {
			teller.foldAll(verdicts.map(({ verdict }) => verdict));
			for (const { operation, verdict } of verdicts) {
				const { spec } = operation;
				if (spec.operation === 'create') knownBefore.delete(spec.key);
				if (verdict.type === 'operationFailed') onMoved(spec, 'failed', verdict.failure.message);
				else onMoved(spec, verdict.type === 'operationSettled' ? 'done' : 'underWay');
				if (verdict.type === 'operationSettled') parts.onSettled(spec);
			}
			watch.wake();
			dispatch.pump();
		},
	});

	/** Nobody called it off, and its request is not over. */
	function isOurs(run: PendingOperation) {
		return runs.get(run.spec.key) === run;
	}

	// A create goes out when it is known what became of the one before.
	function isCreateBlocked() {
		const all = [...teller.state().operations.values()];
		return all.some(({ spec, stage }) => stage === 'unknown' && spec.computer === undefined);
	}

	function permitFor(run: PendingOperation): SendPermission {
		const { spec } = run;
		const permit = isOurs(run) ? mayChange() : 'drop';
		if (permit !== 'go' || spec.operation === 'create') return permit;
		const known = teller.state();
		const computer = known.computers.get(spec.computer ?? '');
		const obstacle = obstacleTo(known, spec.operation, computer, spec);
		return obstacle === undefined ? 'go' : { obstacle };
	}

	// Told as asked for once more: for whoever looks, it waits again.
	function again(run: PendingOperation) {
		if (run.sentAt !== undefined) teller.fold({ type: 'operationAsked', wish: run.spec });
		delete run.sentAt;
		onMoved(run.spec, 'waiting');
		dispatch.putBack(run);
	}

	function cancel(dropped: readonly PendingOperation[]): readonly OperationSpec[] {
		const wishes = dropped.map(({ spec }) => spec);
		if (wishes.length === 0) return wishes;
		for (const { key } of wishes) runs.delete(key);
		dispatch.remove(new Set(dropped));
		const told = dropped.filter(({ isVisible: isTold }) => isTold);
		teller.foldAll(told.map(({ spec: { key } }) => ({ type: 'operationCancelled', key })));
		ahead.refill();
		for (const wish of wishes) onMoved(wish, 'cancelled');
		return wishes;
	}

	function unsent(): readonly PendingOperation[] {
		return [...runs.values()].filter(({ stage }) => stage !== 'gone');
	}

	// What was asked of them before and never came to its end makes way.
	function giveUpFor(wishes: readonly OperationSpec[]) {
		const ids = new Set(wishes.map(({ computer }) => computer));
		for (const operation of teller.state().operations.values()) {
			const { key, computer } = operation.spec;
			// A create that got lost is looked for as long as it takes.
			if (computer === undefined || !ids.has(computer)) continue;
			if (!isOverdue(operation, clock.now())) continue;
			const message = 'replaced by a later request';
			const failure = failureOf('cancelled', message, { isOutcomeUnknown: true });
			teller.fold({ type: 'operationFailed', key, failure });
			onMoved(operation.spec, 'failed', message);
		}
	}

	return {
		begin(wishes, details, grace) {
			giveUpFor(wishes);
			const begun = wishes.map((wish): PendingOperation => {
				const controller = new AbortController();
				const until = clock.now() + grace;
				return {
					spec: wish,
					details,
					stage: 'grace',
					graceEndsAt: until,
					controller,
					isVisible: false,
				};
			});
			for (const run of begun) runs.set(run.spec.key, run);
			ahead.add(begun);
			countdowns.begin(grace, {
				onHeld(left) {
					for (const run of begun.filter(isOurs)) run.heldGrace = left;
				},
				onRestart(until) {
					const left = begun.filter(isOurs);
					for (const run of left) {
						run.graceEndsAt = until;
						delete run.heldGrace;
					}
					for (const { spec } of left) onMoved(spec, 'waiting');
				},
				onOver(wasAwake) {
					const left = begun.filter(isOurs);
					if (wasAwake) dispatch.add(left);
					else cancel(left);
				},
			});
		},
		cancel: isMeant => cancel(unsent().filter(({ spec }) => isMeant(spec))),
		unsent,
		hidden: ahead.hidden,
		waiting(kept) {
			const { placeOf } = dispatch;
			return key => {
				const run = runs.get(key);
				if (!run || run.stage === 'gone') return undefined;
				return waitReason(run, { ...kept, isCreateBlocked, placeOf, budgets });
			};
		},
		resume: dispatch.pump,
		close() {
			closing.abort();
			stopJudging();
		},
	};
}
