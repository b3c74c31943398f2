import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { requestOf } from '../platform/operation-requests.ts';
import type { AccountState } from '../store/state.ts';
import type { PendingOperation } from './begun-part.ts';
import type { OperationsDeps } from './operations-options.ts';
import type { FailedOperation, ResponseHandler, SendResult } from './responses.ts';
import { obstacleOfOthers, obstacleTo } from './targets.ts';
import { isCreateBlocked } from './waiting.ts';

// The rate limiter holds only a few requests, enough to use its slots. The others wait in the queue, where a
// single operation can overtake a batch. Creates are sent one by one, so that a lost response leaves no doubt
// which new computer belongs to it.
// Each own command is a process of its own.
const maxInFlight = { create: 1, other: 3, none: 4 };

// Each failure is two facts for the store, so a key that is pressed meanwhile waits for this many at most.
const maxFailedInTurn = 50;

/** Creates the function that sends all requests that may be sent now. */
export function createSender(
	{ accountStore, platform, pending, policy, clock, signal: closing }: OperationsDeps,
	responses: ResponseHandler,
	cancelForgotten: () => void,
): () => void {
	const inFlight = { create: 0, other: 0, none: 0 };
	let isSending = false;
	let isWaitingForTurn = false;
	// After a refused sign-in, all operations that wait fail. Otherwise each would send another sign-in, only to be refused.
	let signInFailure: { failure: Failure; at: number } | undefined;

	/** Sends, drops or fails the next operation. Returns false if none may be sent now. */
	function sendOne(scope: OperationRow['scope']): boolean {
		if (inFlight[scope] >= maxInFlight[scope]) return false;
		if (scope === 'create' && isCreateBlocked(accountStore.state())) return false;
		const item = pending.takeNext(scope);
		if (!item) return false;
		const permission = permissionFor(item);
		const failure = failureWithoutRequest(permission, scope);
		if (permission === 'hold') {
			pending.putBack(item);
			return false;
		}
		if (failure) failWithNext({ item, failure }, scope);
		else if (permission === 'go') void sendAndHandle(item, scope);
		else pending.cancel([item].filter(pending.isPending));
		return true;
	}

	/**
	 * Fails an operation and those after it that have a reason to fail, too. They may be thousands, so they fail together,
	 * and only some of them in one turn of the event loop.
	 */
	function failWithNext(first: FailedOperation, scope: OperationRow['scope']) {
		const failed = [first];
		while (failed.length < maxFailedInTurn) {
			const item = pending.takeNext(scope);
			if (!item) break;
			const failure = failureWithoutRequest(permissionFor(item), scope);
			if (!failure) {
				pending.putBack(item);
				break;
			}
			failed.push({ item, failure });
		}
		responses.failAll(failed);
		if (failed.length === maxFailedInTurn) sendInNextTurn();
	}

	function sendInNextTurn() {
		isWaitingForTurn = true;
		clock.after(0, () => {
			isWaitingForTurn = false;
			sendNext();
		});
	}

	/** Returns why an operation fails before its request is sent; undefined if it may be sent, held or dropped. */
	function failureWithoutRequest(permission: SendPermission, scope: OperationRow['scope']) {
		if (typeof permission === 'object') return createFailure('conflict', permission.obstacle);
		return permission === 'go' && scope !== 'none' ? signInFailure?.failure : undefined;
	}

	function forgetSignInFailureOnceSignedIn() {
		const { signIn } = accountStore.state();
		if (signInFailure && signIn?.isSignedIn && signIn.at >= signInFailure.at)
			signInFailure = undefined;
	}

	function permissionFor(item: PendingOperation): SendPermission {
		cancelForgotten();
		if (!pending.isPending(item)) return 'drop';
		const row = operationRowOf(item.spec.operation);
		const permission = policy.changePermission(row.changes);
		return sendPermissionFor(item.spec, accountStore.state(), permission, clock.now());
	}

	async function sendAndHandle(item: PendingOperation, scope: OperationRow['scope']) {
		inFlight[scope] += 1;
		const result = await send(item).finally(() => {
			inFlight[scope] -= 1;
		});
		// A command goes on when its account is removed from the table. Its end then no longer matters.
		if (scope === 'none' && closing.aborted) return;
		// An operation that is put back after a refused sign-in fails with those that wait behind it.
		if (result.end === 'signedOut') signInFailure = { failure: result.failure, at: clock.now() };
		const isUnsent = result.end === 'unsent' || result.end === 'signedOut';
		if (!isUnsent) responses.handle(item, result);
		else if (pending.isPending(item)) pending.putBack(item);
		sendNext();
	}

	async function send(item: PendingOperation): Promise<SendResult> {
		const { spec, details } = item;
		const controller = new AbortController();
		const { signal } = controller;
		item.controller = controller;
		let isSent = false;
		let isStopped = false;
		// Called right before the request leaves, and twice if the token was refused, because the request is then sent
		// again. The fact is in the journal when `fold` returns, so no request leaves without a trace.
		const onSent = () => {
			isStopped = signal.aborted || permissionFor(item) !== 'go';
			if (isStopped) return controller.abort();
			if (isSent) return;
			isSent = true;
			pending.addToStore([item]);
			accountStore.fold({ type: 'operationSent', key: spec.key });
		};
		try {
			const request = requestOf(spec.operation);
			const requestOptions = { signal, priority: 'operation', onSent } as const;
			return {
				end: 'accepted',
				acceptance: await request(platform, { ...details, ...spec }, requestOptions),
			};
		} catch (error) {
			if (isStopped || (signal.aborted && !isSent)) return { end: 'unsent' };
			if (error instanceof PlatformError) return resultOf(spec.operation, error.failure, isSent);
			// When the program ends, the rate limiter rejects with an error that is not a `PlatformError`.
			if (permissionFor(item) !== 'go') return { end: 'unsent' };
			throw error;
		}
	}

	function sendNext() {
		// Sending causes a fact, and the fact calls this function again. Such a call can return, because the loop
		// below continues.
		if (isSending) return;
		isSending = true;
		forgetSignInFailureOnceSignedIn();
		try {
			while (!isWaitingForTurn && (sendOne('create') || sendOne('other') || sendOne('none')));
			if (!isWaitingForTurn) signInFailure = undefined;
		} finally {
			isSending = false;
		}
	}

	return sendNext;
}

/** Whether a request may be sent now. An `obstacle` is a reason why the computer no longer accepts the operation. */
type SendPermission = 'go' | 'hold' | 'drop' | { obstacle: string };

function sendPermissionFor(
	spec: OperationSpec,
	state: AccountState,
	changePermission: 'go' | 'hold' | 'drop',
	now: number,
): SendPermission {
	if (changePermission !== 'go' || spec.computer === undefined) return changePermission;
	const others = obstacleOfOthers(state, spec, now);
	if (others !== undefined) return { obstacle: others };
	const obstacle = obstacleTo(state, spec.operation, state.computers.get(spec.computer), spec);
	return obstacle === undefined ? 'go' : { obstacle: obstacle.reason };
}

// If a sign-in was refused because of a rate limit, nothing is retried: the rate limiter does not count sign-ins, so
// it would send the retry at once.
function resultOf(operation: OperationId, failure: Failure, isSent: boolean): SendResult {
	if (operationRowOf(operation).goal.reaches === 'exit') return { end: 'failed', failure };
	if (!isSent && failure.kind === 'auth') return { end: 'signedOut', failure };
	if (isSent && failure.kind === 'limited') return { end: 'limited', failure };
	return { end: failure.isOutcomeUnknown ? 'lost' : 'refused', failure };
}
