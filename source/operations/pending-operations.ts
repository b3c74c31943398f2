import type { Fact, FactBody } from '../fleet/fact.ts';
import { isUnsent, type OperationId, type OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails, OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';

/** An operation whose question was answered and whose request is not over yet. */
export type PendingOperation = {
	spec: OperationSpec;
	details: OperationDetails;
	/** Aborts the request; absent until it is about to be sent, because aborting thousands would take half a second. */
	controller?: AbortController;
	/** How often the rate limit has refused the request. */
	rateLimitRefusals: number;
};

/**
 * The operations of this process that are not over, and their order in the queue. The store knows how far each has
 * come. The store holds only the first operations of a very large batch: every operation there makes each change of
 * the store slower, and thousands of cancelled operations would push everything else out of the log.
 */
export type PendingOperations = {
	/** Adds operations. They stay out of the queue until their countdown has ended and `enqueue` is called. */
	add(items: readonly PendingOperation[], graceEndsAt: number | undefined): void;
	/** Queues the operations that are still pending. */
	enqueue(items: readonly PendingOperation[]): void;
	/** Queues an operation again, before all others. It may have been sent and refused by the rate limit. */
	putBack(item: PendingOperation): void;
	/** Removes and returns the next operation. A single operation goes before the rest of a batch. */
	takeNext(scope: OperationRow['scope']): PendingOperation | undefined;
	/** How many operations will be sent before this one; -1 if it is not in the queue. */
	positionOf(item: PendingOperation): number;
	/** Puts an operation into the store at once, because its request is about to be sent or has failed. */
	addToStore(item: PendingOperation): void;
	get(key: string): PendingOperation | undefined;
	isPending(item: PendingOperation): boolean;
	/** Returns the operations whose requests have not been sent. */
	unsent(): readonly PendingOperation[];
	/** Returns the keys of the batches, and of the single operations, whose countdown runs or is held. */
	countingDown(): ReadonlySet<string>;
	/** Returns the waiting operations of a long batch that are not in the store yet, keyed by computer id. */
	operationsOutsideStore(): ReadonlyMap<string, OperationId>;
	/** Cancels operations, except those whose request has been sent. */
	cancel(items: readonly PendingOperation[]): void;
	/** Forgets an operation, because its request is over or another operation replaces it. */
	remove(key: string): void;
	/** Moves further operations of a large batch into the store when others there no longer wait. */
	fillStore(): void;
};

const maxOperationsInStore = 500;

const scopes: readonly OperationRow['scope'][] = ['create', 'other', 'none'];

/** The function is over 60 lines because all its methods share the queue and the hidden operations. */
export function createPendingOperations(accountStore: AccountStore): PendingOperations {
	const pending = new Map<string, PendingOperation>();
	const hidden = new Set<PendingOperation>();
	const queues: Record<OperationRow['scope'], PendingOperation[]> = {
		create: [],
		other: [],
		none: [],
	};

	const scopeOf = ({ spec }: PendingOperation) => operationRowOf(spec.operation).scope;
	const isPending = (item: PendingOperation) => pending.get(item.spec.key) === item;

	function enqueue(items: readonly PendingOperation[]) {
		for (const scope of scopes) {
			const queue = queues[scope];
			const added = items.filter(item => isPending(item) && scopeOf(item) === scope);
			const firstOfBatch = queue.findIndex(({ spec }) => spec.batch !== undefined);
			const isSingle = added.every(({ spec }) => spec.batch === undefined);
			queue.splice(isSingle && firstOfBatch >= 0 ? firstOfBatch : queue.length, 0, ...added);
		}
	}

	function showAll(items: readonly PendingOperation[], graceEndsAt?: number) {
		if (items.length === 0) return;
		for (const item of items) hidden.delete(item);
		const countdown = graceEndsAt === undefined ? {} : { graceEndsAt };
		accountStore.foldAll(
			items.map(({ spec }) => ({ type: 'operationAsked', wish: spec, ...countdown })),
		);
	}

	function freePlaces() {
		const waiting = [...accountStore.state().operations.values()].filter(isUnsent);
		return Math.max(0, maxOperationsInStore - waiting.length);
	}

	return {
		add(items, graceEndsAt) {
			for (const item of items) pending.set(item.spec.key, item);
			const isSingle = items.length === 1;
			const shown = isSingle ? items : items.slice(0, freePlaces());
			for (const item of items.slice(shown.length)) hidden.add(item);
			if (graceEndsAt === undefined) enqueue(items);
			showAll(shown, graceEndsAt);
		},
		enqueue,
		putBack(item) {
			const { spec } = item;
			queues[scopeOf(item)].unshift(item);
			if (accountStore.state().operations.get(spec.key)?.stage === 'sent')
				accountStore.fold({ type: 'operationAsked', wish: spec });
		},
		takeNext: scope => queues[scope].shift(),
		positionOf: item => queues[scopeOf(item)].indexOf(item),
		addToStore(item) {
			if (hidden.has(item)) showAll([item]);
		},
		get: key => pending.get(key),
		isPending,
		unsent() {
			const { operations } = accountStore.state();
			return [...pending.values()].filter(item => {
				const operation = operations.get(item.spec.key);
				return hidden.has(item) || (operation !== undefined && isUnsent(operation));
			});
		},
		countingDown() {
			const counting = [...accountStore.state().operations.values()].filter(
				({ stage, spec }) => (stage === 'counting' || stage === 'held') && pending.has(spec.key),
			);
			return new Set(counting.map(({ spec }) => spec.batch ?? spec.key));
		},
		operationsOutsideStore: () =>
			new Map([...hidden].map(({ spec }) => [spec.computer ?? '', spec.operation])),
		cancel(items) {
			const cancelled = new Set(items);
			for (const scope of scopes)
				queues[scope] = queues[scope].filter(item => !cancelled.has(item));
			const facts = cancellationFacts(items, hidden);
			for (const item of items) {
				pending.delete(item.spec.key);
				hidden.delete(item);
				item.controller?.abort();
			}
			accountStore.foldAll(facts);
		},
		remove: key => void pending.delete(key),
		fillStore() {
			const places = hidden.size === 0 ? 0 : freePlaces();
			const next: PendingOperation[] = [];
			for (const queue of [queues.other, queues.none])
				for (const item of queue) {
					if (next.length === places) break;
					if (hidden.has(item)) next.push(item);
				}
			showAll(next);
		},
	};
}

/** The log names this many computers of a batch. */
const maxNames = 2;

/**
 * Returns one fact for all cancelled operations of a batch, and one for each other operation. An operation whose
 * request was sent and refused by the rate limit has a fact of its own, because the log has its first step.
 */
function cancellationFacts(
	items: readonly PendingOperation[],
	hidden: ReadonlySet<PendingOperation>,
): readonly FactBody[] {
	const itemsByBatch = new Map<string, PendingOperation[]>();
	const facts: FactBody[] = [];
	for (const item of items) {
		const { batch, key } = item.spec;
		if (batch === undefined || item.rateLimitRefusals > 0)
			facts.push({ type: 'operationCancelled', key });
		else {
			const ofBatch = itemsByBatch.get(batch);
			if (ofBatch) ofBatch.push(item);
			else itemsByBatch.set(batch, [item]);
		}
	}
	for (const [batch, ofBatch] of itemsByBatch) {
		facts.push({
			type: 'batchCancelled',
			batch,
			count: ofBatch.length,
			keys: ofBatch.flatMap(item => (hidden.has(item) ? [] : [item.spec.key])),
			computers: ofBatch.flatMap(({ spec }) => spec.computer ?? []),
			names: ofBatch
				.slice(0, maxNames)
				.flatMap(({ spec: { computer = '', name = computer } }) => name),
		});
	}
	return facts;
}

/** The store as one account sees it. It adds the account and the time to each fact. */
export type AccountStore = {
	state(): AccountState;
	fold(fact: FactBody, askedAt?: number): void;
	/** Folds all facts and notifies subscribers once. */
	foldAll(facts: readonly FactBody[]): void;
};

export function createAccountStore(account: string, store: Store, clock: Clock): AccountStore {
	const stamped = (fact: FactBody, askedAt?: number): Fact => ({
		account,
		at: clock.now(),
		...(askedAt !== undefined && { askedAt }),
		...fact,
	});

	return {
		state: () => store.getState().accounts.get(account) ?? emptyAccount,
		fold: (fact, askedAt) => store.fold(stamped(fact, askedAt)),
		foldAll: facts => store.foldAll(facts.map(fact => stamped(fact))),
	};
}

/** One operation, a batch, all operations that count down, or all. A batch that counts down is cancelled as a whole. */
export type CancelSelection = { key: string } | { batch: string } | 'countingDown' | 'all';

/** Returns a function that says whether an operation is to be cancelled. */
export function selectionTest(
	selection: CancelSelection,
	accounts: readonly { pending: Pick<PendingOperations, 'countingDown'> }[],
): (spec: OperationSpec) => boolean {
	if (selection === 'all') return () => true;
	if (selection !== 'countingDown')
		return ({ key, batch }) =>
			'key' in selection ? key === selection.key : batch === selection.batch;
	const counting = new Set(accounts.flatMap(({ pending }) => [...pending.countingDown()]));
	return ({ key, batch = key }) => counting.has(batch);
}
