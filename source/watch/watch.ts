import type { Reading } from '../fleet/computers/computer.ts';
import { withKnownStart } from '../fleet/computers/uptime.ts';
import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Platform } from '../platform/platform.ts';
import { nextReadIntervalFor } from './intervals.ts';
import { plan } from './plan.ts';
import type { Attention, PlannerInput, Read, ReadSlotsByScope } from './planner-input.ts';
import type { PollableFleet } from './pollable-fleet.ts';
import { modeShares, pollingModeOf } from './polling-mode.ts';
import { accountReadNames, fleetReadNames, type ReadApi, readTable } from './reads.ts';
import { createReadsInFlight } from './reads-in-flight.ts';
import { createRequestHistory } from './request-history.ts';

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
	maxShare?: (() => number) | undefined;
	clock: Clock;
	/** Returns a number from 0 to below 1. */
	random: () => number;
	/** Returns the computers to poll; see `createPollableFleetSelector`. */
	pollableFleet: () => PollableFleet;
	onFact: (fact: Fact) => void;
	initialAttention: Attention;
	/** Counts the answers. */
	activity?: Activity | undefined;
};

// The loop runs at least this often. A much longer pause between two runs means that the host was asleep.
const maxLoopPauseMs = 5_000;

// An answer that takes longer belongs to a process that was stopped.
const maxListReadMs = 60_000;

// If a due read, such as a list of many pages, takes more slots than are free, the next plan is made after this
// delay.
const replanDelayMs = 250;

/**
 * The polling loop:
 *
 * ```
 *        ┌──────────────────────────── wake ◀───────────────────────────┐
 *        ▼                                                              │
 *   fleet, slots, history ──▶ plan ──▶ send reads ──▶ answer ──▶ fact │ ──▶ store
 *        ▲                       │                        │             │
 *        │                       └─▶ timer: next due      └─▶ history ──┘
 *        └───────────────────────────────┘
 * ```
 *
 */
export function createWatch(options: WatchOptions): OwnWatch {
	const { account, platform, limiter, clock, random, pollableFleet, onFact } = options;
	const { maxShare = () => 1 } = options;
	const history = createRequestHistory(random);
	let lastList = new Map<string, Reading>();
	let isRunning = false;

	function withKnownStarts(list: Extract<FactBody, { type: 'listRead' }>): FactBody {
		const computers = list.computers.map(each => withKnownStart(lastList.get(each.id), each));
		lastList = new Map(computers.map(each => [each.id, each]));
		return { ...list, computers };
	}

	let cancelTimer = () => {};
	let plannedAt = 0;
	/** How long the last plan took in milliseconds. */
	let planningMs = 0;
	let nextAt = 0;
	/** The slots that the last plan was based on. */
	let slots: ReadSlotsByScope | undefined;

	const inFlight = createReadsInFlight({
		platform,
		clock,
		history,
		onFact(fact, askedAt, name) {
			const at = clock.now();
			const every =
				slots && fleetReadNames.has(name)
					? nextReadIntervalFor(name, history.plannerInput, slots, at)
					: undefined;
			const told = fact.type === 'listRead' ? withKnownStarts(fact) : fact;
			onFact({
				account,
				at,
				askedAt,
				...(every !== undefined && { every }),
				...told,
			});
			wake();
		},
		activity: options.activity,
		// A process that was stopped and continues may receive an answer before its timers run. The age of such an
		// answer is unknown, so it is not used.
		onAnswer() {
			if (!hasJumped(clock.now())) return;
			if (isRunning) planAndSend();
			else inFlight.cancelAll();
		},
	});

	const hasJumped = (now: number) =>
		now < plannedAt - maxLoopPauseMs || now > nextAt + maxLoopPauseMs;

	function planAndSend() {
		const now = clock.now();
		if (hasJumped(now)) startOver(now);
		plannedAt = now;
		history.setFleet(pollableFleet());
		const mode = pollingModeOf(history.plannerInput, now);
		slots = limiter.slotsWithin(Math.min(modeShares[mode], maxShare()));
		const { reads, nextPlanAt } = plan(history.plannerInput, slots, now);
		for (const read of reads) inFlight.send(read);
		planAt(Math.min(Math.max(nextPlanAt, now + replanDelayMs), now + maxLoopPauseMs));
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
		inFlight.cancelAll();
		platform.endSignInWait?.();
		history.expireAnswers(now);
	}

	// Each step of each operation calls this. With ten thousand computers a plan takes several milliseconds, so planning
	// takes at most a quarter of the time, and keys do not wait for it.
	function wake() {
		const now = clock.now();
		// If the clock was set back, the last plan seems to lie in the future.
		const at = Math.max(now, Math.min(now, plannedAt) + 4 * planningMs);
		if (isRunning && nextAt > at) planAt(at);
	}

	function requestOutdatedReads(now: number) {
		const { histories } = history.plannerInput;
		if (now - histories.list.askedAt < readTable.list.intervalMs.calm) return;
		history.noteRequested(
			readsForScreen(history.plannerInput).filter(({ name }) => fleetReadNames.has(name)),
		);
	}

	history.setAttention(options.initialAttention);

	return {
		start() {
			isRunning = true;
			plannedAt = clock.now();
			history.expireAnswers(plannedAt);
			planAt(plannedAt);
		},
		stop() {
			isRunning = false;
			cancelTimer();
			inFlight.cancelAll();
		},
		pause() {
			isRunning = false;
			cancelTimer();
			inFlight.cancelUnsent();
		},
		readListOnce() {
			if (isRunning) return;
			plannedAt = clock.now();
			nextAt = plannedAt + maxListReadMs;
			history.setFleet(pollableFleet());
			inFlight.send({ name: 'list' });
		},
		setAttention(attention) {
			const now = clock.now();
			const wasUnattended = now >= history.plannerInput.attendedUntil;
			history.setAttention(attention);
			// A person who returns should see the present state with the next answer, so everything is read at once.
			if (wasUnattended && now < attention.attendedUntil) requestOutdatedReads(now);
			wake();
		},
		readNow(reads) {
			platform.endSignInWait?.();
			history.noteRequested(reads ?? readsForScreen(history.plannerInput));
			wake();
		},
		wake,
		retryAfterSignIn() {
			history.expireAnswers(clock.now());
			wake();
		},
	};
}

function readsForScreen(input: PlannerInput): readonly Read[] {
	const { visibleIds, detailId, listHasStatus } = input;
	const ids = listHasStatus === false ? visibleIds : [...visibleIds].filter(id => id === detailId);
	return [
		{ name: 'list' },
		...(detailId === undefined ? [] : [{ name: 'detail', id: detailId } as const]),
		...[...ids].map(id => ({ name: 'status', id, purpose: 'attended' }) as const),
		...accountReadNames.map(name => ({ name })),
	];
}
