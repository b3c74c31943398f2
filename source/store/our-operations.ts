import { phaseOf, type Reading } from '../fleet/computers/computer.ts';
import {
	type BatchProgress,
	isOfThisProcess,
	isUnderWay,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { memoize } from '../foundation/memoize.ts';
import { shownOperationByComputer } from './selectors.ts';
import type { AccountState, JointAccount } from './state.ts';

/** Returns whether a matching operation, sent by this host, is under way on the computer. */
export function hasOperationUnderWay(
	{ operations }: AccountState,
	id: string,
	isMatch: (row: OperationRow) => boolean,
): boolean {
	for (const operation of operations.values()) {
		const { spec, sentAt } = operation;
		if (spec.computer !== id || sentAt === undefined || !isUnderWay(operation)) continue;
		if (isMatch(operationRowOf(spec.operation))) return true;
	}
	return false;
}

/**
 * Returns the request of a creation with the name that its computer has by now, because the platform chooses a name if
 * the person gives none. Other requests stay the same.
 */
export function withNameOfNew(
	{ computers }: AccountState,
	spec: OperationSpec,
	created?: Reading,
): OperationSpec {
	if (spec.name !== undefined || operationRowOf(spec.operation).subject !== 'account') return spec;
	const name = created?.name ?? computers.get(spec.computer ?? '')?.reading.name;
	return name ? { ...spec, name } : spec;
}

/**
 * Returns the creation that has no computer yet: the creation under way, or else the latest failed creation that
 * no person has seen.
 */
export function pendingCreate({
	operations,
}: Pick<JointAccount, 'operations'>): Operation | undefined {
	const all = [...operations.values()].filter(
		({ spec }) =>
			spec.computer === undefined && operationRowOf(spec.operation).subject === 'account',
	);
	return all.find(isUnderWay) ?? all.at(-1);
}

/**
 * Returns what Esc dismisses: the first that exists of a finished batch whose result is shown, the failed operation of
 * the computer under the cursor, a failed create, and another finished batch.
 */
export function nextDismissible(
	account: Pick<JointAccount, 'batches' | 'operations'>,
	operationUnderCursor: Operation | undefined,
): { batch: string } | { key: string } | undefined {
	const shownBatch = shownBatchOf(account);
	if (shownBatch?.isOver) return { batch: shownBatch.id };
	const failedOperation = [operationUnderCursor, pendingCreate(account)].find(
		candidate => candidate?.stage === 'failed',
	);
	if (failedOperation) return { key: failedOperation.spec.key };
	const finishedBatch = [...account.batches.values()].findLast(({ isOver }) => isOver);
	return finishedBatch && { batch: finishedBatch.id };
}

/**
 * Returns the batch whose line is shown: the running batch, or the newest one until a person dismisses its result.
 * A batch of a single operation has no line.
 */
export function shownBatchOf(
	account: Pick<JointAccount, 'batches' | 'operations'>,
): BatchProgress | undefined {
	const batches = [...account.batches.values()];
	const batch = batches.find(({ isOver }) => !isOver) ?? batches.at(-1);
	return batch && batch.total >= 2 && !isBatchOutdated(batch, account) ? batch : undefined;
}

/**
 * Returns whether the result of a batch is old news: the batch ended without a failure, and a single operation of
 * this process has failed since then and was not dismissed.
 */
export function isBatchOutdated(
	{ endedAt, isOver, failures, unknownOutcomes }: BatchProgress,
	account: Pick<JointAccount, 'operations'>,
): boolean {
	if (!isOver || endedAt === undefined || failures.length + unknownOutcomes.length > 0)
		return false;
	return lastFailureAt(account.operations) > endedAt;
}

// The result is cached, because a batch may have ten thousand operations and its line is drawn in every frame.
const lastFailureAt = memoize((operations: JointAccount['operations']): number => {
	let latest = Number.NEGATIVE_INFINITY;
	for (const operation of operations.values()) {
		const { spec, stage, endedAt = latest } = operation;
		if (stage === 'failed' && spec.batch === undefined && isOfThisProcess(operation))
			latest = Math.max(latest, endedAt);
	}
	return latest;
});

/** Marks operations whose computers have changed phase since the request was sent. */
export function withPhaseChanges(account: AccountState, askedAt: number): AccountState {
	let operations: Map<string, Operation> | undefined;
	for (const [key, operation] of account.operations) {
		if (!hasChangedPhase(account, operation, askedAt)) continue;
		operations ??= new Map(account.operations);
		operations.set(key, { ...operation, hasPhaseChanged: true });
	}
	return operations ? { ...account, operations } : account;
}

function hasChangedPhase(account: AccountState, operation: Operation, askedAt: number): boolean {
	const { spec, sentAt, readingBefore: before, hasPhaseChanged } = operation;
	if (hasPhaseChanged || sentAt === undefined || askedAt < sentAt || !isUnderWay(operation))
		return false;
	const computer = account.computers.get(spec.computer ?? '');
	// The phase has changed only if it differs from a reading taken before the request.
	return (
		before !== undefined && computer !== undefined && computer.phase !== phaseOf(before.status)
	);
}

/** Returns an operation of the last question, whether or not it has ended; undefined while it is not in the store. */
export function operationIn(
	{ operations, endedOperations: ended }: AccountState,
	key: string,
): Operation | undefined {
	return operations.get(key) ?? ended.get(key);
}

/** Moves operations from `operations` to `ended` once no person has to look at them any more. */
export function withOperationsEnded(account: AccountState, keys: readonly string[]): AccountState {
	if (keys.length === 0) return account;
	const [operations, ended] = [new Map(account.operations), new Map(account.endedOperations)];
	for (const key of keys) {
		const operation = operations.get(key);
		if (operation) ended.set(key, operation);
		operations.delete(key);
	}
	return { ...account, operations, endedOperations: ended };
}

/**
 * The failed operations that one question can retry: the failure under the cursor, or else all failures of the
 * same kind as the latest one.
 */
export function retryCandidates(
	account: AccountState,
	operationUnderCursor: Operation | undefined,
): readonly Operation[] {
	if (operationUnderCursor?.stage === 'failed') return [operationUnderCursor];
	const onComputers = [...shownOperationByComputer(account.operations).values()];
	const failed = onComputers.filter(each => each.stage === 'failed' && isOfThisProcess(each));
	const last = failed.at(-1);
	if (last) {
		const { operation, port } = last.spec;
		return failed.filter(({ spec }) => spec.operation === operation && spec.port === port);
	}
	const newcomer = pendingCreate(account);
	return newcomer?.stage === 'failed' ? [newcomer] : [];
}
