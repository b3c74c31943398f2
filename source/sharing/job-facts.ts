import type { Fact } from '../fleet/fact.ts';
import type { Operation } from '../fleet/operations/operation.ts';
import { operationFact } from '../fleet/operations/operation-fact.ts';
import type { AccountState } from '../store/state.ts';

/**
 * Returns the facts from which another process learns of the operations in the store: of what has not ended, and of what
 * has ended in batches that go on.
 */
export function jobFacts(
	account: string,
	state: Pick<AccountState, 'operations' | 'endedOperations'>,
	isIncluded: (operation: Operation) => boolean,
): readonly Fact[] {
	const running = new Set([...state.operations.values()].map(({ spec }) => spec.batch));
	const ended = [...state.endedOperations.values()].filter(
		({ spec }) => spec.batch !== undefined && running.has(spec.batch),
	);
	const shared = [...ended, ...state.operations.values()].filter(isIncluded);
	return shared.map(operation => {
		const {
			askedAt,
			sentAt = askedAt,
			acceptedAt = sentAt,
			endedAt = acceptedAt,
			pane,
		} = operation;
		return { account, at: endedAt, pane, ...operationFact(operation) };
	});
}
