import type { Reading } from '../../source/fleet/computer.ts';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import type { Failure } from '../../source/fleet/failure.ts';
import type { OperationId } from '../../source/fleet/operation.ts';
import { fold } from '../../source/store/fold.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';

export const account = 'owner';

/** A fact about the account that the tests watch: what happened, when, and when it was asked for. */
export function fact(at: number, happening: FactBody, askedAt?: number): Fact {
	return { account, at, ...(askedAt !== undefined && { askedAt }), ...happening };
}

export function list(at: number, computers: readonly Reading[], askedAt?: number): Fact {
	return fact(at, { type: 'listRead', computers }, askedAt);
}

export function status(at: number, computer: Reading, askedAt?: number): Fact {
	return fact(at, { type: 'statusRead', computer }, askedAt);
}

export function asked(at: number, operation: OperationId, computer?: string, key = 'k'): Fact {
	const wish = { key, operation, ...(computer !== undefined && { computer }) };
	return fact(at, { type: 'operationAsked', wish });
}

export function step(
	at: number,
	type: 'operationSent' | 'operationAccepted' | 'operationSettled' | 'operationSeen',
	key = 'k',
): Fact {
	return fact(at, { type, key });
}

export const failure: Failure = {
	kind: 'server',
	message: 'internal error',
	advice: 'Try again later.',
	isOutcomeUnknown: false,
};

/** The account after all those facts. */
export function accountAfter(...facts: readonly Fact[]): AccountState {
	return facts.reduce(fold, emptyState).accounts.get(account) ?? emptyAccount;
}

export function computerAfter(id: string, ...facts: readonly Fact[]) {
	return accountAfter(...facts).computers.get(id);
}
