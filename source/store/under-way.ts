import type { OperationId } from '../fleet/fact.ts';
import { isUnderWay } from '../fleet/operation.ts';
import type { AccountState } from './state.ts';

/** A request of ours to do one of these to the computer went out, and its end is not known. */
export function hasUnderWay(
	{ operations }: AccountState,
	id: string,
	kinds: readonly OperationId[],
): boolean {
	for (const operation of operations.values()) {
		const { wish, sentAt } = operation;
		if (wish.computer !== id || sentAt === undefined || !isUnderWay(operation)) continue;
		if (kinds.includes(wish.operation)) return true;
	}
	return false;
}
