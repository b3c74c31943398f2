import type { Fact, FactBody } from '../fleet/fact.ts';
import { isAccountRead, polledReads, readOfView, readRows } from '../fleet/reads.ts';
import type { Activity } from '../foundation/activity.ts';
import type { Clock, Jumps } from '../foundation/clock.ts';
import { backoffDelay, type Failure } from '../foundation/failure.ts';
import type { Limiter } from '../limits/limiter.ts';
import { failureIn } from '../platform/decoding/platform-error.ts';
import {
	type ReadApi,
	type ReadResult,
	type RequestOptions,
	sendRead,
} from '../platform/platform.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import {
	type Attention,
	doesListTellStatus,
	failingRead,
	isSideRead,
	maxSideReadsPerMinute,
	modeShares,
	outageProbes,
	outageRetryAt,
	type Plan,
	type PlannerInput,
	plan,
	pollingModeOf,
	type Read,
	readKey,
} from './plan.ts';

export type Watch = {
	start(): void;
	stop(): void;
	setAttention(attention: Attention): void;
	/** Sends these reads, or all reads of what is on screen, as soon as the limits allow. */
	readNow(reads?: readonly Read[]): void;
	wake(): void;
	retryAfterSignIn(): void;
};

export type OwnWatch = Watch & {
	/** Sends no more requests. The answers to those that were sent still count, because the limits have paid for them. */
	pause(): void;
	/** Sends one request for the list, also during a pause. */
	tryList(): void;
};

type WatchOptions = {
	account: string;
	platform: ReadApi;
	limiter: Pick<Limiter, 'slotsWithin'>;
	maxShare?: () => number;
	clock: Clock;
	jumps: Jumps;
	random: () => number;
	accountState: () => AccountState | undefined;
	receive: (facts: readonly Fact[]) => void;
	initialAttention: Attention;
	activity?: Activity;
};

type InFlight = {
	read: Read;
	controller: AbortController;
	askedAt: number;
	leftAt?: number;
};

// The loop runs at least this often, because other processes spend the same limits.
const maxLoopPauseMs = 5_000;

const replanDelayMs = 250;

