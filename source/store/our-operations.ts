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

/** Returns the creation under way that has no computer yet. */
export function pendingCreate({
	operations,
}: Pick<JointAccount, 'operations'>): Operation | undefined {
	return [...operations.values()].find(
		operation =>
			operation.spec.computer === undefined &&
			operationRowOf(operation.spec.operation).subject === 'account' &&
			isUnderWay(operation),
	);
}

/** A failure that stays until a person takes it away, or until its operation is done. */
export type StandingFailure = { at: number } & (
	| { type: 'batch'; batch: BatchProgress }
	| { type: 'operation'; operation: Operation }
);

/**
 * Returns the failure that the screen shows, and that Enter, F and Esc are about: that of the computer under the cursor,
 * or else the newest of this process.
 */
export function standingFailure(
	{ batches, operations }: Pick<JointAccount, 'batches' | 'operations'>,
	operationUnderCursor: Operation | undefined,
): StandingFailure | undefined {
	const failureOf = (operation: Operation): StandingFailure => {
		const batch = batches.get(operation.spec.batch ?? '');
		return batch && hasProblem(batch)
			? { type: 'batch', at: batch.endedAt ?? batch.askedAt, batch }
			: { type: 'operation', at: operation.endedAt ?? operation.askedAt, operation };
	};
	const isStanding = (operation: Operation) =>
		operation.stage === 'failed' && batches.get(operation.spec.batch ?? '')?.isOver !== false;
	if (operationUnderCursor && isStanding(operationUnderCursor))
		return failureOf(operationUnderCursor);
	const failures = [...operations.values()]
		.filter(each => isStanding(each) && isOfThisProcess(each))
		.map(failureOf);
	return failures.reduce<StandingFailure | undefined>(
		(newest, each) => (newest && newest.at > each.at ? newest : each),
		undefined,
	);
}

const hasProblem = ({ isOver, total, failures, unknownOutcomes }: BatchProgress) =>
	isOver && total >= 2 && failures.length + unknownOutcomes.length > 0;

/** Returns the batch that is under way. A batch of a single operation has no line. */
export function runningBatchOf({
	batches,
}: Pick<JointAccount, 'batches'>): BatchProgress | undefined {
	return [...batches.values()].find(({ isOver, total }) => !isOver && total >= 2);
}

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

/** The failed operations that one question can retry: all failures of the same kind as the latest one. */
export function retryCandidates(account: AccountState): readonly Operation[] {
	const onComputers = [...shownOperationByComputer(account.operations).values()];
	const creations = [...account.operations.values()].filter(
		({ spec }) => spec.computer === undefined,
	);
	const failed = [...onComputers, ...creations].filter(
		each => each.stage === 'failed' && isOfThisProcess(each),
	);
	const [last] = failed.toSorted((a, b) => b.askedAt - a.askedAt);
	if (!last) return [];
	const { operation, port } = last.spec;
	// One question creates one computer.
	if (operationRowOf(operation).subject === 'account') return [last];
	return failed.filter(({ spec }) => spec.operation === operation && spec.port === port);
}
