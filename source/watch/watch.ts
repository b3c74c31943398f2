import { withKnownStart } from '../fleet/computers/uptime.ts';
import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Activity } from '../foundation/activity.ts';
import { backoffAfter } from '../foundation/backoff.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Limiter } from '../limits/limiter.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { Platform } from '../platform/platform.ts';
import { type AccountState, emptyAccount, type FailureStreak } from '../store/state.ts';
import { createNeedsSelector } from './needs.ts';
import { type Plan, plan } from './plan.ts';
import {
	type Attention,
	doesListTellStatus,
	outageIn,
	type PlannerInput,
	type Read,
	readKey,
} from './planner-input.ts';
import { modeShares, pollingModeOf } from './polling-mode.ts';
import { accountReadNames, type ReadApi, type ReadResult, readTable } from './reads.ts';

export type Watch = {
	start(): void;
	/** Aborts every request. No fact is reported afterwards. */
	stop(): void;
	setAttention(attention: Attention): void;
	/** Sends these reads, or all reads of what is on screen, as soon as the limits allow. */
	readNow(reads?: readonly Read[]): void;
	/** Plans again, because an operation was sent or has ended. */
	wake(): void;
	/** Retries failed reads at once, because the credentials are new. */
	retryAfterSignIn(): void;
};

/** A watch that can make room for another process. */
export type OwnWatch = Watch & {
	/** Sends no more requests. The answers to those that were sent still count, because the limits have paid for them. */
	pause(): void;
	/** Reads the list once, while it is paused. */
	readListOnce(): void;
};

type WatchOptions = {
	account: string;
	platform: ReadApi & Partial<Pick<Platform, 'endSignInWait'>>;
	limiter: Pick<Limiter, 'slotsWithin'>;
	/** Returns the largest share of each limit that reads may use in any mode; 1 if absent. */
	maxShare?: () => number;
	clock: Clock;
	/** Returns a number from 0 to below 1. */
	random: () => number;
	/** Returns what is known of the account. */
	accountState: () => AccountState | undefined;
	onFact: (fact: Fact) => void;
	initialAttention: Attention;
	/** Counts the answers. */
	activity?: Activity | undefined;
};

type InFlight = { read: Read; sentAt: number; controller: AbortController; hasLeft: boolean };

// The loop runs at least this often. A much longer pause between two runs means that the host was asleep.
const maxLoopPauseMs = 5_000;

// An answer that takes longer belongs to a process that was stopped.
const maxListReadMs = 60_000;

// If a due read, such as a list of many pages, takes more slots than are free, the next plan is made after this
// delay.
const replanDelayMs = 250;

/** The planner knows the reads that were sent in this time. Earlier ones are known from their answers. */
const sentKnownMs = 10 * 60_000;

/**
 * The polling loop:
 *
 * ```
 *   account, slots ──▶ plan ──▶ send reads ──▶ answer ──▶ fact ──▶ store
 *        ▲              │                                   │
 *        │              └─▶ timer: next due                 │
 *        └──────────────────────┴───────── wake ◀───────────┘
 * ```
 */
