import type { Clock } from '../fleet/clock.ts';
import type { Operation, OperationId, OperationSpec } from '../fleet/operation.ts';
import type { OperationDetails } from '../fleet/operation-row.ts';
import type { Pace } from '../pace/pace.ts';
import type { OperationApi } from '../platform/operation-requests.ts';
import { failureOf } from '../platform/platform-error.ts';
import type { AccountState } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { AccountStore } from './account-store.ts';
import type { CachedBudgets } from './cached-budgets.ts';
import type { Countdowns } from './countdowns.ts';
import { overdueOperationsOn } from './durations.ts';
import { computerIdsIn, type IdsBeforeCreate, watchOutcomes } from './outcome.ts';
import {
	countdownOf,
	createDispatcher,
	createVisibleQueue,
	hiddenCancellations,
	type PendingOperation,
	type SendPermission,
} from './queue.ts';
import { createResponseHandler, type WatchHandle } from './responses.ts';
import { obstacleTo } from './targets.ts';
import { holdingReasonOf, isCreateBlocked, turnOf, type WaitReason } from './waiting.ts';

/** Takes operations from the answered question to their outcome, and folds each step into the store. */
type Lifecycle = {
	begin(specs: readonly OperationSpec[], details: OperationDetails, graceMs: number): void;
	/** Cancels the matching operations that are not sent yet. Returns them. */
	cancel(isMatch: (spec: OperationSpec) => boolean): readonly OperationSpec[];
	/** Returns the operations that are not sent yet. */
	unsentOperations(): readonly PendingOperation[];
	/** Returns the waiting operations that are not in the store yet, keyed by computer id. */
	hiddenOperations(): ReadonlyMap<string, OperationId>;
	/** Returns a function that says why an operation waits. It returns undefined for an operation that was sent. */
	waitReasonsUnder(conditions: {
		isLocked: boolean;
		isQueueHeld: boolean;
		now: number;
	}): (key: string) => WaitReason | undefined;
	/** Sends the operations that were held. */
	resume(): void;
	close(): void;
};

type LifecycleOptions = {
	account: string;
	store: Store;
	accountStore: AccountStore;
	platform: OperationApi;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	countdowns: Countdowns;
	watch: WatchHandle;
	changePermission: () => 'go' | 'hold' | 'drop';
	/** Returns the cached budgets, because frames are drawn from them. */
	cachedBudgets: CachedBudgets['latest'];
	onSent: () => void;
	onSettled: (spec: OperationSpec) => void;
};

