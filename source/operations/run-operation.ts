import type { FactBody } from '../fleet/fact.ts';
import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { type Acceptance, requestOf } from '../platform/operation-requests.ts';
import { confirmAfterMs, isAlreadyHappening, lookUpAfterMs } from './outcome.ts';
import type { Account, Run } from './run.ts';
import type { Runs } from './runs.ts';
import { whyNotSent } from './why-not.ts';

// Each refusal freezes the scope for all requests, longer each time. An operation that is refused this often
// fails, so that the others can be sent.
const maxRateLimitRefusals = 6;

// A create that would have to wait for longer than this fails, because the question did not mention such a wait.
const maxCreateWaitMs = 60_000;

/**
 * Takes an operation from the answered question to its outcome:
 *
 * ```
 *   the computer is started, if it has to be ─▶ countdown ─▶ turn ─▶ sent ─▶ accepted ─▶ followed to its outcome
 *                                                             ▲        ├──▶ refused: failed, if it is not so already
 *                                                             └────────┤    by the rate limit, or held back
 *                                                                      └──▶ no response: looked up, never sent again
 * ```
 *
 * What ends an operation before it is sent ends its run: the run waits for a turn that never comes. What has left is
 * never called back. The account notes the outcome when a read shows it.
 */
export async function runOperation(run: Run, runs: Runs): Promise<void> {
	const { signal, queues } = run.account;
	if (run.first && !(await isStarted(run, run.first, runs))) return;
	await run.countdown?.over;
	const queue = queues[operationRowOf(run.spec.operation).scope];
	let endTurn = await queue.turn(run, run.first ? 'back' : 'in order');
	for (let refusals = 0; ; endTurn = await queue.turn(run, 'back')) {
		const answer = await send(run, runs);
		if (signal.aborted) return;
		if (answer.end === 'limited') refusals += 1;
		// The next turn begins only after the answer was noted: a create waits while the outcome of another is unknown.
		const isOver = noteAnswer(run, runs, answer, refusals);
		endTurn();
		if (answer.end === 'refused') return finishRefused(run, runs, answer.failure);
		if (answer.end === 'lost') return lookUp(run, runs);
		if (isOver) return;
	}
}

/** Notes how the request ended. Returns false if the operation waits for another turn. */
function noteAnswer(run: Run, runs: Runs, answer: Answer, refusals: number): boolean {
	switch (answer.end) {
		case 'over':
		case 'refused':
			return true;
		case 'accepted':
			accept(run, runs, answer.acceptance);
			return true;
		case 'failed':
			noteFailure(run, runs, answer.failure);
			return true;
		case 'lost':
			noteFailure(run, runs, answer.failure, 'unknown');
			return true;
		case 'signedOut':
			if (runs.isHeld(run)) return false;
			// Each of those that wait would send another sign-in, only to be refused.
			runs.end([run, ...runs.waitingRequests(run.account)], 'failed', answer.failure);
			return true;
		case 'limited': {
			const failure = refusedForGood(run, runs, answer.failure, refusals);
			if (failure) noteFailure(run, runs, failure);
			else runs.note([run], unsentAgain);
			return failure !== undefined;
		}
		case 'heldBack':
			return false;
	}
}

const unsentAgain = { stage: 'queued', sentAt: undefined } as const;

function noteFailure(
	run: Run,
	{ clock, note }: Runs,
	failure: Failure,
	stage: Operation['stage'] = 'failed',
) {
	note([run], { stage, endedAt: clock.now(), failure });
}

/** Waits until the computer was started. Ends the operation if it was not. */
async function isStarted(run: Run, first: Run, { end }: Runs): Promise<boolean> {
	await first.ended;
	if (run.isOver || run.account.signal.aborted) return false;
	const { computers, operations } = run.account.state();
	if (computers.get(run.spec.computer ?? '')?.phase === 'active') return true;
	const hasFailed = operations.get(first.spec.key)?.stage === 'failed';
	const failure = createFailure('conflict', 'it was not started');
	if (hasFailed) end([run], 'failed', failure);
	else end([run], 'cancelled');
	return false;
}

/** How a request ended. */
type Answer =
	| { end: 'accepted'; acceptance: Acceptance }
	/** The platform refused the request and said why. */
	| { end: 'refused'; failure: Failure }
	/** The computer does not accept the operation any more, or an own command has failed. */
	| { end: 'failed'; failure: Failure }
	/** The rate limit refused the request, so it may be sent again. */
	| { end: 'limited'; failure: Failure }
	/** The request was sent, and no response says whether it was carried out. */
	| { end: 'lost'; failure: Failure }
	/** The sign-in was refused, so the request was not sent. */
	| { end: 'signedOut'; failure: Failure }
	/** Something came in between. */
	| { end: 'heldBack' }
	| { end: 'over' };

