import { withChangesCounted } from '../fleet/activity-hours.ts';
import { type Change, computerIdOf, mergeChanges } from '../fleet/change.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { AccountState } from './state.ts';

const maxChanges = 1_000;

/**
 * Adds changes to the log and drops the oldest. All changes of one fact are kept, so that the journal misses
 * none.
 */
export function withChanges(
	account: AccountState,
	changes: readonly (Change | undefined)[],
): AccountState {
	const added = changes.filter(change => change !== undefined);
	if (added.length === 0) return account;
	return {
		...account,
		changes: latestChanges([...account.changes, ...added], Math.max(maxChanges, added.length)),
		activity: withChangesCounted(account.activity, added),
		changeCount: account.changeCount + added.length,
	};
}

export function latestChanges(
	changes: readonly Change[],
	maxCount: number = maxChanges,
): readonly Change[] {
	return changes.length > maxCount ? changes.slice(-maxCount) : changes;
}

/** Returns the changes that facts added to the log between two states, oldest first. Restored changes do not count. */
export function changesBetween(
	before: Pick<AccountState, 'changeCount'>,
	after: Pick<AccountState, 'changes' | 'changeCount'>,
): readonly Change[] {
	const count = after.changeCount - before.changeCount;
	return count > 0 ? after.changes.slice(-count) : [];
}

/** Returns the changes of one computer, oldest first. */
export function changesOfComputer(
	{ changes, history }: Pick<AccountState, 'changes' | 'history'>,
	id: string,
): readonly Change[] {
	const lately = changes.filter(change => computerIdOf(change) === id);
	return history?.id === id ? mergeChanges(history.changes, lately) : lately;
}

/** Returns the port that this program published last on a computer. */
export function lastPublishedPortOf({ changes }: AccountState, id: string): number | undefined {
	const last = changes.findLast(
		change =>
			change.type === 'operationMoved' &&
			change.to === 'settled' &&
			operationRowOf(change.wish.operation).goal.reaches === 'published' &&
			change.wish.computer === id,
	);
	return last?.type === 'operationMoved' ? last.wish.port : undefined;
}
