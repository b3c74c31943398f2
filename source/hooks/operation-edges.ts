import type { OperationMove } from '../fleet/change.ts';
import { changesBetween } from '../store/change-log.ts';
import type { AccountState } from '../store/state.ts';
import type { Edge } from './hook-event.ts';

/** Returns the operations that ended between two states: of this process, and of others that share its watch. */
export function operationEdges(before: AccountState, after: AccountState): readonly Edge[] {
	return changesBetween(before, after).flatMap(change =>
		change.type === 'operationMoved' ? (edgeOf(change, after) ?? []) : [],
	);
}

function edgeOf({ at, wish, to, message }: OperationMove, after: AccountState): Edge | undefined {
	const { key, operation, computer, name } = wish;
	const outcome = to === 'settled' ? 'done' : to;
	// A cancelled operation does not count, because it was never sent. An operation whose response was lost counts
	// only when its outcome is found or given up.
	const isStillLookedUp = to === 'unknown' && after.operations.get(key)?.stage !== 'failed';
	if (to === 'sent' || to === 'cancelled' || isStillLookedUp) return undefined;
	const address = computer === undefined ? null : after.computers.get(computer)?.reading.address;
	return {
		kind: 'operationEnded',
		at,
		operation,
		from: null,
		to: outcome,
		subject: `${operation} ${computer ?? key}`,
		...(computer !== undefined && {
			computer: { id: computer, ...(name && { name }), ...(address && { address }) },
		}),
		reason: message ?? null,
	};
}
