import type { FactBody } from '../fleet/fact.ts';
import {
	isUnsent,
	type Operation,
	type OperationId,
	type OperationSpec,
} from '../fleet/operation.ts';
import type { OperationDetails, OperationRow } from '../fleet/operation-row.ts';
import { operationRowOf } from '../fleet/operation-table.ts';
import { type OperationApi, requestOf } from '../platform/operation-requests.ts';
import type { AccountState } from '../store/state.ts';
import { type SendResult, sendOnce } from './send-once.ts';

/** An operation whose question was answered and whose request is not over yet. */
export type PendingOperation = {
	spec: OperationSpec;
	details: OperationDetails;
	controller: AbortController;
	/** When the request left. Until then, the operation can be cancelled. */
	sentAt?: number;
	/** How often the rate limit has refused the request. */
	rateLimitRefusals?: number;
	/** Whether the store holds the operation; see `VisibleQueue`. */
	isInStore: boolean;
};

/** The operations that wait to be sent, in one queue for each rate limit scope. */
type Queue = {
	add(scope: OperationRow['scope'], items: readonly PendingOperation[]): void;
	/** Puts an operation back at the front. */
	putBack(scope: OperationRow['scope'], item: PendingOperation): void;
	/** Removes and returns the next operation. A single operation goes before the rest of a batch. */
	takeNext(scope: OperationRow['scope']): PendingOperation | undefined;
	/** How many operations are sent before this one; -1 when it is not in the queue. */
	positionOf(scope: OperationRow['scope'], item: PendingOperation): number;
	remove(items: ReadonlySet<PendingOperation>): void;
};

function createQueue(): Queue {
	const lines: Record<OperationRow['scope'], PendingOperation[]> = { create: [], other: [] };

	return {
		add(scope, items) {
			const line = lines[scope];
			const firstOfBatch = line.findIndex(({ spec }) => spec.batch !== undefined);
			const isSingle = items.every(({ spec }) => spec.batch === undefined);
			lines[scope] =
				isSingle && firstOfBatch >= 0
					? [...line.slice(0, firstOfBatch), ...items, ...line.slice(firstOfBatch)]
					: [...line, ...items];
		},
		putBack(scope, item) {
			lines[scope].unshift(item);
		},
		takeNext: scope => lines[scope].shift(),
		positionOf: (scope, item) => lines[scope].indexOf(item),
		remove(items) {
			for (const scope of ['create', 'other'] as const) {
				lines[scope] = lines[scope].filter(item => !items.has(item));
			}
		},
	};
}

/**
 * Whether a request may be sent now. An `obstacle` is a reason why the computer no longer accepts the operation.
 */
export type SendPermission = 'go' | 'hold' | 'drop' | { obstacle: string };

/** Sends the operations in the queue, a few requests at a time. */
type Dispatcher = {
	add(items: readonly PendingOperation[]): void;
	/** Queues an operation again, before all others. */
	putBack(item: PendingOperation): void;
	/** Cancels these operations. A request that has left is not taken back. */
	remove(items: ReadonlySet<PendingOperation>): void;
	/** Sends all requests that may be sent now. Call it when the lock, the hold or a blocked scope has changed. */
	sendNext(): void;
	positionOf(item: PendingOperation): number;
};

type DispatcherOptions = {
	platform: OperationApi;
	/** Called when the operation is the next in the queue, and again just before the request is sent. */
	permissionFor: (item: PendingOperation) => SendPermission;
	isScopeBlocked: (scope: OperationRow['scope']) => boolean;
	onNotSent: (item: PendingOperation, permission: Exclude<SendPermission, 'go' | 'hold'>) => void;
	onSent: (item: PendingOperation) => void;
	onResult: (item: PendingOperation, result: SendResult) => void;
};

// The rate limiter holds only a few requests, enough to use its slots. The others wait in this queue, where a
// single operation can overtake a batch. Creates are sent one by one, so that a lost response leaves no doubt
// which new computer belongs to it.
const maxInFlight = { create: 1, other: 3 };

