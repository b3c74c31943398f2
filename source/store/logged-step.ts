import type { OperationMove } from '../fleet/change.ts';
import {
	isOfThisProcess,
	type Operation,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import type { AccountState } from './state.ts';

type LoggedOperation = Pick<Operation, 'spec' | 'askedAt' | 'sentAt' | 'failure'> & {
	pane?: number | undefined;
};

/** Returns the line of the log that says which step an operation has taken. */
export function loggedStep(
	{ signIn }: Pick<AccountState, 'signIn'>,
	{ spec, askedAt, sentAt = askedAt, failure, pane }: LoggedOperation,
	to: OperationMove['to'],
	at: number,
): OperationMove {
	const who = signIn?.isSignedIn ? signIn.email : undefined;
	return {
		type: 'operationMoved',
		at,
		wish: spec,
		to,
		took: Math.max(0, at - sentAt),
		...(who !== undefined && { who }),
		...(pane !== undefined && { pane }),
		...((to === 'failed' || to === 'unknown') && failure && { message: failure.message }),
	};
}

/**
 * Returns the last steps of the operations that this process leaves behind because it ends now:
 *
 * ```
 *   the platform has accepted the request      accepted
 *   no response has arrived yet                unknown
 * ```
 *
 * Without such a step, another process would take the operation for one whose process was killed.
 */
export function lastSteps(account: AccountState, now: number): readonly OperationMove[] {
	const own = [...account.operations.values()].filter(isOfThisProcess);
	const inStage = (stage: OperationStage) => own.filter(operation => operation.stage === stage);
	return [
		...inStage('accepted').map(operation => ({
			...loggedStep(account, operation, 'sent', now),
			isAccepted: true,
		})),
		...inStage('sent').map(operation => ({
			...loggedStep(account, operation, 'unknown', now),
			message: 'no response before crowsnest ended',
		})),
	];
}
