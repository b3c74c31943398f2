import type { Fact } from '../fleet/fact.ts';
import type { BatchItemState, BatchProgress } from '../fleet/operations/operation.ts';
import { fold } from '../store/fold.ts';
import { type AccountState, emptyState } from '../store/state.ts';
import { operationFacts } from './known-facts.ts';

/** Returns the facts from which another process learns of batches and operations in the store. */
export const jobFacts = (
	account: string,
	state: Pick<AccountState, 'batches' | 'operations'>,
	isIncluded: (job: { pane?: number }) => boolean,
): readonly Fact[] => [
	...batchFacts(account, state, isIncluded),
	...operationFacts(account, state, isIncluded),
	...endedPaneFacts(account, state, isIncluded),
];

/** Returns the facts from which another process learns that the processes of operations have ended. */
function endedPaneFacts(
	account: string,
	{ operations }: Pick<AccountState, 'operations'>,
	isIncluded: (job: { pane?: number }) => boolean,
): readonly Fact[] {
	const endedAt = new Map<number, number>();
	for (const operation of operations.values()) {
		const { pane, abandonedAt } = operation;
		if (pane !== undefined && abandonedAt !== undefined && isIncluded(operation))
			endedAt.set(pane, abandonedAt);
	}
	return Array.from(endedAt, ([left, at]) => {
		return { account, at, type: 'paneLeft', left, hasEnded: true };
	});
}

/**
 * Returns the facts from which another process learns of the batches in the store. The fact of a batch has the
 * progress without the operations that are in the store, because the facts of these operations follow and are counted
 * then:
 *
 * ```
 *   the batch       3 done, 1 failed, 2 sent
 *   its operations  1 failed, 2 sent                   as facts
 *   its fact        3 done, 3 waiting
 * ```
 */
function batchFacts(
	account: string,
	state: Pick<AccountState, 'batches' | 'operations'>,
	isIncluded: (batch: BatchProgress) => boolean,
): readonly Fact[] {
	return [...state.batches.values()].filter(isIncluded).map(batch => {
		const { id, operation, port, total, skipped, askedAt, endedAt, pane } = batch;
		const fact: Extract<Fact, { type: 'batchAsked' }> = {
			account,
			at: askedAt,
			type: 'batchAsked',
			batch: id,
			operation,
			total,
			skipped,
			...(port !== undefined && { port }),
			...(pane !== undefined && { pane }),
		};
		const operations = operationFacts(account, state, ({ spec }) => spec.batch === id);
		const replayed = [fact, ...operations]
			.reduce(fold, emptyState)
			.accounts.get(account)
			?.batches.get(id);
		if (!replayed) return fact;
		const countOf = (item: BatchItemState) =>
			batch.countsByState[item] - replayed.countsByState[item] + (item === 'waiting' ? total : 0);
		const isLeftOut = ({ id: computer }: { id: string }) =>
			!replayed.failures.some(failure => failure.id === computer);
		return {
			...fact,
			progress: {
				counts: {
					waiting: countOf('waiting'),
					underWay: countOf('underWay'),
					checking: countOf('checking'),
					done: countOf('done'),
					failed: countOf('failed'),
					unknown: countOf('unknown'),
					cancelled: countOf('cancelled'),
				},
				failures: batch.failures.filter(isLeftOut),
				unknownOutcomes: batch.unknownOutcomes,
				...(endedAt !== undefined && { endedAt }),
			},
		};
	});
}
