import { type Change, computerIdOf, mergeChanges, type StatusChange } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
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

export function latestChanges(
	changes: readonly Change[],
	maxCount: number = maxChanges,
): readonly Change[] {
	return changes.length > maxCount ? changes.slice(-maxCount) : changes;
}

/** Restored changes do not count. */
export function changesBetween(
	before: Pick<AccountState, 'changeCount'>,
	after: Pick<AccountState, 'changes' | 'changeCount'>,
): readonly Change[] {
	const count = after.changeCount - before.changeCount;
	return count > 0 ? after.changes.slice(-count) : [];
}

export function changesWithName(
	changes: readonly Change[],
	{ key, name }: OperationSpec,
): readonly Change[] {
	const isUnnamed = (change: Change) =>
		change.type === 'operationMoved' && change.wish.key === key && change.wish.name !== name;
	if (name === undefined || !changes.some(isUnnamed)) return changes;
	return changes.map(change =>
		change.type === 'operationMoved' && isUnnamed(change)
			? { ...change, wish: { ...change.wish, name } }
			: change,
	);
}

/** The platform no longer tells the reason after the computer has recovered. */
export function withErrorsExplained(
	account: AccountState,
	computers: readonly ComputerState[],
): AccountState {
	const reasons = new Map(
		computers.flatMap(({ id, phase, reading: { error } }) =>
			phase === 'error' && error ? [[id, error] as const] : [],
		),
	);
	if (reasons.size === 0) return account;
	let changes: Change[] | undefined;
	for (let index = account.changes.length - 1; index >= 0 && reasons.size > 0; index -= 1) {
		const change = account.changes[index];
		if (change?.type !== 'statusChanged') continue;
		const error = reasons.get(change.id);
		// Only the latest change of a computer can have led to its present error.
		reasons.delete(change.id);
		if (error === undefined || !isUnexplainedError(change)) continue;
		changes ??= [...account.changes];
		changes[index] = { ...change, error };
	}
	return changes ? { ...account, changes } : account;
}

const isUnexplainedError = (change: Change): change is StatusChange =>
	change.type === 'statusChanged' &&
	change.to !== null &&
	change.error === undefined &&
	phaseOf(change.to) === 'error';

export function explainedBetween(
	before: Pick<AccountState, 'changes'>,
	after: Pick<AccountState, 'changes'>,
): readonly StatusChange[] {
	if (before.changes === after.changes) return [];
	const subjectOf = ({ id, at }: StatusChange) => `${at} ${id}`;
	const unexplained = new Set(before.changes.filter(isUnexplainedError).map(subjectOf));
	if (unexplained.size === 0) return [];
	return after.changes.filter(
		(change): change is StatusChange =>
			change.type === 'statusChanged' &&
			change.error !== undefined &&
			unexplained.has(subjectOf(change)),
	);
}

export function changesOfComputer(
	{ changes, history }: Pick<AccountState, 'changes' | 'history'>,
	id: string,
): readonly Change[] {
	const lately = changes.filter(change => computerIdOf(change) === id);
	return history?.id === id ? mergeChanges(history.changes, lately) : lately;
}

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
