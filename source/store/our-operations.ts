import { phaseOf } from '../fleet/computer.ts';
import { isUnderWay, type Operation, type OperationId } from '../fleet/operation.ts';
import { lastOperations } from './selectors.ts';
import type { AccountState } from './state.ts';

/** A request of ours to do one of these to the computer went out, and its end is not known. */
export function hasUnderWay(
	{ operations }: AccountState,
	id: string,
	kinds: readonly OperationId[],
): boolean {
	for (const operation of operations.values()) {
		const { spec, sentAt } = operation;
		if (spec.computer !== id || sentAt === undefined || !isUnderWay(operation)) continue;
		if (kinds.includes(spec.operation)) return true;
	}
	return false;
}

/**
 * The create that has no row to tell of it: it waits, was just sent, or nobody knows what became of it;
 * or else one that failed and was not seen.
 */
export function pendingCreate({ operations }: AccountState): Operation | undefined {
	const all = [...operations.values()].filter(
		({ spec }) => spec.operation === 'create' && spec.computer === undefined,
	);
	return all.find(isUnderWay) ?? all.at(-1);
}

/** Notes which operations' computers are seen in another phase than when the request went out. */
export function withPhaseChanges(account: AccountState, askedAt: number): AccountState {
	let operations: Map<string, Operation> | undefined;
	for (const [key, operation] of account.operations) {
		if (!hasChangedPhase(account, operation, askedAt)) continue;
		operations ??= new Map(account.operations);
		operations.set(key, { ...operation, hasMoved: true });
	}
	return operations ? { ...account, operations } : account;
}

function hasChangedPhase(account: AccountState, operation: Operation, askedAt: number): boolean {
	const { spec, sentAt, before, hasMoved } = operation;
	if (hasMoved || sentAt === undefined || askedAt < sentAt || !isUnderWay(operation)) return false;
	const computer = account.computers.get(spec.computer ?? '');
	return computer !== undefined && computer.phase !== phaseOf(before?.status);
}

/**
 * What may be asked for again: what failed on the computer that one looks at, or else all that failed
 * as the last one did. One question is about one operation.
 */
export function retryCandidates(
	account: AccountState,
	lookedAt: Operation | undefined,
): readonly Operation[] {
	if (lookedAt?.stage === 'failed') return [lookedAt];
	const onComputers = [...lastOperations(account.operations).values()];
	const failed = onComputers.filter(({ stage }) => stage === 'failed');
	const last = failed.at(-1);
	if (last) {
		const { operation, port } = last.spec;
		return failed.filter(({ spec }) => spec.operation === operation && spec.port === port);
	}
	const newcomer = pendingCreate(account);
	return newcomer?.stage === 'failed' ? [newcomer] : [];
}
