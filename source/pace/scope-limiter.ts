import type { Clock } from '../fleet/clock.ts';
import { type Budget, budgetFrom, isOverdrawn, limitWhenAlone } from './budget.ts';
import { learnFromResponse } from './learn-from-response.ts';
import type { Ledger } from './ledger.ts';
import {
	type Limit,
	type Permit,
	type Priority,
	type ResponseHead,
	type Scope,
	slotLifetime,
} from './limits.ts';
import { createWaitingLine } from './waiting-line.ts';

/** The rate limiter of one scope. */
export type ScopeLimiter = {
	acquire(request: { priority: Priority; signal: AbortSignal }): Promise<Permit>;
	/** Returns the present budget, with times of the ledger's clock. */
	budget(): Budget;
	close(): void;
};

type ScopeLimiterOptions = {
	scope: Scope;
	rule: Limit;
	clock: Clock;
	random: () => number;
	ledger: Ledger;
	/** Called when the budget changes for another reason than the passing of time. */
	onChange: () => void;
};

// While requests wait, the ledger is read this many times per window, because requests of other processes may
// have ended or been refused meanwhile.
const checksPerWindow = 12;

//  acquire ──> waiting line ──serve──> take a slot in the ledger ──> permit ──> answered or lost
//                   ▲                        │ another process was faster,           │
//                   └──── wait and check ────┘ or the limit is used up        slot gets its end

/** One function, because every step works on the same line, permits and ledger. */
export function createScopeLimiter(options: ScopeLimiterOptions): ScopeLimiter {
	const { scope, rule, clock, random, ledger, onChange } = options;
	const line = createWaitingLine(() => cancelCheck());
	const inFlight = new Set<Permit>();
	let isClosed = false;
	let cancelCheck = () => {};

	const state = () => ledger.refresh()[scope];
	const isAlone = () => ledger.isAlone(slotLifetime(rule));
	/** Read the ledger before calling this: the reading decides whether this process counts alone. */
	const ruleNow = () => (isAlone() ? limitWhenAlone(rule) : rule);

	function serve() {
		cancelCheck();
		let hasServed = false;
		for (let first = line.first(); first; first = line.first()) {
			const seen = state();
			const now = ledger.elapsed();
			const { left, nextAt } = budgetFrom(seen, ruleNow(), now);
			const isFree = left[first.priority] > 0;
			const permit = isFree ? takeSlot(seen.taken + 1, now) : undefined;
			if (!permit) {
				const untilCheck = rule.window / checksPerWindow;
				const wait = isFree ? 0 : Math.min(nextAt[first.priority] - now, untilCheck);
				cancelCheck = clock.after(Math.max(1, wait), serve);
				break;
			}
			line.grantFirst(permit);
			hasServed = true;
		}
		if (hasServed) onChange();
	}

	/** Returns undefined if another process took this slot first. */
	function takeSlot(number: number, at: number): Permit | undefined {
		const id = ledger.newId();
		const hold = rule.maxTransit + slotLifetime(rule);
		const after = ledger.append({ kind: 'take', scope, id, number, at, hold })[scope];
		if (!after.spends.has(id)) return undefined;
		const now = ledger.elapsed();
		// If this process was suspended between reading the clock and writing the entry, the slot may already
		// have ended.
		const isLate = now - at >= rule.maxTransit / 2;
		if (!isLate && !isOverdrawn(after, ruleNow(), now)) return createPermit(id, number);
		endSlot(id, number);
		return undefined;
	}

	function createPermit(id: string, number: number): Permit {
		const end = (response?: ResponseHead) => {
			if (!inFlight.delete(permit)) return;
			endSlot(id, number, response);
			serve();
			onChange();
		};
		const permit = { answered: end, lost: () => end() };
		inFlight.add(permit);
		return permit;
	}

	function endSlot(id: string, number: number, response?: ResponseHead) {
		const context = {
			number,
			state: state(),
			rule,
			now: ledger.elapsed(),
			date: clock.now(),
			random,
		};
		const learned = response && learnFromResponse(response, context);
		const hold = slotLifetime(rule);
		ledger.append({ kind: 'done', scope, id, number, at: context.now, hold, ...learned });
	}

	return {
		acquire({ priority, signal }) {
			if (isClosed) return Promise.reject(closedReason());
			const permit = line.join(priority, signal);
			if (!signal.aborted) serve();
			return permit;
		},
		budget() {
			const seen = state();
			const budget = budgetFrom(seen, ruleNow(), ledger.elapsed());
			return isAlone() ? { ...budget, isAlone: true } : budget;
		},
		close() {
			isClosed = true;
			cancelCheck();
			line.rejectAll(closedReason());
			for (const permit of inFlight) permit.lost();
		},
	};
}

const closedReason = () => new DOMException('The program is closing', 'AbortError');
