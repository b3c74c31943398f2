import type { FactBody } from '../fleet/fact.ts';
import { isUnsent, type OperationId } from '../fleet/operations/operation.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Failure } from '../foundation/failure.ts';
import type { AccountStore } from './account-store.ts';
import { type BegunPart, createBegunPart, type PendingOperation } from './begun-part.ts';
import type { OperationMaker } from './operation-maker.ts';
import { createSendingQueue, type SendingQueue } from './sending-queue.ts';

/**
 * The operations of this process that are not over, and their order in the queue. The store knows how far each has
 * come. The store holds only the first operations of a very large batch: every operation there makes each change of
 * the store slower, and thousands of cancelled operations would push everything else out of the log.
 */
export type PendingOperations = {
	/**
	 * Adds operations. With a countdown, they stay out of the queue until it has ended and `enqueue` is called. Those that
	 * wait for another operation stay out of it until `putBack` is called.
	 */
	add(maker: OperationMaker, graceEndsAt: number | undefined, waits?: boolean): BegunPart;
	/** Queues the operations that are still pending. */
	enqueue(part: BegunPart): void;
	/** Queues an operation again, before all others. It may have been sent and refused by the rate limit. */
	putBack(item: PendingOperation): void;
	/** Removes and returns the next operation. A single operation goes before the rest of a batch. */
	takeNext(scope: OperationRow['scope']): PendingOperation | undefined;
	/** How many operations will be sent before this one; -1 if it is not in the queue. */
	positionOf(item: PendingOperation): number;
	/** Puts operations into the store at once, because they are about to be sent or have failed. */
	addToStore(items: readonly PendingOperation[]): void;
	get(key: string): PendingOperation | undefined;
	isPending(item: PendingOperation): boolean;
	/** Returns the operations whose requests have not been sent. */
	unsent(): readonly PendingOperation[];
	/** Returns the keys of the batches, and of the single operations, whose countdown runs or is held. */
	countingDown(): ReadonlySet<string>;
	/** Returns the waiting operations of a long batch that are not in the store yet, keyed by computer id. */
	operationsOutsideStore(): ReadonlyMap<string, OperationId>;
	/** Cancels operations, except those whose request has been sent. With a failure, they count as failed. */
	cancel(items: readonly PendingOperation[], failure?: Failure): void;
	isEmpty(): boolean;
	/** Forgets an operation, because its request is over or another operation replaces it. */
	remove(key: string): void;
	/** Moves further operations of a large batch into the store when others there no longer wait. */
	fillStore(): void;
};

const maxOperationsInStore = 500;

// The first operations of each question are in the store even if it has many, so that their countdown can be seen and
// cancelled.
const minOperationsInStore = 50;

const scopes: readonly OperationRow['scope'][] = ['create', 'other', 'none'];

const scopeOf = (operation: OperationId) => operationRowOf(operation).scope;

export function createPendingOperations(accountStore: AccountStore): PendingOperations {
	const pending = new Map<string, PendingOperation>();
	/** The operations that are made, but are not in the store yet. */
	const hidden = new Set<PendingOperation>();
	/** The parts whose last operations are not in the store yet. */
	const unfinished = new Set<BegunPart>();
	const queues: Record<OperationRow['scope'], SendingQueue> = {
		create: createSendingQueue(),
		other: createSendingQueue(),
		none: createSendingQueue(),
	};

	const isPending = (item: PendingOperation) => pending.get(item.spec.key) === item;

	function addMade(item: PendingOperation) {
		pending.set(item.spec.key, item);
		hidden.add(item);
	}

	function enqueue(part: BegunPart) {
		const { operation, batch } = part.maker;
		const rest = part.restCount() > 0 ? [part] : [];
		queues[scopeOf(operation)].add(
			[...part.taken().filter(isPending), ...rest],
			batch === undefined ? 'before batches' : 'end',
		);
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
		let waitingCount = 0;
		accountStore.state().operations.forEach(operation => {
			if (isUnsent(operation)) waitingCount += 1;
		});
		return Math.max(0, maxOperationsInStore - waitingCount);
	}

	return {
		add(maker, graceEndsAt, waits = false) {
			const part = createBegunPart(maker, { onMade: addMade, isPending });
			const shown = part.take(Math.max(minOperationsInStore, freePlaces()));
			if (part.restCount() > 0) unfinished.add(part);
			if (graceEndsAt === undefined && !waits) enqueue(part);
			showAll(shown, graceEndsAt);
			return part;
		},
		enqueue,
		putBack(item) {
			const { spec } = item;
			queues[scopeOf(spec.operation)].addFirst(item);
			if (accountStore.state().operations.get(spec.key)?.stage === 'sent')
				accountStore.fold({ type: 'operationAsked', wish: spec });
		},
		takeNext: scope => queues[scope].takeFirst(),
		positionOf: item => queues[scopeOf(item.spec.operation)].positionOf(item),
		addToStore: items => showAll(items.filter(item => hidden.has(item))),
		get: key => pending.get(key),
		isPending,
		unsent() {
			for (const part of unfinished) part.all();
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
		operationsOutsideStore() {
			const outside = new Map<string, OperationId>();
			for (const { spec } of hidden) outside.set(spec.computer ?? '', spec.operation);
			for (const { maker, computersOfUnmade } of unfinished)
				for (const computer of computersOfUnmade()) outside.set(computer, maker.operation);
			return outside;
		},
		cancel(items, failure) {
			if (failure) showAll(items.filter(item => hidden.has(item)));
			const facts: readonly FactBody[] = failure
				? items.map(({ spec: { key } }) => ({ type: 'operationFailed', key, failure }))
				: cancellationFacts(items, hidden);
			for (const item of items) {
				pending.delete(item.spec.key);
				hidden.delete(item);
				item.controller?.abort();
			}
			for (const part of unfinished) {
				part.dropCancelledRest();
				if (part.restCount() === 0) unfinished.delete(part);
			}
			const cancelled = new Set(items);
			for (const scope of scopes) queues[scope].remove(cancelled);
			accountStore.foldAll(facts);
		},
		isEmpty: () => pending.size + unfinished.size === 0,
		remove: key => void pending.delete(key),
		fillStore() {
			if (hidden.size + unfinished.size === 0) return;
			const next: PendingOperation[] = [];
			const places = freePlaces();
			const isHidden = (item: PendingOperation) => hidden.has(item);
			for (const queue of [queues.other, queues.none])
				next.push(...queue.firstOf(isHidden, places - next.length));
			for (const part of unfinished) if (part.restCount() === 0) unfinished.delete(part);
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
