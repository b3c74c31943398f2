import type { Fact } from '../fleet/fact.ts';
import {
	type BatchItemState,
	type BatchProgress,
	hasUnknownOutcome,
	type Operation,
	type OperationSpec,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import { operationIn } from './our-operations.ts';
import type { AccountState } from './state.ts';

type BatchFact = Extract<Fact, { batch: string }>;
type OperationFact = Extract<Fact, { key: string } | { wish: OperationSpec }>;

/** Folds what happens to a batch as a whole. `withBatchStep` counts what happens to each of its operations. */
export function foldBatch(account: AccountState, fact: BatchFact): AccountState {
	if (fact.type === 'batchAsked') return foldBatchAsked(account, fact);
	const batch = account.batches.get(fact.batch);
	if (!batch) return account;
	if (fact.type === 'batchCancelled')
		return withBatch(account, withItemsMoved(batch, 'waiting', 'cancelled', fact.count));
	const batches = new Map(account.batches);
	batches.delete(fact.batch);
	return { ...account, batches };
}

// Beyond this count the oldest finished batches are dropped, even if no person has dismissed them.
const maxBatches = 10;

const zeroCounts = {
	...{ waiting: 0, underWay: 0, checking: 0 },
	...{ done: 0, failed: 0, unknown: 0, cancelled: 0 },
};

function foldBatchAsked(
	account: AccountState,
	{ batch: id, operation, total, port }: Extract<BatchFact, { type: 'batchAsked' }>,
): AccountState {
	const finished = [...account.batches.values()].filter(({ isOver }) => isOver);
	const surplus = finished.slice(0, Math.max(0, account.batches.size - maxBatches + 1));
	const kept = [...account.batches].filter(([, batch]) => !surplus.includes(batch));
	const batch: BatchProgress = {
		id,
		operation,
		...(port !== undefined && { port }),
		total,
		countsByState: { ...zeroCounts, waiting: total },
		failures: [],
		unknownOutcomes: [],
		isOver: false,
	};
	return { ...account, batches: new Map([...kept, [id, batch]]) };
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

/** Counts the step of an operation in its batch. `before` is the account without the step. */
export function withBatchStep(
	before: AccountState,
	after: AccountState,
	fact: OperationFact,
): AccountState {
	const key = fact.type === 'operationAsked' ? fact.wish.key : fact.key;
	const [known, next] = [before.operations.get(key), operationIn(after, key)];
	const batch = after.batches.get(next?.spec.batch ?? '');
	if (before === after || !batch || !next) return after;
	const from = known ? itemStateOf(known) : 'waiting';
	const to = itemStateOf(next);
	if (from === to) return after;
	const moved = withItemsMoved(batch, from, to, 1);
	const { computer: id = '', name = id } = next.spec;
	const problem = { id, name, message: next.failure?.message ?? '' };
	if (to === 'failed') moved.failures = [...moved.failures, problem];
	if (to === 'unknown') moved.unknownOutcomes = [...moved.unknownOutcomes, problem];
	return withBatch(after, moved);
}

function withItemsMoved(
	batch: BatchProgress,
	from: BatchItemState,
	to: BatchItemState,
	count: number,
): BatchProgress {
	const counts = { ...batch.countsByState };
	counts[from] -= count;
	counts[to] += count;
	const isOver = counts.waiting + counts.underWay + counts.checking === 0;
	return { ...batch, countsByState: counts, isOver };
}

function withBatch(account: AccountState, batch: BatchProgress): AccountState {
	return { ...account, batches: new Map(account.batches).set(batch.id, batch) };
}
