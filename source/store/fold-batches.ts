import type { OperationMove } from '../fleet/change.ts';
import type { Fact } from '../fleet/fact.ts';
import {
	type BatchItemState,
	type BatchProgress,
	hasUnknownOutcome,
	type Operation,
	type OperationSpec,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import { withChanges } from './change-log.ts';
import { loggedStep } from './logged-step.ts';
import { operationIn } from './our-operations.ts';
import type { AccountState } from './state.ts';

type BatchFact = Extract<Fact, { batch: string }>;
type OperationFact = Extract<Fact, { key: string } | { wish: OperationSpec }>;

/** Folds what happens to a batch as a whole. `withBatchStep` counts what happens to each of its operations. */
export function foldBatch(account: AccountState, fact: BatchFact): AccountState {
	if (fact.type === 'batchAsked') return foldBatchAsked(account, fact);
	const batch = account.batches.get(fact.batch);
	if (!batch) return account;
	if (fact.type === 'batchCancelled') {
		const moved = withItemsMoved(batch, 'waiting', 'cancelled', fact.count, fact.at);
		const ended = withOperationsCancelled(account, fact);
		return withChanges(withBatch(ended, moved), [cancelledStep(account, batch, fact)]);
	}
	const operations = new Map(
		[...account.operations].filter(
			([, { spec, stage }]) => spec.batch !== fact.batch || stage !== 'failed',
		),
	);
	return withoutBatches({ ...account, operations }, [fact.batch]);
}

function withOperationsCancelled(
	account: AccountState,
	{ keys = [], at }: Extract<BatchFact, { type: 'batchCancelled' }>,
): AccountState {
	if (keys.length === 0) return account;
	const operations = new Map(account.operations);
	const ended = new Map(account.endedOperations);
	for (const key of keys) {
		const operation = operations.get(key);
		if (operation) ended.set(key, { ...operation, stage: 'cancelled', endedAt: at });
		operations.delete(key);
	}
	return { ...account, operations, endedOperations: ended };
}

/** Returns the one line of the log for all operations that were cancelled together. */
function cancelledStep(
	account: AccountState,
	{ id, operation, askedAt, pane }: BatchProgress,
	{ count, computers, names, at }: Extract<BatchFact, { type: 'batchCancelled' }>,
): OperationMove {
	const spec = { key: `${id}-${at}`, operation, batch: id };
	const step = loggedStep(account, { spec, askedAt, pane }, 'cancelled', at);
	return { ...step, count, ...(computers && { computers }), ...(names && { names }) };
}

/** Removes batches together with their operations that have ended. */
function withoutBatches(account: AccountState, ids: readonly string[]): AccountState {
	if (ids.length === 0) return account;
	const gone = new Set(ids);
	const batches = new Map([...account.batches].filter(([id]) => !gone.has(id)));
	const ended = [...account.endedOperations].filter(([, { spec }]) => !gone.has(spec.batch ?? ''));
	return { ...account, batches, endedOperations: new Map(ended) };
}

// Beyond this count the oldest finished batches are dropped.
const maxBatches = 10;

const zeroCounts = {
	waiting: 0,
	underWay: 0,
	checking: 0,
	done: 0,
	failed: 0,
	unknown: 0,
	cancelled: 0,
};

function foldBatchAsked(
	before: AccountState,
	{
		batch: id,
		operation,
		total,
		port,
		skipped,
		at,
		pane,
		progress,
	}: Extract<Fact, { type: 'batchAsked' }>,
): AccountState {
	const finished = [...before.batches.values()].filter(({ isOver }) => isOver);
	const surplus = finished.slice(0, Math.max(0, before.batches.size - maxBatches + 1));
	const account = withoutBatches(
		before,
		surplus.map(batch => batch.id),
	);
	const batch: BatchProgress = {
		id,
		operation,
		...(port !== undefined && { port }),
		total,
		countsByState: progress?.counts ?? { ...zeroCounts, waiting: total },
		failures: progress?.failures ?? [],
		unknownOutcomes: progress?.unknownOutcomes ?? [],
		skipped,
		askedAt: at,
		isOver: progress?.endedAt !== undefined,
		...(progress?.endedAt !== undefined && { endedAt: progress.endedAt }),
		...(pane !== undefined && { pane }),
	};
	return { ...account, batches: new Map([...account.batches, [id, batch]]) };
}

const itemStates: Readonly<Record<OperationStage, BatchItemState>> = {
	counting: 'waiting',
	held: 'waiting',
	queued: 'waiting',
	sent: 'underWay',
	accepted: 'underWay',
	done: 'done',
	failed: 'failed',
	unknown: 'checking',
	cancelled: 'cancelled',
	skipped: 'cancelled',
};

const itemStateOf = (operation: Operation) =>
	hasUnknownOutcome(operation) ? 'unknown' : itemStates[operation.stage];

/** Counts the step of an operation in its batch. `before` is the account before the step. */
export function withBatchStep(
	before: AccountState,
	after: AccountState,
	fact: OperationFact,
): AccountState {
	const key = 'wish' in fact ? fact.wish.key : fact.key;
	const [known, next] = [before.operations.get(key), operationIn(after, key)];
	const batch = after.batches.get(next?.spec.batch ?? '');
	if (before === after || !batch || !next) return after;
	const from = known ? itemStateOf(known) : 'waiting';
	const to = itemStateOf(next);
	if (from === to) return after;
	const moved = withItemsMoved(batch, from, to, 1, fact.at);
	const { computer: id = '', name = id } = next.spec;
	const problem = { id, name, message: next.failure?.message ?? '' };
	if (to === 'failed') moved.failures = [...moved.failures, problem];
	if (to === 'unknown') moved.unknownOutcomes = [...moved.unknownOutcomes, problem];
	return withBatch(after, moved);
}

/** Moves operations of a batch from one state to another. */
export function withItemsMoved(
	batch: BatchProgress,
	from: BatchItemState,
	to: BatchItemState,
	count: number,
	at: number,
): BatchProgress {
	const counts = { ...batch.countsByState };
	counts[from] -= count;
	counts[to] += count;
	const isOver = counts.waiting + counts.underWay + counts.checking === 0;
	return { ...batch, countsByState: counts, isOver, ...(isOver && { endedAt: at }) };
}

function withBatch(account: AccountState, batch: BatchProgress): AccountState {
	return { ...account, batches: new Map(account.batches).set(batch.id, batch) };
}
