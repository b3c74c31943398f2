import type { Clock } from '../foundation/clock.ts';
import { type Budget, budgetFrom, isOverdrawn, limitWhenAlone } from './budget.ts';
import { createFairShare } from './fair-share.ts';
import { learnFromResponse } from './learn-from-response.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerState, ScopeState } from './ledger-state.ts';
import {
	type Limit,
	type Priority,
	type ResponseHead,
	type Scope,
	type SendingPermit,
	slotLifetimeMs,
} from './limits.ts';
import { createReadAllowance } from './read-allowance.ts';
import { createElsewhereEstimate, type ReadBudget, readBudgetFrom } from './read-budget.ts';
import { createWaitingLine } from './waiting-line.ts';

/** The rate limiter of one scope. */
type ScopeLimiter = {
	acquire(request: { priority: Priority; signal: AbortSignal }): Promise<SendingPermit>;
	/** Returns the budget in a state that was just read. All times are of the ledger's clock. */
	budgetIn(ledgerState: LedgerState, now: number): Budget;
	/** Returns what the watch may spend. All times are of the ledger's clock. */
	readBudgetIn(ledgerState: LedgerState, now: number): ReadBudget;
	/** Limits the reads of this process to a share of the limit. Reads that a person requests may exceed it. */
	limitReads(share: number): void;
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

// While requests wait, the ledger is read this many times per window, because requests of other processes may have
// ended or been refused.
const maxChecksPerWindow = 12;

//  acquire ──> waiting line ──grant──> take a slot in the ledger ──> permit ──> answered or lost
//                   ▲                        │ another process was faster,           │
//                   └──── wait and check ────┘ or the limit is used up        slot gets its end

export function createScopeLimiter(options: ScopeLimiterOptions): ScopeLimiter {
	const { scope, rule, clock, random, ledger, onChange } = options;
	const waitingLine = createWaitingLine(() => cancelNextCheck());
	const allowance = createReadAllowance(rule);
	const fairShare = createFairShare();
	const estimateElsewhere = createElsewhereEstimate(rule);
	const inFlight = new Set<SendingPermit>();
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
			const { isLeft: hasFreeSlot, nextAt } = slotFor(firstWaiter.priority, scopeState, now);
			const permit = hasFreeSlot
				? takeSlot(scopeState.taken + 1, now, firstWaiter.priority !== 'operation')
				: undefined;
			if (!permit) {
				const checkIntervalMs = rule.windowMs / maxChecksPerWindow;
				const waitMs = hasFreeSlot ? 0 : Math.min(nextAt - now, checkIntervalMs);
				cancelNextCheck = clock.after(Math.max(1, waitMs), grantPermits);
				break;
			}
			waitingLine.grantFirst(permit);
			hasGranted = true;
		}
		if (hasGranted) onChange();
	}

	/** Returns the budget that all processes share. */
	function sharedBudget(scopeState: ScopeState, now: number): Budget {
		const budget = budgetFrom(scopeState, currentRule(), now);
		return isAlone() ? { ...budget, countsThisProcessOnly: true } : budget;
	}

	/** Whether a request of this priority may be sent, and otherwise when. */
	function slotFor(priority: Priority, scopeState: ScopeState, now: number) {
		const shared = sharedBudget(scopeState, now);
		const budget = priority === 'read' ? allowance.appliedTo(shared, scopeState, now) : shared;
		const kind = priority === 'operation' ? 'operation' : 'read';
		return { isLeft: budget.requestsLeft[kind] > 0, nextAt: budget.nextRequestAt[kind] };
	}

	/** Takes the next slot in the ledger. Returns undefined if another process took the slot first. */
	function takeSlot(number: number, at: number, isRead: boolean): SendingPermit | undefined {
		const id = ledger.newSlotId(isRead);
		const hold = rule.maxTransitMs + slotLifetimeMs(rule);
		const stateAfter = ledger.append({ kind: 'take', scope, id, number, at, hold })[scope];
		if (!stateAfter.spends.has(id)) return undefined;
		if (isRead) allowance.noteTaken(id);
		const now = ledger.now();
		// If this process was suspended between reading the clock and writing the entry, the slot may already
		// have ended.
		const isLate = now - at >= rule.maxTransitMs / 2;
		if (!isLate && !isOverdrawn(stateAfter, currentRule(), now)) return createPermit(id, number);
		endSlot(id, number);
		return undefined;
	}

	function createPermit(id: string, number: number): SendingPermit {
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
		budgetIn(ledgerState, now) {
			const state = ledgerState[scope];
			return allowance.appliedTo(sharedBudget(state, now), state, now);
		},
		readBudgetIn(ledgerState, now) {
			const state = ledgerState[scope];
			const budget = sharedBudget(state, now);
			return readBudgetFrom({
				budget,
				ownBudget: allowance.appliedTo(budget, state, now),
				state,
				rule,
				allowance,
				fairShare,
				elsewhere: estimateElsewhere(budget.spentElsewhere, now),
				now,
			});
		},
		limitReads(share) {
			allowance.setShare(share);
			if (waitingLine.firstWaiter()) grantPermits();
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
