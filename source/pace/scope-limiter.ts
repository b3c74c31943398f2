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

/** One scope: those who wait for its slots, and the slots on their way. */
export type ScopeLimiter = {
	acquire(wish: { priority: Priority; signal: AbortSignal }): Promise<Permit>;
	/** By the ledger's clock. */
	budget(): Budget;
	close(): void;
};

type Waiter = {
	priority: Priority;
	grant(ticket: Permit): void;
	refuse(reason: unknown): void;
};

type Parts = {
	scope: Scope;
	rule: Limit;
	clock: Clock;
	random: () => number;
	ledger: Ledger;
	/** Called when something other than the passing of time has changed the budget. */
	onChange: () => void;
};

// Other processes finish, freeze and learn meanwhile: those who wait look again this often in a window.
const checksPerWindow = 12;

export function createScopeLimiter({
	scope,
	rule,
	clock,
	random,
	ledger,
	onChange,
}: Parts): ScopeLimiter {
	/** Operations before reads, and each kind in its order of coming. */
	const wishes: Waiter[] = [];
	const underWay = new Set<Permit>();
	let isClosed = false;
	let callOff = () => {};

	const page = () => ledger.refresh()[scope];
	const isAlone = () => ledger.isAlone(slotLifetime(rule));
	/** Ask it after the ledger was read or written. */
	const ruleNow = () => (isAlone() ? limitWhenAlone(rule) : rule);

	function serve() {
		callOff();
		const before = wishes.length;
		for (let wish = wishes[0]; wish; wish = wishes[0]) {
			const seen = page();
			const now = ledger.elapsed();
			const { left, nextAt } = budgetFrom(seen, ruleNow(), now);
			const isFree = left[wish.priority] > 0;
			const ticket = isFree ? take(seen.taken + 1, now) : undefined;
			if (!ticket) {
				const wait = isFree
					? 0
					: Math.min(nextAt[wish.priority] - now, rule.window / checksPerWindow);
				callOff = clock.after(Math.max(1, wait), serve);
				break;
			}
			wishes.shift();
			wish.grant(ticket);
		}
		if (wishes.length < before) onChange();
	}

	/** Nothing, when another process was faster. */
	function take(number: number, at: number): Permit | undefined {
		const id = ledger.newId();
		const hold = rule.maxTransit + slotLifetime(rule);
		const after = ledger.append({ kind: 'take', scope, id, number, at, hold });
		if (!after[scope].spends.has(id)) return undefined;
		const now = ledger.elapsed();
		// Stopped for long between reading the clock and writing? Then the slot's time has run on.
		const isLate = now - at >= rule.maxTransit / 2;
		if (!isLate && !isOverdrawn(after[scope], ruleNow(), now)) return createTicket(id, number);
		finish(id, number);
		return undefined;
	}

	function createTicket(id: string, number: number): Permit {
		const settle = (answer?: ResponseHead) => {
			if (!underWay.delete(ticket)) return;
			finish(id, number, answer);
			serve();
			onChange();
		};
		const ticket = { answered: settle, lost: () => settle() };
		underWay.add(ticket);
		return ticket;
	}

	function finish(id: string, number: number, answer?: ResponseHead) {
		const seen = page();
		const now = ledger.elapsed();
		const lesson =
			answer &&
			learnFromResponse(answer, { number, page: seen, rule, now, date: clock.now(), random });
		ledger.append({
			kind: 'done',
			scope,
			id,
			number,
			at: now,
			hold: slotLifetime(rule),
			...lesson,
		});
	}

	return {
		acquire: ({ priority, signal }) =>
			new Promise((resolve, reject) => {
				if (isClosed) return reject(closedReason());
				if (signal.aborted) return reject(signal.reason);
				const leave = () => {
					wishes.splice(wishes.indexOf(wish), 1);
					reject(signal.reason);
					if (wishes.length === 0) callOff();
				};
				const wish: Waiter = {
					priority,
					grant(ticket) {
						signal.removeEventListener('abort', leave);
						resolve(ticket);
					},
					refuse(reason) {
						signal.removeEventListener('abort', leave);
						reject(reason);
					},
				};
				signal.addEventListener('abort', leave, { once: true });
				const firstRead = wishes.findIndex(other => other.priority === 'read');
				wishes.splice(priority === 'read' || firstRead < 0 ? wishes.length : firstRead, 0, wish);
				serve();
			}),
		budget() {
			const seen = page();
			const budget = budgetFrom(seen, ruleNow(), ledger.elapsed());
			return isAlone() ? { ...budget, isAlone: true } : budget;
		},
		close() {
			isClosed = true;
			callOff();
			for (const wish of wishes.splice(0)) wish.refuse(closedReason());
			for (const ticket of underWay) ticket.lost();
		},
	};
}

const closedReason = () => new DOMException('The program is closing', 'AbortError');