export function createWatch(options: WatchOptions): OwnWatch {
	const { platform, limiter, clock, random, maxShare = () => 1 } = options;
	const accountState = () => options.accountState() ?? emptyAccount;
	const needsOf = createNeedsSelector();
	const inFlight = new Map<string, InFlight>();
	let attention = options.initialAttention;
	let sent: PlannerInput['sent'] = [];
	let requested: PlannerInput['requested'] = [];
	let requestsPerList = 1;
	let staleBefore = Number.NEGATIVE_INFINITY;
	let isRunning = false;
	let cancelTimer = () => {};
	let plannedAt = 0;
	let nextAt = 0;
	/** How long the last plan took in milliseconds. */
	let planningMs = 0;
	let lastPlan: Plan | undefined;

	function plannerInput(): PlannerInput {
		const account = accountState();
		const since = Array.from(inFlight, ([key, { sentAt }]) => [key, sentAt] as const);
		const needs = needsOf(account);
		return {
			account,
			needs,
			attention,
			inFlight: new Map(since),
			sent,
			requested,
			staleBefore,
			requestsPerList,
		};
	}

	const hasJumped = (now: number) =>
		now < plannedAt - maxLoopPauseMs || now > nextAt + maxLoopPauseMs;

	function planAndSend() {
		const now = clock.now();
		if (hasJumped(now)) startOver(now);
		plannedAt = now;
		const input = plannerInput();
		const mode = pollingModeOf({ ...attention, movingSince: input.needs.movingSince }, now);
		const slots = limiter.slotsWithin(Math.min(modeShares[mode], maxShare()));
		lastPlan = plan(input, slots, now);
		for (const read of lastPlan.reads) send(read);
		planAt(Math.min(Math.max(lastPlan.nextPlanAt, now + replanDelayMs), now + maxLoopPauseMs));
		planningMs = Math.min(replanDelayMs, Math.max(0, clock.now() - now));
	}

	function planAt(time: number) {
		cancelTimer();
		nextAt = time;
		cancelTimer = clock.after(time - clock.now(), planAndSend);
	}

	// After the host was asleep, the requests in flight will probably get no answer, and everything that was read
	// before is out of date.
	function startOver(now: number) {
		cancel(() => true);
		platform.endSignInWait?.();
		staleBefore = now;
	}

	// Each step of each operation calls this. With ten thousand computers a plan takes several milliseconds, so planning
	// takes at most a quarter of the time, and keys do not wait for it.
	function wake() {
		const now = clock.now();
		// If the clock was set back, the last plan seems to lie in the future.
		const at = Math.max(now, Math.min(now, plannedAt) + 4 * planningMs);
		if (isRunning && nextAt > at) planAt(at);
	}

	function cancel(isMeant: (entry: InFlight) => boolean) {
		for (const [key, entry] of inFlight) {
			if (!isMeant(entry)) continue;
			inFlight.delete(key);
			entry.controller.abort();
		}
	}

	function request(reads: readonly Read[]) {
		const at = clock.now();
		const keys = reads.map(readKey);
		const others = requested.filter(({ read }) => !keys.includes(readKey(read)));
		requested = [...others, ...reads.map(read => ({ read, at }))];
	}

	function send(read: Read) {
		const key = readKey(read);
		if (inFlight.has(key)) return;
		const now = clock.now();
		const entry: InFlight = {
			read,
			sentAt: now,
			controller: new AbortController(),
			hasLeft: false,
		};
		const { signal } = entry.controller;
		const isRequested = requested.some(each => readKey(each.read) === key);
		inFlight.set(key, entry);
		const isRecent = ({ at }: { at: number }) => Math.abs(now - at) < sentKnownMs;
		sent = [...sent.filter(isRecent), { read, at: now }];
		const answer = readTable[read.name]
			.send(
				platform,
				{
					signal,
					priority: isRequested ? 'requestedRead' : 'read',
					// A list of several pages counts as requested at the time when its first page was requested.
					onSent() {
						if (!entry.hasLeft) entry.sentAt = clock.now();
						entry.hasLeft = true;
					},
				},
				read.id ?? '',
			)
			.catch(failureFrom);
		void answer.then(outcome => {
			const endWork = options.activity?.begin();
			if (!signal.aborted) refuseAfterJump();
			if (!signal.aborted) {
				inFlight.delete(key);
				report(entry, outcome);
			}
			endWork?.();
		});
	}

	// A process that was stopped and continues may receive an answer before its timers run. The age of such an answer is
	// unknown, so it is not used.
	function refuseAfterJump() {
		if (!hasJumped(clock.now())) return;
		if (isRunning) planAndSend();
		else cancel(() => true);
	}

	function report({ read, sentAt }: InFlight, outcome: ReadResult | Failure) {
		const at = clock.now();
		if ('kind' in outcome && !(outcome.kind === 'missing' && read.id !== undefined)) {
			const { name, id } = read;
			const nextAt = nextTryAt(read, outcome, sentAt, at);
			tell({ type: 'readFailed', read: name, id, failure: outcome, nextAt }, read, sentAt);
			return;
		}
		const before = accountState();
		const failing = Object.entries(before.reads).filter(([, each]) => each.failing);
		const isOnlyOtherFailing = failing.length === 1 && failing[0]?.[0] !== read.name;
		// If only one kind of read fails and another works, the connection works, and the failing kind waits as before.
		if (outageIn({ account: before, staleBefore }) && !isOnlyOtherFailing) staleBefore = sentAt;
		requested = requested.filter(each => readKey(each.read) !== readKey(read));
		// "Not found" is an answer as well: the computer does not exist.
		if ('kind' in outcome) {
			tell({ type: 'computerMissed', id: read.id ?? '' }, read, sentAt);
			return;
		}
		if (outcome.fact.type === 'listRead') requestsPerList = outcome.requestCount;
		tell(withKnownStarts(outcome.fact, before), read, sentAt);
	}

	function tell(fact: FactBody, { name }: Read, askedAt: number) {
		const { listEveryMs, statusEveryMs } = lastPlan ?? {};
		const every = name === 'list' ? listEveryMs : statusEveryMs;
		const isAged = readTable[name].subject === 'computers' && every !== undefined;
		const { account } = options;
		const times = { account, at: clock.now(), askedAt };
		options.onFact(isAged ? { ...times, every, ...fact } : { ...times, ...fact });
		wake();
	}

	/** Returns the time from which a failed read may be retried. */
	function nextTryAt(read: Read, failure: Failure, askedAt: number, now: number): number {
		const { reads, computerReads, unconnected } = accountState();
		const { name, id } = read;
		const isAboutOne = id !== undefined && (name === 'status' || name === 'detail');
		const own = isAboutOne ? computerReads.get(id)?.failing?.[name] : reads[name]?.failing;
		const isOutage = failure.kind === 'offline' || failure.kind === 'auth';
		const all = [own, isOutage ? unconnected : undefined];
		const counted = all.filter(each => each !== undefined && each.lastFailedAt >= staleBefore);
		const most = Math.max(
			0,
			...counted.map(each => attemptsBefore(each as FailureStreak, askedAt)),
		);
		const previous = { failureCount: most, firstFailedAt: now, failedAt: now, delayMs: 0 };
		return now + backoffAfter(previous, failure, now, random).delayMs;
	}

	function readsForScreen(): readonly Read[] {
		const { visibleIds, detailId } = attention;
		const isTold = doesListTellStatus(accountState());
		const ids = [...visibleIds].filter(id => !isTold || id === detailId);
		const reads: Read[] = [{ name: 'list' }];
		if (detailId !== undefined) reads.push({ name: 'detail', id: detailId });
		for (const id of ids) reads.push({ name: 'status', id, purpose: 'attended' });
		return [...reads, ...accountReadNames.map(name => ({ name }))];
	}

	return {
		start() {
			isRunning = true;
			plannedAt = clock.now();
			staleBefore = plannedAt;
			planAt(plannedAt);
		},
		stop() {
			isRunning = false;
			cancelTimer();
			cancel(() => true);
		},
		pause() {
			isRunning = false;
			cancelTimer();
			cancel(({ hasLeft }) => !hasLeft);
		},
		readListOnce() {
			if (isRunning) return;
			plannedAt = clock.now();
			nextAt = plannedAt + maxListReadMs;
			send({ name: 'list' });
		},
		setAttention(next) {
			const now = clock.now();
			const isBack = now >= attention.attendedUntil && now < next.attendedUntil;
			attention = next;
			// A person who returns should see the present state with the next answer.
			const listAskedAt = accountState().reads.list?.answer?.askedAt ?? 0;
			if (isBack && now - listAskedAt >= readTable.list.intervalMs.calm)
				request(readsForScreen().filter(({ name }) => readTable[name].subject === 'computers'));
			wake();
		},
		readNow(reads) {
			platform.endSignInWait?.();
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

function failureFrom(error: unknown): Failure {
	if (error instanceof PlatformError) return error.failure;
	throw error;
}

/** Requests that were in flight together usually fail together, so they count as one failure. */
const attemptsBefore = ({ attempts, lastFailedAt }: FailureStreak, askedAt: number) =>
	askedAt < lastFailedAt ? attempts - 1 : attempts;

/** Most answers only have an uptime in seconds, which does not make a new start. */
function withKnownStarts(fact: FactBody, { computers }: AccountState): FactBody {
	if (fact.type !== 'listRead') return fact;
	const steady = fact.computers.map(each => withKnownStart(computers.get(each.id)?.reading, each));
	return { ...fact, computers: steady };
}