/** Sends the request once, if nothing has come in between when the rate limits let it leave. */
async function send(run: Run, runs: Runs): Promise<Answer> {
	const { account, spec } = run;
	const { clock, jumps } = runs;
	const whyNot = () => whyNotSent(account.state(), spec, clock.now());
	const isFree = () =>
		!account.signal.aborted && !run.isOver && !runs.isHeld(run) && whyNot() === undefined;
	jumps.check();
	if (run.isOver) return { end: 'over' };
	if (runs.isHeld(run)) return { end: 'heldBack' };
	const obstacle = whyNot();
	if (obstacle !== undefined)
		return { end: 'failed', failure: createFailure('conflict', obstacle) };
	const request = new AbortController();
	run.request = request;
	let hasLeft = false;
	let isHeldBack = false;
	// The journal has the fact when `note` returns, so no request leaves without a trace.
	const onSent = () => {
		jumps.check();
		isHeldBack = request.signal.aborted || !isFree();
		if (isHeldBack) return request.abort();
		runs.note([run], { stage: 'sent', sentAt: clock.now() });
		hasLeft = true;
	};
	// The platform has refused the token, so the request is sent once more after a sign-in, if nothing comes in between.
	const onUnsent = () => {
		if (account.signal.aborted) return;
		runs.note([run], unsentAgain);
		hasLeft = false;
	};
	try {
		const options = { signal: request.signal, priority: 'operation', onSent, onUnsent } as const;
		const acceptance = await requestOf(spec.operation)(
			account.platform,
			{ ...run.details, ...spec },
			options,
		);
		return { end: 'accepted', acceptance };
	} catch (error) {
		if (run.isOver && !hasLeft) return { end: 'over' };
		if (isHeldBack) return { end: 'heldBack' };
		if (error instanceof PlatformError) return answerFrom(spec, error.failure, hasLeft);
		// When the account is closed, the rate limiter rejects with an error of its own.
		if (account.signal.aborted) return { end: 'over' };
		throw error;
	}
}

// If a sign-in was refused because of a rate limit, nothing is retried: the rate limiter does not count sign-ins, so
// it would send the retry at once.
function answerFrom({ operation }: OperationSpec, failure: Failure, hasLeft: boolean): Answer {
	if (operationRowOf(operation).goal.reaches === 'exit') return { end: 'failed', failure };
	if (!hasLeft && failure.kind === 'auth') return { end: 'signedOut', failure };
	if (hasLeft && failure.kind === 'limited') return { end: 'limited', failure };
	return { end: failure.isOutcomeUnknown ? 'lost' : 'refused', failure };
}

async function finishRefused(run: Run, runs: Runs, failure: Failure): Promise<void> {
	const isDone = await isDoneAnyway(run, runs, failure);
	if (run.account.signal.aborted) return;
	if (isDone) accept(run, runs, {});
	else noteFailure(run, runs, failure);
}

function accept(run: Run, { clock, note }: Runs, response: Acceptance): void {
	const computer = response.computer ?? response.reading?.id ?? run.spec.computer;
	const spec = { ...run.spec, computer };
	note([run], { spec, stage: 'accepted', acceptedAt: clock.now() }, response);
}

/** Returns why an operation that the rate limit refuses fails; undefined if it waits and is sent again. */
function refusedForGood(
	{ spec, account }: Run,
	{ clock }: Runs,
	failure: Failure,
	refusals: number,
): Failure | undefined {
	if (refusals >= maxRateLimitRefusals) {
		const message = `rate limited ${refusals} times and not done`;
		return { ...failure, message, advice: 'Try again later if you still want this.' };
	}
	const wait = account.limiter.slots().create.nextAt.operation - clock.now();
	if (operationRowOf(spec.operation).scope !== 'create' || wait <= maxCreateWaitMs)
		return undefined;
	const message = `${failure.message}; the next creation is possible in ${durationText(wait)}`;
	return { ...failure, message, advice: 'Try again; the request will wait until then.' };
}

/** "Already in progress", or "not found" after a delete, may mean that the operation has reached its goal. */
async function isDoneAnyway(
	{ spec, account }: Run,
	runs: Runs,
	{ kind }: Failure,
): Promise<boolean> {
	const { computer: id, operation } = spec;
	if (id === undefined || (kind !== 'conflict' && kind !== 'missing')) return false;
	const checked = await readAgain(operation, id, account, runs);
	if (!checked || account.signal.aborted) return false;
	runs.receive(account, checked.fact, checked.askedAt);
	const computer = account.state().computers.get(id);
	return computer
		? isAlreadyHappening(computer, spec)
		: operationRowOf(operation).goal.reaches === 'gone';
}

/** Reads the computer that a refused request was about; undefined if this read fails, too. */
async function readAgain(
	operation: string,
	id: string,
	{ platform, signal }: Account,
	{ clock }: Runs,
): Promise<{ fact: FactBody; askedAt: number } | undefined> {
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
		if (!(error instanceof PlatformError)) return undefined;
		if (error.failure.kind !== 'missing') return undefined;
		return { fact: { type: 'computerMissed', id }, askedAt };
	}
}

/** Asks for the reads that show the outcome of a request without a response; see `outcome.ts` for the times. */
async function lookUp({ account, spec }: Run, { clock }: Runs): Promise<void> {
	const { watch, signal } = account;
	const { operation, computer, key } = spec;
	for (const pauseMs of [0, lookUpAfterMs, confirmAfterMs - lookUpAfterMs]) {
		if (pauseMs > 0) await pause(pauseMs, clock, signal);
		if (signal.aborted || account.state().operations.get(key)?.stage !== 'unknown') return;
		if (computer === undefined) watch.readNow([{ name: 'list' }]);
		else if (operationRowOf(operation).evidence === 'detail')
			watch.readNow([{ name: 'detail', id: computer }]);
		// The watch reads the status of a computer with an unknown outcome in any case.
		else watch.wake();
	}
}

/** Resolves after some milliseconds, and never once the account is closed. */
const pause = (ms: number, clock: Clock, signal: AbortSignal): Promise<void> =>
	new Promise(resolve => {
		const cancelTimer = clock.after(ms, () => {
			signal.removeEventListener('abort', cancelTimer);
			resolve();
		});
		signal.addEventListener('abort', cancelTimer);
	});
