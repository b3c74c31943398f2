import type { Clock } from '../foundation/clock.ts';
import { type Budget, budgetFrom, isOverdrawn, limitWhenAlone } from './budget.ts';
import { learnFromResponse } from './learn-from-response.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerState } from './ledger-state.ts';
import {
	type Limit,
	type Permit,
	type Priority,
	type ResponseHead,
	type Scope,
	slotLifetimeMs,
} from './limits.ts';

/** The rate limiter of one scope. */
type ScopeLimiter = {
	acquire(request: { priority: Priority; signal: AbortSignal }): Promise<Permit>;
	/** Returns the budget in a state that was just read, with times of the ledger's clock. */
	budgetIn(ledgerState: LedgerState): Budget;
	close(): void;
};

type ScopeLimiterOptions = {
	scope: Scope;
	rule: Limit;
	clock: Clock;
	random: () => number;
	ledger: Ledger;
	/** Called when the budget changes, except by the mere passing of time. */
	onChange: () => void;
};

// While requests wait, the ledger is read this many times per window, because requests of other processes may
// have ended or been refused meanwhile.
const maxChecksPerWindow = 12;

//  acquire ──> waiting line ──grant──> take a slot in the ledger ──> permit ──> answered or lost
//                   ▲                        │ another process was faster,           │
//                   └──── wait and check ────┘ or the limit is used up        slot gets its end

/** One function, because every step works on the same line, permits and ledger. */
export function createScopeLimiter(options: ScopeLimiterOptions): ScopeLimiter {
	const { scope, rule, clock, random, ledger, onChange } = options;
	const waitingLine = createWaitingLine(() => cancelNextCheck());
	const inFlight = new Set<Permit>();
	let isClosed = false;
	let cancelNextCheck = () => {};

	const state = () => ledger.refresh()[scope];
	const isAlone = () => ledger.wasAloneWithin(slotLifetimeMs(rule));
	/** Read the ledger before calling this: the reading decides whether this process counts alone. */
	const currentRule = () => (isAlone() ? limitWhenAlone(rule) : rule);

	function grantPermits() {
		cancelNextCheck();
		let hasGranted = false;
		for (
			let firstWaiter = waitingLine.firstWaiter();
			firstWaiter;
			firstWaiter = waitingLine.firstWaiter()
		) {
			const scopeState = state();
			const now = ledger.now();
			const { requestsLeft, nextRequestAt } = budgetFrom(scopeState, currentRule(), now);
			const hasFreeSlot = requestsLeft[firstWaiter.priority] > 0;
			const permit = hasFreeSlot ? takeSlot(scopeState.taken + 1, now) : undefined;
			if (!permit) {
				const checkIntervalMs = rule.windowMs / maxChecksPerWindow;
				const waitMs = hasFreeSlot
					? 0
					: Math.min(nextRequestAt[firstWaiter.priority] - now, checkIntervalMs);
				cancelNextCheck = clock.after(Math.max(1, waitMs), grantPermits);
				break;
			}
			waitingLine.grantFirst(permit);
			hasGranted = true;
		}
		if (hasGranted) onChange();
	}

	/** Takes the next slot in the ledger. Returns undefined if another process took the slot first. */
	function takeSlot(number: number, at: number): Permit | undefined {
		const id = ledger.newSlotId();
		const hold = rule.maxTransitMs + slotLifetimeMs(rule);
		const stateAfter = ledger.append({ kind: 'take', scope, id, number, at, hold })[scope];
		if (!stateAfter.spends.has(id)) return undefined;
		const now = ledger.now();
		// If this process was suspended between reading the clock and writing the entry, the slot may already
		// have ended.
		const isLate = now - at >= rule.maxTransitMs / 2;
		if (!isLate && !isOverdrawn(stateAfter, currentRule(), now)) return createPermit(id, number);
		endSlot(id, number);
		return undefined;
	}

	function createPermit(id: string, number: number): Permit {
		const end = (response?: ResponseHead) => {
			if (!inFlight.delete(permit)) return;
			endSlot(id, number, response);
			grantPermits();
			onChange();
		};
		const permit = { reportResponse: end, reportNoResponse: () => end() };
		inFlight.add(permit);
		return permit;
	}

	function endSlot(id: string, number: number, response?: ResponseHead) {
		const context = {
			requestNumber: number,
			state: state(),
			rule,
			now: ledger.now(),
			wallClockNow: clock.now(),
			random,
		};
		const learned = response && learnFromResponse(response, context);
		const hold = slotLifetimeMs(rule);
		ledger.append({ kind: 'done', scope, id, number, at: context.now, hold, ...learned });
	}

	return {
		acquire({ priority, signal }) {
			if (isClosed) return Promise.reject(closedError());
			const permit = waitingLine.waitForPermit(priority, signal);
			if (!signal.aborted) grantPermits();
			return permit;
		},
		budgetIn(ledgerState) {
			const budget = budgetFrom(ledgerState[scope], currentRule(), ledger.now());
			return isAlone() ? { ...budget, countsThisProcessOnly: true } : budget;
		},
		close() {
			isClosed = true;
			cancelNextCheck();
			waitingLine.rejectAll(closedError());
			for (const permit of inFlight) permit.reportNoResponse();
		},
	};
}

const closedError = () => new DOMException('The program is closing', 'AbortError');

type Waiter = {
	priority: Priority;
	grant(permit: Permit): void;
	reject(reason: unknown): void;
};

/** The requests that wait for a permit: operations before reads, and each kind in its order of arrival. */
type WaitingLine = {
	/** Waits for a permit. Rejects with the signal's reason if the signal is aborted first. */
	waitForPermit(priority: Priority, signal: AbortSignal): Promise<Permit>;
	firstWaiter(): Pick<Waiter, 'priority'> | undefined;
	grantFirst(permit: Permit): void;
	rejectAll(reason: unknown): void;
};

/** Calls `onEmpty` when the last waiting request is aborted. */
export function createWaitingLine(onEmpty: () => void): WaitingLine {
	const waiters: Waiter[] = [];

	function insert(waiter: Waiter) {
		const firstRead = waiters.findIndex(waiting => waiting.priority === 'read');
		const isLast = waiter.priority === 'read' || firstRead < 0;
		waiters.splice(isLast ? waiters.length : firstRead, 0, waiter);
	}

	return {
		waitForPermit: (priority, signal) =>
			new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const leaveLine = () => {
					waiters.splice(waiters.indexOf(waiter), 1);
					reject(signal.reason);
					if (waiters.length === 0) onEmpty();
				};
				const waiter: Waiter = {
					priority,
					grant(permit) {
						signal.removeEventListener('abort', leaveLine);
						resolve(permit);
					},
					reject(reason) {
						signal.removeEventListener('abort', leaveLine);
						reject(reason);
					},
				};
				signal.addEventListener('abort', leaveLine, { once: true });
				insert(waiter);
			}),
		firstWaiter: () => waiters[0],
		grantFirst: permit => waiters.shift()?.grant(permit),
		rejectAll(reason) {
			for (const waiter of waiters.splice(0)) waiter.reject(reason);
		},
	};
}