/** The function is over 60 lines because all its methods share the queue and the counts of requests in flight. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
	const { platform, permissionFor, isScopeBlocked, onNotSent, onSent, onResult } = options;
	const queue = createQueue();
	const inFlight = { create: 0, other: 0 };

	const scopeOf = ({ spec }: PendingOperation) => operationRowOf(spec.operation).scope;

	function pump() {
		for (const scope of ['create', 'other'] as const) {
			while (inFlight[scope] < maxInFlight[scope] && !isScopeBlocked(scope)) {
				const item = queue.takeNext(scope);
				if (!item) break;
				const permission = permissionFor(item);
				if (permission === 'hold') {
					queue.putBack(scope, item);
					break;
				}
				if (permission === 'go') void send(item);
				else onNotSent(item, permission);
			}
		}
	}

	async function send(item: PendingOperation) {
		const scope = scopeOf(item);
		const { spec, details } = item;
		item.controller = new AbortController();
		inFlight[scope] += 1;
		const result = await sendOnce({
			request: requestOptions =>
				requestOf(spec.operation)(platform, { ...details, ...spec }, requestOptions),
			controller: item.controller,
			maySend: () => permissionFor(item) === 'go',
			onSent: () => onSent(item),
		}).finally(() => {
			inFlight[scope] -= 1;
		});
		onResult(item, result);
		pump();
	}

	return {
		add(items) {
			for (const scope of ['create', 'other'] as const) {
				const some = items.filter(item => scopeOf(item) === scope);
				if (some.length > 0) queue.add(scope, some);
			}
			pump();
		},
		putBack: item => queue.putBack(scopeOf(item), item),
		remove(items) {
			queue.remove(items);
			for (const item of items) item.controller.abort();
		},
		sendNext: pump,
		positionOf: item => queue.positionOf(scopeOf(item), item),
	};
}

/**
 * Puts only the first operations of a very large batch into the store. Every operation there makes each change
 * of the store slower, and thousands of cancelled operations would push everything else out of the log.
 */
type VisibleQueue = {
	/** Adds operations whose countdown ends at this time, if they have one. */
	add(items: readonly PendingOperation[], graceEndsAt: number | undefined): void;
	/** Puts this operation into the store at once, because it is about to be sent. */
	show(item: PendingOperation): void;
	/** Shows the next hidden operation, because a visible one no longer waits. */
	showNext(): void;
	/** Removes the cancelled operations and shows others in their places. */
	refill(): void;
	/** Returns the operations that are not in the store, keyed by computer id. */
	hiddenOperations(): ReadonlyMap<string, OperationId>;
};

const maxVisible = 500;

type VisibleQueueOptions = {
	isWaiting: (item: PendingOperation) => boolean;
	countWaiting: () => number;
	show: (items: readonly PendingOperation[], graceEndsAt?: number) => void;
};

export function createVisibleQueue({
	isWaiting,
	countWaiting,
	show,
}: VisibleQueueOptions): VisibleQueue {
	let hidden: readonly PendingOperation[] = [];

	function fill(places: number, graceEndsAt?: number) {
		const next = hidden.slice(0, Math.max(0, places));
		hidden = hidden.slice(next.length);
		for (const item of next) item.isInStore = true;
		if (next.length > 0) show(next, graceEndsAt);
	}

	return {
		add(items, graceEndsAt) {
			hidden = [...hidden, ...items];
			fill(maxVisible - (countWaiting() - hidden.length), graceEndsAt);
		},
		show(item) {
			if (item.isInStore) return;
			hidden = [item, ...hidden.filter(each => each !== item)];
			fill(1);
		},
		showNext: () => fill(1),
		refill() {
			hidden = hidden.filter(isWaiting);
			fill(maxVisible - (countWaiting() - hidden.length));
		},
		hiddenOperations: () =>
			new Map(hidden.map(({ spec }) => [spec.computer ?? '', spec.operation])),
	};
}

/** Returns the operation that has the countdown; a batch shares one, and the store may not hold all of the batch. */
export function countdownOf({ operations }: AccountState, { key, batch }: OperationSpec) {
	const isSibling = (other: Operation) => other.spec.batch === batch && isUnsent(other);
	return (
		operations.get(key) ??
		(batch === undefined ? undefined : [...operations.values()].find(isSibling))
	);
}

/** Counts the cancelled operations of each batch that the store does not hold. */
export function hiddenCancellations(items: readonly PendingOperation[]): readonly FactBody[] {
	const counts = new Map<string, number>();
	for (const { spec, isInStore } of items) {
		if (!isInStore && spec.batch !== undefined)
			counts.set(spec.batch, (counts.get(spec.batch) ?? 0) + 1);
	}
	return [...counts].map(([batch, count]) => ({ type: 'batchCancelled', batch, count }));
}
