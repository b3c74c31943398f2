import type { FactBody } from '../fleet/fact.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { type Acceptance, requestOf } from '../platform/operation-requests.ts';
import { confirmAfterMs, isAlreadyHappening, lookUpAfterMs } from './outcome.ts';
import type { Run, Runs } from './run.ts';
import { whyNotSent } from './why-not.ts';

// Each refusal freezes the scope for all requests, longer each time.
const maxRefusals = 6;

// A create that would have to wait for longer than this fails, because the question did not mention such a wait.
const maxCreateWaitMs = 60_000;

/**
 * Takes an operation from the answered question to the answer of the platform:
 *
 * ```
 *   its turn, after the start of its computer and the countdown ─▶ sent ─▶ accepted ─▶ followed to its outcome
 *    ▲                                                              ├──▶ refused: failed, if it is not so already
 *    └──────────────────────────────────────────────────────────────┤    by the rate limit, or held back
 *                                                                   └──▶ no response: looked up, never sent again
 * ```
 *
 * What ends an operation before it is sent ends its run: the run waits for a turn that never comes. What has left is
 * never called back. The outcome is noted when a read shows it.
 */
export async function runOperation(run: Run, runs: Runs): Promise<void> {
	let isSentAgain: boolean;
	do {
		const endTurn = await runs.turn(run);
		isSentAgain = await send(run, runs);
		// The next turn begins only after the answer was noted: a create waits while the outcome of another is unknown.
		endTurn();
	} while (isSentAgain);
}

/**
 * Sends the request once, if nothing has come in between when the rate limits let it leave, and notes the answer.
 * Returns whether it is to be sent again.
 */
async function send(run: Run, runs: Runs): Promise<boolean> {
	const { account, spec, details } = run;
	const { clock, jumps } = runs;
	const whyNot = () => whyNotSent(account.state(), spec, clock.now());
	jumps.check();
	if (runs.isOver(run)) return false;
	if (!runs.mayBeSent(run)) return true;
	const obstacle = whyNot();
	if (obstacle !== undefined) {
		runs.end([run], 'failed', createFailure('conflict', obstacle));
		return false;
	}
	const request = new AbortController();
	run.request = request;
	let hasLeft = false;
	let isHeldBack = false;
	// The journal has the fact when `note` returns, so no request leaves without a trace.
	function onSent() {
		jumps.check();
		isHeldBack =
			request.signal.aborted ||
			account.signal.aborted ||
			!runs.mayBeSent(run) ||
			whyNot() !== undefined;
		if (isHeldBack) return request.abort();
		runs.note([run], { stage: 'sent', sentAt: clock.now() });
		hasLeft = true;
	}
	// The platform has refused the token, so the request is sent once more after a sign-in, if nothing comes in between.
	function onUnsent() {
		if (account.signal.aborted) return;
		runs.note([run], unsentAgain);
		hasLeft = false;
	}
	const options = { signal: request.signal, priority: 'operation', onSent, onUnsent } as const;
	try {
		const send = requestOf(spec.operation);
		const acceptance = await send(account.platform, { ...details, ...spec }, options);
		if (!account.signal.aborted) accept(run, runs, acceptance);
		return false;
	} catch (error) {
		if (account.signal.aborted || (runs.isOver(run) && !hasLeft)) return false;
		if (isHeldBack) return true;
		if (error instanceof PlatformError) return noteFailure(run, runs, error.failure, hasLeft);
		throw error;
	}
}

const unsentAgain = { stage: 'queued', sentAt: undefined } as const;

function accept(run: Run, { clock, note }: Runs, response: Acceptance) {
	const computer = response.computer ?? response.reading?.id ?? run.spec.computer;
	const spec = { ...run.spec, computer };
	note([run], { spec, stage: 'accepted', acceptedAt: clock.now() }, response);
}

