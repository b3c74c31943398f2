import { type Change, computerIdOf, mergeChanges } from '../fleet/change.ts';
import type { AccountState } from './state.ts';

const keptAtMost = 1_000;

/** Adds to the log. However many one fact brought, all of them are there when the journal looks. */
export function withChanges(
	account: AccountState,
	changes: readonly (Change | undefined)[],
): AccountState {
	const added = changes.filter(change => change !== undefined);
	if (added.length === 0) return account;
	return {
		...account,
		changes: latestOf([...account.changes, ...added], Math.max(keptAtMost, added.length)),
		changeCount: account.changeCount + added.length,
	};
}

export function latestOf(
	changes: readonly Change[],
	atMost: number = keptAtMost,
): readonly Change[] {
	return changes.length > atMost ? changes.slice(-atMost) : changes;
}

/** What is known to have happened to a computer, oldest first. */
export function historyOf({ changes, history }: AccountState, id: string): readonly Change[] {
	const lately = changes.filter(change => computerIdOf(change) === id);
	return history?.id === id ? mergeChanges(history.changes, lately) : lately;
}

/** Which of its ports was published from here last. */
export function lastPublishedPort({ changes }: AccountState, id: string): number | undefined {
	const last = changes.findLast(
		change =>
			change.type === 'operationMoved' &&
			change.to === 'settled' &&
			change.wish.operation === 'publish' &&
			change.wish.computer === id,
	);
	return last?.type === 'operationMoved' ? last.wish.port : undefined;
}
