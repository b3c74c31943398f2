import { phaseOf, type Reading } from '../fleet/computers/computer.ts';
import {
	type BatchItemState,
	type BatchProgress,
	hasUnknownOutcome,
	isOfThisProcess,
	isUnderWay,
	type Operation,
	type OperationSpec,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { grouped } from '../foundation/grouped.ts';
import type { AccountState } from './state.ts';

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

export function withNameOfNew(
	{ computers }: AccountState,
	spec: OperationSpec,
	created?: Reading,
): OperationSpec {
	if (spec.name !== undefined || operationRowOf(spec.operation).subject !== 'account') return spec;
	const name = created?.name ?? computers.get(spec.computer ?? '')?.reading.name;
	return name ? { ...spec, name } : spec;
}

export function pendingCreate({
	operations,
}: Pick<AccountState, 'operations'>): Operation | undefined {
	return [...operations.values()].find(
		operation =>
			operation.spec.computer === undefined &&
			operationRowOf(operation.spec.operation).subject === 'account' &&
			isUnderWay(operation),
	);
}

type KnownOperations = Pick<AccountState, 'operations' | 'endedOperations'>;

export function batchesOf({
	operations,
	endedOperations: ended,
}: KnownOperations): ReadonlyMap<string, BatchProgress> {
	const members = grouped([...ended.values(), ...operations.values()], ({ spec }) => spec.batch);
	const batches = [...members].flatMap(([id, all]) =>
		id === undefined ? [] : progressOf(id, all),
	);
	batches.sort((a, b) => a.askedAt - b.askedAt);
	return new Map(batches.map(batch => [batch.id, batch]));
}

const itemStates: Readonly<Record<OperationStage, BatchItemState>> = {
	counting: 'waiting',
	held: 'waiting',
	queued: 'waiting',
	sent: 'underWay',
	accepted: 'underWay',
	done: 'done',
	failed: 'failed',
	unknown: 'checking',
	cancelled: 'cancelled',
	skipped: 'cancelled',
};

function progressOf(id: string, all: readonly Operation[]): BatchProgress {
	const counts: Record<BatchItemState, number> = {
		waiting: 0,
		underWay: 0,
		checking: 0,
		done: 0,
		failed: 0,
		unknown: 0,
		cancelled: 0,
	};
	for (const each of all) counts[hasUnknownOutcome(each) ? 'unknown' : itemStates[each.stage]] += 1;
	const failed = all
		.filter(({ stage }) => stage === 'failed')
		.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
	const isOver = counts.waiting + counts.underWay + counts.checking === 0;
	const [{ spec, pane } = all[0] as Operation] = all;
	return {
		id,
		operation: spec.operation,
		port: spec.port,
		total: all.length,
		countsByState: counts,
		failures: failed.filter(each => !hasUnknownOutcome(each)).map(problemOf),
		unknownOutcomes: failed.filter(hasUnknownOutcome).map(problemOf),
		skipped: Math.max(0, ...all.map(({ skipped = 0 }) => skipped)),
		askedAt: Math.min(...all.map(({ askedAt }) => askedAt)),
		endedAt: isOver ? Math.max(...all.map(({ endedAt = 0 }) => endedAt)) : undefined,
		isOver,
		pane,
	};
}

function problemOf({ spec: { computer: id = '', name = id }, failure }: Operation) {
	return { id, name, message: failure?.message ?? '' };
}

export type StandingFailure = { at: number } & (
	| { type: 'batch'; batch: BatchProgress }
	| { type: 'operation'; operation: Operation }
);

export function standingFailure(
	account: KnownOperations,
	operationUnderCursor: Operation | undefined,
): StandingFailure | undefined {
	const { operations } = account;
	if ([...operations.values()].every(isUnderWay)) return undefined;
	const batches = batchesOf(account);
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
	return failures.sort((a, b) => a.at - b.at).at(-1);
}

const hasProblem = ({ isOver, total, failures, unknownOutcomes }: BatchProgress) =>
	isOver && total >= 2 && failures.length + unknownOutcomes.length > 0;

export function runningBatchOf(account: KnownOperations): BatchProgress | undefined {
	return [...batchesOf(account).values()].find(({ isOver, total }) => !isOver && total >= 2);
}

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
	return (
		before !== undefined && computer !== undefined && computer.phase !== phaseOf(before.status)
	);
}

export function operationIn(
	{ operations, endedOperations: ended }: AccountState,
	key: string,
): Operation | undefined {
	return operations.get(key) ?? ended.get(key);
}

const maxEndedOperations = 2_000;

export function withOperationsEnded(account: AccountState, keys: readonly string[]): AccountState {
	if (keys.length === 0) return account;
	const operations = new Map(account.operations);
	const endedOperations = new Map(account.endedOperations);
	for (const key of keys) {
		const operation = operations.get(key);
		if (operation) endedOperations.set(key, operation);
		operations.delete(key);
	}
	const latest = [...endedOperations].slice(-maxEndedOperations);
	return { ...account, operations, endedOperations: new Map(latest) };
}