async function noteFailure(
	run: Run,
	runs: Runs,
	failure: Failure,
	hasLeft: boolean,
): Promise<boolean> {
	const { account, spec } = run;
	const fail = (why: Failure, stage: 'failed' | 'unknown' = 'failed') =>
		runs.note([run], { stage, endedAt: runs.clock.now(), failure: why });
	if (!hasLeft && failure.kind === 'auth') {
		if (!runs.mayBeSent(run)) return true;
		runs.failSignIn(run, failure);
		return false;
	}
	// A sign-in that a rate limit has refused is not retried: the rate limiter does not count sign-ins, so it would send
	// the retry at once.
	if (hasLeft && failure.kind === 'limited') {
		run.refusals += 1;
		const final = finalRefusal(run, runs, failure);
		if (final) fail(final);
		else runs.note([run], unsentAgain);
		return final === undefined;
	}
	// The outcome of an own command that a signal has ended is unknown for good.
	if (failure.isOutcomeUnknown && operationRowOf(spec.operation).goal.reaches !== 'exit') {
		fail(failure, 'unknown');
		lookUp(run, runs);
		return false;
	}
	const isDone = await isDoneAnyway(run, runs, failure);
	if (account.signal.aborted) return false;
	if (isDone) accept(run, runs, {});
	else fail(failure);
	return false;
}

function finalRefusal(
	{ spec, account, refusals }: Run,
	{ clock }: Runs,
	failure: Failure,
): Failure | undefined {
	if (refusals >= maxRefusals) {
		const message = `rate limited ${refusals} times and not done`;
		return { ...failure, message, advice: 'Try again later if you still want this.' };
	}
	if (operationRowOf(spec.operation).scope !== 'create') return undefined;
	const wait = account.limiter.slots().create.nextAt.operation - clock.now();
	if (wait <= maxCreateWaitMs) return undefined;
	const message = `${failure.message}; the next creation is possible in ${durationText(wait)}`;
	return { ...failure, message, advice: 'Try again; the request will wait until then.' };
}

/** "Already in progress", or "not found" after a delete, may mean that the operation has reached its goal. */
async function isDoneAnyway(
	{ spec, account }: Run,
	{ clock, receive }: Runs,
	{ kind }: Failure,
): Promise<boolean> {
	const { computer: id, operation } = spec;
	if (id === undefined || (kind !== 'conflict' && kind !== 'missing')) return false;
	const { evidence, goal } = operationRowOf(operation);
	const { platform, signal, state } = account;
	let askedAt = clock.now();
	function onSent() {
		askedAt = clock.now();
	}
	const options = { signal, priority: 'operation', onSent } as const;
	let fact: FactBody = { type: 'computerMissed', id };
	try {
		// A status read does not contain the ports, so a port operation needs the details.
		fact =
			evidence === 'detail'
				? { type: 'detailRead', computer: await platform.readComputer(id, options) }
				: { type: 'statusRead', computer: await platform.readStatus(id, options) };
	} catch (error) {
		if (!(error instanceof PlatformError) || error.failure.kind !== 'missing') return false;
	}
	if (signal.aborted) return false;
	receive(account, [fact], askedAt);
	const computer = state().computers.get(id);
	return computer ? isAlreadyHappening(computer, spec) : goal.reaches === 'gone';
}

/** Asks for the reads that show the outcome of a request without a response; see `outcome.ts` for the times. */
function lookUp({ account, spec }: Run, { clock }: Runs): void {
	const { watch, signal } = account;
	const { evidence } = operationRowOf(spec.operation);
	// The watch reads the status of a computer with an unknown outcome in any case.
	if (evidence === 'status') return;
	function read() {
		if (account.state().operations.get(spec.key)?.stage === 'unknown')
			watch.readNow([{ name: evidence, id: spec.computer }]);
	}
	for (const afterMs of [0, lookUpAfterMs, confirmAfterMs])
		signal.addEventListener('abort', clock.after(afterMs, read));
}
