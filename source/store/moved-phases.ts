import { phaseOf } from '../fleet/computer.ts';
import { isUnderWay, type Operation } from '../fleet/operation.ts';
import type { AccountState } from './state.ts';

/** Notes which operations' computers are seen in another phase than when the request went out. */
export function withMovedPhases(account: AccountState, askedAt: number): AccountState {
	let operations: Map<string, Operation> | undefined;
	for (const [key, operation] of account.operations) {
		if (!isMoving(account, operation, askedAt)) continue;
		operations ??= new Map(account.operations);
		operations.set(key, { ...operation, hasMoved: true });
	}
	return operations ? { ...account, operations } : account;
}

function isMoving(account: AccountState, operation: Operation, askedAt: number): boolean {
	const { wish, sentAt, before, hasMoved } = operation;
	if (hasMoved || sentAt === undefined || askedAt < sentAt || !isUnderWay(operation)) return false;
	const computer = account.computers.get(wish.computer ?? '');
	return computer !== undefined && computer.phase !== phaseOf(before?.status);
}