/**
 * Takes each operation through its stages, which the comment of `Operation` draws. Every step is a fact.
 *
 * The function is over 60 lines because the queue, the responses and the outcomes share the pending operations
 * and call each other.
 */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
	const { accountStore, clock, countdowns, watch, changePermission, cachedBudgets } = options;
	const pending = new Map<string, PendingOperation>();
	const idsBeforeCreate = new Map<string, IdsBeforeCreate>();
	const closing = new AbortController();

	const responses = createResponseHandler({
		...options,
		signal: closing.signal,
		onFinished: item => pending.delete(item.spec.key),
		onRetry: requeue,
	});
	const visibleQueue = createVisibleQueue({
		isWaiting: isPending,
		countWaiting: () => unsent().length,
		show(items, graceEndsAt) {
			const countdown = graceEndsAt === undefined ? {} : { graceEndsAt };
			accountStore.foldAll(
				items.map(({ spec }) => ({ type: 'operationAsked', wish: spec, ...countdown })),
			);
		},
	});
	const dispatch = createDispatcher({
		platform: options.platform,
		permissionFor: item =>
			isPending(item)
				? sendPermissionFor(item.spec, accountStore.state(), changePermission())
				: 'drop',
		isScopeBlocked: scope => scope === 'create' && isCreateBlocked(accountStore.state()),
		onNotSent(item, permission) {
			if (permission === 'drop') return void cancel([item].filter(isPending));
			visibleQueue.show(item);
			responses.fail(item, failureOf('conflict', permission.obstacle));
			visibleQueue.showNext();
		},
		onSent(item) {
			const { key, computer } = item.spec;
			item.sentAt = clock.now();
			visibleQueue.show(item);
			if (computer === undefined) idsBeforeCreate.set(key, computerIdsIn(accountStore.state()));
			accountStore.fold({ type: 'operationSent', key });
			visibleQueue.showNext();
			options.onSent();
			watch.wake();
		},
		onResult(item, result) {
			if (result.end !== 'unsent') responses.handle(item, result);
			else if (isPending(item)) requeue(item);
			if (result.end !== 'lost') idsBeforeCreate.delete(item.spec.key);
		},
	});
	const stopWatchingOutcomes = watchOutcomes({
		...options,
		idsBeforeCreate: key => idsBeforeCreate.get(key),
		onOutcomes(outcomes) {
			accountStore.foldAll(outcomes.map(({ outcome }) => outcome));
			for (const { operation, outcome } of outcomes) {
				idsBeforeCreate.delete(operation.spec.key);
				if (outcome.type === 'operationSettled') options.onSettled(operation.spec);
			}
			watch.wake();
			dispatch.sendNext();
		},
	});

	function isPending(item: PendingOperation) {
		return pending.get(item.spec.key) === item;
	}

	// An operation that was sent and refused by the rate limit waits in the queue again.
	function requeue(item: PendingOperation) {
		if (item.sentAt !== undefined) accountStore.fold({ type: 'operationAsked', wish: item.spec });
		delete item.sentAt;
		dispatch.putBack(item);
	}

	function cancel(items: readonly PendingOperation[]): readonly OperationSpec[] {
		const specs = items.map(({ spec }) => spec);
		if (specs.length === 0) return specs;
		for (const { key } of specs) pending.delete(key);
		dispatch.remove(new Set(items));
		const visible = items.filter(({ isInStore }) => isInStore);
		accountStore.foldAll([
			...visible.map(({ spec: { key } }) => ({ type: 'operationCancelled', key }) as const),
			...hiddenCancellations(items),
		]);
		visibleQueue.refill();
		return specs;
	}

	function unsent(): readonly PendingOperation[] {
		return [...pending.values()].filter(({ sentAt }) => sentAt === undefined);
	}

	function giveUp({ spec }: Operation) {
		const message = 'replaced by a later request';
		const failure = failureOf('cancelled', message, { isOutcomeUnknown: true });
		accountStore.fold({ type: 'operationFailed', key: spec.key, failure });
	}

	function beginGrace(items: readonly PendingOperation[], grace: number) {
		const shownKeys = () =>
			items.filter(item => item.isInStore && isPending(item)).map(({ spec }) => spec.key);
		countdowns.begin(grace, {
			onHeld: leftMs => accountStore.fold({ type: 'countdownHeld', keys: shownKeys(), leftMs }),
			onRestart: endsAt =>
				accountStore.fold({ type: 'countdownRestarted', keys: shownKeys(), endsAt }),
			onEnd(wasAwake) {
				const left = items.filter(isPending);
				if (!wasAwake) return void cancel(left);
				if (grace > 0) accountStore.fold({ type: 'countdownEnded', keys: shownKeys() });
				dispatch.add(left);
			},
		});
	}

	return {
		begin(specs, details, grace) {
			for (const operation of overdueOperationsOn(specs, accountStore.state(), clock.now()))
				giveUp(operation);
			const items: readonly PendingOperation[] = specs.map(spec => {
				return { spec, details, controller: new AbortController(), isInStore: false };
			});
			for (const item of items) pending.set(item.spec.key, item);
			visibleQueue.add(items, grace > 0 ? clock.now() + grace : undefined);
			beginGrace(items, grace);
		},
		cancel: isMatch => cancel(unsent().filter(({ spec }) => isMatch(spec))),
		unsentOperations: unsent,
		hiddenOperations: visibleQueue.hiddenOperations,
		waitReasonsUnder(conditions) {
			const { positionOf } = dispatch;
			return key => {
				const item = pending.get(key);
				if (!item || item.sentAt !== undefined) return undefined;
				const account = accountStore.state();
				const countdown = countdownOf(account, item.spec);
				return (
					holdingReasonOf(item.spec, countdown, { account, ...conditions }) ??
					turnOf(item.spec, positionOf(item), cachedBudgets(), conditions.now)
				);
			};
		},
		resume: dispatch.sendNext,
		close() {
			closing.abort();
			stopWatchingOutcomes();
		},
	};
}

function sendPermissionFor(
	spec: OperationSpec,
	state: AccountState,
	changePermission: 'go' | 'hold' | 'drop',
): SendPermission {
	if (changePermission !== 'go' || spec.computer === undefined) return changePermission;
	const obstacle = obstacleTo(state, spec.operation, state.computers.get(spec.computer), spec);
	return obstacle === undefined ? 'go' : { obstacle };
}
