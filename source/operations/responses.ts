import type { FactBody } from '../fleet/fact.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { Acceptance, OperationApi } from '../platform/operation-requests.ts';
import type { PendingOperation } from './begun-part.ts';
import { createLookUpTimes } from './look-up-times.ts';
import type { OperationsDeps } from './operations-options.ts';
import { isAlreadyHappening } from './settlement.ts';

/** How one request ended. */
export type SendResult =
	| { end: 'accepted'; acceptance: Acceptance }
	/** The platform refused the request and said why. */
	| { end: 'refused'; failure: Failure }
	/** An own command has failed. The state of the computer says nothing about its outcome. */
	| { end: 'failed'; failure: Failure }
	/** The rate limit refused the request, so it may be sent again. */
	| { end: 'limited'; failure: Failure }
	/** The request was sent, and no response says whether it was carried out. */
	| { end: 'lost'; failure: Failure }
	/** The sign-in was refused, so the request was not sent. */
	| { end: 'signedOut'; failure: Failure }
	/** The request was cancelled or held back before it was sent. */
	| { end: 'unsent' };

export type FailedOperation = { item: PendingOperation; failure: Failure };

/** Turns the result of a request into facts. */
export type ResponseHandler = {
	handle(
		item: PendingOperation,
		result: Exclude<SendResult, { end: 'unsent' | 'signedOut' }>,
	): void;
	/** Fails operations together, because each change of the store takes time, and thousands may fail. */
	failAll(failed: readonly FailedOperation[]): void;
};

// A create that would have to wait for longer than this fails, because the question did not mention such a wait.
const maxCreateWaitMs = 60_000;

// Each refusal freezes the scope for all requests, longer each time. An operation that is refused this often
// fails, so that the others can be sent.
const maxRateLimitRefusals = 6;

export function createResponseHandler(deps: OperationsDeps): ResponseHandler {
	const { accountStore, pending, platform, limiter, clock, watch, signal } = deps;

	const lookUpTimes = createLookUpTimes({ clock, signal, lookUp });
	const operationNow = ({ key }: OperationSpec) => accountStore.state().operations.get(key);

	function accept({ spec }: PendingOperation, acceptance: Acceptance) {
		const { key } = spec;
		pending.remove(key);
		const sentAt = operationNow(spec)?.sentAt;
		accountStore.fold({ type: 'operationAccepted', key, ...acceptance }, sentAt);
	}

	const fail = (item: PendingOperation, failure: Failure) => failAll([{ item, failure }]);

	function failAll(failed: readonly FailedOperation[]) {
		pending.addToStore(failed.map(({ item }) => item));
		for (const { item } of failed) pending.remove(item.spec.key);
		accountStore.foldAll(
			failed.map(({ item, failure }) => ({
				type: 'operationFailed',
				key: item.spec.key,
				failure,
			})),
		);
	}

	// A request without a response is never sent again. The state of the computer decides its outcome.
	function lose({ spec }: PendingOperation, failure: Failure) {
		pending.remove(spec.key);
		accountStore.fold({ type: 'operationUnknown', key: spec.key, failure });
		lookUpTimes.begin(spec);
	}

	// Reads the answer that reveals the outcome: the list for a create, the details for ports. The watch reads the
	// status of a computer with an unknown outcome in any case.
	function lookUp(spec: OperationSpec) {
		if (operationNow(spec)?.stage !== 'unknown') return;
		const { operation, computer } = spec;
		if (computer === undefined) watch.readNow([{ name: 'list' }]);
		else if (operationRowOf(operation).evidence === 'detail') {
			watch.readNow([{ name: 'detail', id: computer }]);
		} else {
			watch.wake();
		}
	}

	// The rate limiter has frozen the scope, so the repeated request waits there. Until it is sent, Esc cancels it.
	function limit(item: PendingOperation, failure: Failure) {
		if (!pending.isPending(item)) return;
		item.rateLimitRefusals += 1;
		if (item.rateLimitRefusals >= maxRateLimitRefusals) {
			const message = `rate limited ${item.rateLimitRefusals} times and not done`;
			return fail(item, { ...failure, message, advice: 'Try again later if you still want this.' });
		}
		const wait = limiter.slots().create.nextAt.operation - clock.now();
		const { scope } = operationRowOf(item.spec.operation);
		if (scope !== 'create' || wait <= maxCreateWaitMs) return pending.putBack(item);
		const message = `${failure.message}; the next creation is possible in ${durationText(wait)}`;
		fail(item, { ...failure, message, advice: 'Try again; the request will wait until then.' });
	}

	// "Already in progress", or "not found" after a delete, may mean that the operation has reached its goal.
	async function refuse(item: PendingOperation, failure: Failure) {
		const mayBeDone = failure.kind === 'conflict' || failure.kind === 'missing';
		if (mayBeDone && (await isDoneAnyway(item.spec))) accept(item, {});
		else fail(item, failure);
	}

	async function isDoneAnyway(spec: OperationSpec): Promise<boolean> {
		const { computer: id, operation } = spec;
		if (id === undefined || signal.aborted) return false;
		const checked = await recheck(spec, { platform, clock, signal });
		if (!checked) return false;
		accountStore.fold(checked.fact, checked.askedAt);
		const computer = accountStore.state().computers.get(id);
		return computer
			? isAlreadyHappening(computer, spec)
			: operationRowOf(operation).goal.reaches === 'gone';
	}

	return {
		handle(item, result) {
			if (result.end === 'accepted') accept(item, result.acceptance);
			else if (result.end === 'lost') lose(item, result.failure);
			else if (result.end === 'failed') fail(item, result.failure);
			else if (result.end === 'limited') limit(item, result.failure);
			else void refuse(item, result.failure);
		},
		failAll,
	};
}

/** A new answer about a computer, with the time at which its request was sent. */
type RecheckResult = { fact: FactBody; askedAt: number };

/** Reads the computer that a refused request was about; undefined if this read fails, too. */
async function recheck(
	{ operation, computer: id = '' }: OperationSpec,
	{ platform, clock, signal }: { platform: OperationApi; clock: Clock; signal: AbortSignal },
): Promise<RecheckResult | undefined> {
	let askedAt = clock.now();
	const onSent = () => {
		askedAt = clock.now();
	};
	const options = { signal, priority: 'operation', onSent } as const;
	try {
		// A status read does not contain the ports, so a port operation needs the details.
		const fact: FactBody =
			operationRowOf(operation).evidence === 'detail'
				? { type: 'detailRead', computer: await platform.readComputer(id, options) }
				: { type: 'statusRead', computer: await platform.readStatus(id, options) };
		return { fact, askedAt };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		if (error.failure.kind !== 'missing') return undefined;
		return { fact: { type: 'computerMissed', id }, askedAt };
	}
}
