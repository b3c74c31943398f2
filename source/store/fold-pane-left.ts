import type { Fact } from '../fleet/fact.ts';
import { hasUnknownOutcome, isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { withItemsMoved } from './fold-batches.ts';
import { operationIn } from './our-operations.ts';
import type { AccountState } from './state.ts';

type PaneLeft = Pick<Extract<Fact, { type: 'paneLeft' }>, 'left' | 'hasEnded' | 'at'>;

/**
 * Drops the operations of a process that no longer shares them. If the process has ended, the operations whose
 * request it sent and whose end it did not see stay, because the recorder finds out how they ended.
 */
export function foldPaneLeft(account: AccountState, fact: PaneLeft): AccountState {
	const { left, hasEnded = false, at } = fact;
	const operations = new Map<string, Operation>();
	const keptBatches = new Set<string>();
	for (const [key, operation] of account.operations) {
		const { pane, abandonedAt, spec } = operation;
		if (pane !== left) {
			operations.set(key, operation);
		} else if (abandonedAt !== undefined || (hasEnded && isUnsettled(operation))) {
			operations.set(key, { ...operation, abandonedAt: abandonedAt ?? at });
			if (spec.batch !== undefined) keptBatches.add(spec.batch);
		}
	}
	return { ...account, operations, batches: batchesAfter(account.batches, fact, keptBatches) };
}

/** Whether the request was sent, and nothing shows yet whether the operation reached its goal. */
const isUnsettled = (operation: Operation) =>
	operation.sentAt !== undefined && (isUnderWay(operation) || hasUnknownOutcome(operation));

/**
 * Drops the batches of a process that has left, except those with an operation that stays. Their waiting operations
 * count as cancelled, because no process will send them.
 */
function batchesAfter(
	batches: AccountState['batches'],
	{ left, at }: PaneLeft,
	kept: ReadonlySet<string>,
): AccountState['batches'] {
	return new Map(
		[...batches].flatMap(([id, batch]) => {
			if (batch.pane !== left) return [[id, batch] as const];
			if (!kept.has(id)) return [];
			const { waiting } = batch.countsByState;
			return [[id, withItemsMoved(batch, 'waiting', 'cancelled', waiting, at)] as const];
		}),
	);
}

/**
 * Adds an operation that only the journal knows. The log has its `sent` step already. How the computer was before the
 * request is not known.
 */
export function foldAbandoned(
	account: AccountState,
	{ wish, sentAt, left, at }: Extract<Fact, { type: 'operationAbandoned' }>,
): AccountState {
	if (operationIn(account, wish.key)) return account;
	const operation: Operation = {
		spec: wish,
		stage: 'sent',
		askedAt: sentAt,
		sentAt,
		hasPhaseChanged: false,
		pane: left,
		abandonedAt: at,
	};
	return { ...account, operations: new Map(account.operations).set(wish.key, operation) };
}