export function createWatch(options: WatchOptions): OwnWatch {
	const { platform, limiter, clock, jumps, random, maxShare = () => 1 } = options;
	const accountState = () => options.accountState() ?? emptyAccount;
	const inFlight = new Map<string, InFlight>();
	const sentAt = new Map<string, number>();
	let attention = options.initialAttention;
	let sideReadTimes: readonly number[] = [];
	let requested: readonly Read[] = [];
	let requestedAt = 0;
	let requestsPerList = 1;
	let staleBefore = 0;
	let isRunning = false;
	let cancelTimer = () => {};
	let stopListening: (() => void) | undefined;
	let nextAt = 0;
	let lastPlan: Plan | undefined;

	function planAndSend() {
		const now = clock.now();
		const account = accountState();
		const mode = pollingModeOf(account, attention.attendedUntil, now);
		const slots = limiter.slotsWithin(Math.min(modeShares[mode], maxShare()));
		const input: PlannerInput = {
			account,
			attention,
			mode,
			inFlight: new Set(inFlight.keys()),
			sentAt,
			sideReadTimes,
			requested,
			requestedAt,
			staleBefore,
			requestsPerList,
		};
		lastPlan = plan(input, slots, now);
		for (const read of lastPlan.reads) send(read);
		planAt(Math.min(Math.max(lastPlan.nextPlanAt, now + replanDelayMs), now + maxLoopPauseMs));
	}

	function planAt(time: number) {
		cancelTimer();
		nextAt = time;
		cancelTimer = clock.after(time - clock.now(), planAndSend);
	}

	// After a sleep, the requests in flight will probably get no answer.
	function startOver() {
		cancel(() => true);
		platform.endSignInWait();
		staleBefore = clock.now();
		if (isRunning) planAndSend();
	}

	function wake() {
		const now = clock.now();
		if (isRunning && nextAt > now) planAt(now);
	}

	function cancel(isMeant: (entry: InFlight) => boolean) {
		for (const [key, entry] of inFlight) {
			if (!isMeant(entry)) continue;
			inFlight.delete(key);
			entry.controller.abort();
		}
	}

	function request(reads: readonly Read[]) {
		if (reads.length === 0) return;
		const keys = reads.map(readKey);
		requested = [...requested.filter(read => !keys.includes(readKey(read))), ...reads];
		requestedAt = clock.now();
	}

	function send(read: Read) {
		const key = readKey(read);
		if (inFlight.has(key)) return;
		const now = clock.now();
		const entry: InFlight = { read, controller: new AbortController(), askedAt: now };
		const { signal } = entry.controller;
		const isRequested = requested.some(each => readKey(each) === key);
		inFlight.set(key, entry);
		for (const name of [key, read.name, read.purpose]) if (name) sentAt.set(name, now);
		if (isSideRead(read)) sideReadTimes = [...sideReadTimes, now].slice(-maxSideReadsPerMinute);
		const request: RequestOptions = {
			signal,
			priority: isRequested ? 'requestedRead' : 'read',
			onSent() {
				entry.leftAt ??= clock.now();
			},
		};
		const answer = sendRead(platform, read.name, request, read.id).catch(failureIn);
		void answer.then(outcome => {
			const endWork = options.activity?.begin();
			// A process that was stopped may receive an answer of unknown age before its timers run.
			if (!signal.aborted) jumps.check();
			if (!signal.aborted) {
				inFlight.delete(key);
				report(entry, outcome);
			}
			endWork?.();
		});
	}

	function report({ read, askedAt, leftAt = askedAt }: InFlight, outcome: ReadResult | Failure) {
		const { name, id } = read;
		// "Not found" is an answer as well: the computer does not exist.
		const isGone = 'kind' in outcome && outcome.kind === 'missing' && id !== undefined;
		if ('kind' in outcome && !isGone) {
			const nextAt = nextTryAt(read, outcome, askedAt);
			tell({ type: 'readFailed', read: name, id, failure: outcome, nextAt }, read, leftAt);
			return;
		}
		// What was read before an outage is out of date. If only one other read fails, that one waits as before.
		const { reads } = accountState();
		const failing = Object.values(reads).filter(each => each.failing);
		if (isOutage() && (failing.length > 1 || reads[name]?.failing)) staleBefore = askedAt;
		requested = requested.filter(each => readKey(each) !== readKey(read));
		if (name === 'list' && 'fact' in outcome) requestsPerList = outcome.requestCount;
		const computer = { id: id ?? '' };
		const gone: FactBody = { type: 'computerRead', read: 'status', computer, isMissing: true };
		tell('fact' in outcome ? outcome.fact : gone, read, leftAt);
	}

	const isOutage = () =>
		outageRetryAt({ account: accountState(), sentAt, staleBefore, requestedAt }, clock.now()) !==
		undefined;

	function nextTryAt(read: Read, failure: Failure, askedAt: number): number {
		const now = clock.now();
		const account = accountState();
		const tried: readonly Read[] = isOutage() ? outageProbes : [read, { name: read.name }];
		const since = Math.max(staleBefore, requestedAt);
		const before = tried
			.flatMap(each => failingRead(account, each, now) ?? [])
			.filter(({ lastFailedAt }) => lastFailedAt > since);
		// Requests that were in flight together usually fail together.
		const together = before.find(({ lastFailedAt }) => askedAt < lastFailedAt);
		if (together?.nextAt !== undefined) return Math.max(now, together.nextAt);
		const waits = before.map(({ nextAt = now, lastFailedAt }) => nextAt - lastFailedAt);
		return now + backoffDelay(Math.max(0, ...waits), failure, random);
	}

	function tell(fact: FactBody, { name }: Read, askedAt: number) {
		const { listEveryMs, statusEveryMs } = lastPlan ?? {};
		const isAged = !isAccountRead(name) && lastPlan !== undefined;
		const every = name === 'list' ? listEveryMs : statusEveryMs;
		const times = { account: options.account, at: clock.now(), askedAt };
		options.receive([isAged ? { ...times, every, ...fact } : { ...times, ...fact }]);
		wake();
	}

	function readsForScreen(): readonly Read[] {
		const { visibleIds, detailId } = attention;
		const isTold = doesListTellStatus(accountState());
		const ids = visibleIds.filter(id => !isTold || id === detailId);
		const reads: Read[] = [{ name: 'list' }];
		if (detailId !== undefined) reads.push({ name: 'detail', id: detailId });
		for (const id of ids) reads.push({ name: 'status', id, purpose: 'attended' });
		return [...reads, ...polledReads(attention.views).map(name => ({ name }))];
	}

	return {
		start() {
			isRunning = true;
			stopListening ??= jumps.onJump(startOver);
			staleBefore = clock.now();
			planAt(clock.now());
		},
		stop() {
			isRunning = false;
			stopListening?.();
			stopListening = undefined;
			cancelTimer();
			cancel(() => true);
		},
		pause() {
			isRunning = false;
			cancelTimer();
			cancel(({ leftAt }) => leftAt === undefined);
		},
		tryList: () => send({ name: 'list' }),
		setAttention(next) {
			const now = clock.now();
			const isBack = now >= attention.attendedUntil && now < next.attendedUntil;
			const opened = next.views.filter(view => !attention.views.includes(view));
			attention = next;
			request(
				opened.flatMap(view => {
					const name = readOfView(view);
					return name && !accountState()[name] ? [{ name }] : [];
				}),
			);
			// A person who returns should see the present state with the next answer.
			if (isBack && now - (sentAt.get('list') ?? 0) >= readRows.list.intervalMs.calm)
				request(readsForScreen().filter(({ name }) => !isAccountRead(name)));
			wake();
		},
		readNow(reads) {
			platform.endSignInWait();
			request(reads ?? readsForScreen());
			wake();
		},
		wake,
		retryAfterSignIn() {
			staleBefore = clock.now();
			wake();
		},
	};
}
