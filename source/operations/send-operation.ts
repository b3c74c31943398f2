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

const unsentAgain = { stage: 'queued', sentAt: undefined } as const;

/**
 * Sends the request of an operation that is in turn, and notes the answer of the platform:
 *
 * ```
 *   queued, after the start of its computer and the countdown ─▶ sent ─▶ accepted ─▶ followed to its outcome
 *    ▲                                                            ├──▶ refused: failed, if it is not so already
 *    └────────────────────────────────────────────────────────────┤    by the rate limit, or held back
 *                                                                 └──▶ no response: looked up, never sent again
 * ```
 *
 * What is queued afterwards gets another turn. What has left is never called back. The outcome is noted when a read shows
 * it.
 */
export async function sendOperation(run: Run, runs: Runs): Promise<void> {
	const { account, spec, details } = run;
	const { clock, jumps } = runs;
	const whyNot = () => whyNotSent(account.state(), spec, clock.now());
	jumps.check();
	if (!runs.mayBeSent(run)) return;
	const obstacle = whyNot();
	if (obstacle !== undefined) return runs.end([run], 'failed', createFailure('conflict', obstacle));
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
	} catch (error) {
		if (account.signal.aborted || isHeldBack || (runs.isOver(run) && !hasLeft)) return;
		if (!(error instanceof PlatformError)) throw error;
		await noteFailure(run, runs, error.failure, hasLeft);
	}
}

function accept(run: Run, { clock, note }: Runs, response: Acceptance) {
	const computer = response.computer ?? response.reading?.id ?? run.spec.computer;
	const spec = { ...run.spec, computer };
	note([run], { spec, stage: 'accepted', acceptedAt: clock.now() }, response);
}

async function noteFailure(run: Run, runs: Runs, failure: Failure, hasLeft: boolean) {
	const { account, spec } = run;
	const fail = (why: Failure, stage: 'failed' | 'unknown' = 'failed') =>
		runs.note([run], { stage, endedAt: runs.clock.now(), failure: why });
	if (!hasLeft && failure.kind === 'auth') return runs.failSignIn(run, failure);
	// A sign-in that a rate limit has refused is not retried: the rate limiter does not count sign-ins, so it would send
	// the retry at once.
	if (hasLeft && failure.kind === 'limited') {
		run.refusals += 1;
		const final = finalRefusal(run, runs, failure);
		return final ? fail(final) : runs.note([run], unsentAgain);
	}
	// The outcome of an own command that a signal has ended is unknown for good.
	if (failure.isOutcomeUnknown && operationRowOf(spec.operation).goal.reaches !== 'exit') {
		fail(failure, 'unknown');
		return lookUp(run, runs);
	}
	const isDone = await isDoneAnyway(run, runs, failure);
	if (account.signal.aborted) return;
	if (isDone) accept(run, runs, {});
	else fail(failure);
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
	let fact: FactBody = { type: 'computerRead', read: 'status', computer: { id }, isMissing: true };
	try {
		// A status read does not contain the ports, so a port operation needs the details.
		fact =
			evidence === 'detail'
				? {
						type: 'computerRead',
						read: 'detail',
						computer: await platform.readComputer(id, options),
					}
				: {
						type: 'computerRead',
						read: 'status',
						computer: await platform.readStatus(id, options),
					};
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
