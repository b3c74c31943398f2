import {
	type Change,
	computerIdOf,
	mergeChanges,
	type OperationMove,
	type StatusChange,
} from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { AccountState, ComputerState } from './state.ts';

const maxChanges = 1_000;

export function withChanges(
	account: AccountState,
	changes: readonly (Change | undefined)[],
): AccountState {
	const added = changes.filter(change => change !== undefined);
	if (added.length === 0) return account;
	return {
		...account,
		changes: latestChanges([...account.changes, ...added], Math.max(maxChanges, added.length)),
		changeCount: account.changeCount + added.length,
	};
}

export const latestChanges = (changes: readonly Change[], maxCount: number = maxChanges) =>
	changes.slice(-maxCount);

export function changesBetween(
	before: Pick<AccountState, 'changeCount'>,
	after: Pick<AccountState, 'changes' | 'changeCount'>,
): readonly Change[] {
	const count = after.changeCount - before.changeCount;
	return count > 0 ? after.changes.slice(-count) : [];
}

/** The platform no longer tells the reason after the computer has recovered. */
export function withErrorsExplained(
	account: AccountState,
	computers: readonly ComputerState[],
): AccountState {
	const explained = new Map<Change, StatusChange>();
	for (const { id, phase, reading } of computers) {
		const { error } = reading;
		// Only the latest change can have led to the present error.
		const last = account.changes.findLast(each => each.type === 'statusChanged' && each.id === id);
		if (phase !== 'error' || !error || last?.type !== 'statusChanged' || last.error) continue;
		if (phaseOf(last.to ?? '') === 'error') explained.set(last, { ...last, error });
	}
	if (explained.size === 0) return account;
	const changes = account.changes.map(change => explained.get(change) ?? change);
	return { ...account, changes, explainedChanges: [...explained.values()] };
}

export function changesOfComputer(
	{ changes, history }: Pick<AccountState, 'changes' | 'history'>,
	id: string,
): readonly Change[] {
	const lately = changes.filter(change => computerIdOf(change) === id);
	return history?.id === id ? mergeChanges(history.changes, lately) : lately;
}

/** Unless the port was unpublished or its computer removed since; without a port, the latest publication. */
export function lastPublicationOf(
	{ changes }: Pick<AccountState, 'changes'>,
	id: string,
	port?: number,
): OperationMove | undefined {
	const last = changes.findLast(change => {
		if (computerIdOf(change) !== id) return false;
		if (change.type !== 'operationMoved')
			return change.type === 'statusChanged' && change.to === null;
		const isOfPort = port === undefined ? isPublication(change) : change.wish.port === port;
		return change.to === 'settled' && isOfPort;
	});
	return last?.type === 'operationMoved' && isPublication(last) ? last : undefined;
}

const isPublication = ({ wish }: OperationMove) =>
	operationRowOf(wish.operation).goal.reaches === 'published';
