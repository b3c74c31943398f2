import type { Clock } from '../fleet/clock.ts';
import { aloneRule, type Budget, budgetFrom, isOverspent } from './budget.ts';
import type { Answered, Priority, Scope, Ticket } from './gate.ts';
import type { Ledger } from './ledger.ts';
import { lessonFrom } from './lesson.ts';
import { type Limit, rest } from './limits.ts';

/** One scope: those who wait for its slots, and the slots on their way. */
export type Lane = {
	enter(wish: { priority: Priority; signal: AbortSignal }): Promise<Ticket>;
	/** By the ledger's clock. */
	budget(): Budget;
	close(): void;
};

type Wish = {
	priority: Priority;
	grant(ticket: Ticket): void;
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
const looks = 12;

export function createLane({ scope, rule, clock, random, ledger, onChange }: Parts): Lane {
	/** Operations before reads, and each kind in its order of coming. */
	const wishes: Wish[] = [];
	const underWay = new Set<Ticket>();
	let isClosed = false;
	let callOff = () => {};

	const page = () => ledger.look()[scope];
	const isAlone = () => ledger.isAlone(rest(rule));
	/** Ask it after the ledger was read or written. */
	const ruleNow = () => (isAlone() ? aloneRule(rule) : rule);

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
				const wait = isFree ? 0 : Math.min(nextAt[wish.priority] - now, rule.window / looks);
				callOff = clock.after(Math.max(1, wait), serve);
				break;
			}
			wishes.shift();
			wish.grant(ticket);
		}
		if (wishes.length < before) onChange();
	}

	/** Nothing, when another process was faster. */
	function take(number: number, at: number): Ticket | undefined {
		const id = ledger.mint();
		const hold = rule.patience + rest(rule);
		const after = ledger.write({ kind: 'take', scope, id, number, at, hold });
		if (!after[scope].spends.has(id)) return undefined;
		const now = ledger.elapsed();
		// Stopped for long between reading the clock and writing? Then the slot's time has run on.
		const isLate = now - at >= rule.patience / 2;
		if (!isLate && !isOverspent(after[scope], ruleNow(), now)) return createTicket(id, number);
		finish(id, number);
		return undefined;
	}

	function createTicket(id: string, number: number): Ticket {
		const settle = (answer?: Answered) => {
			if (!underWay.delete(ticket)) return;
			finish(id, number, answer);
			serve();
			onChange();
		};
		const ticket = { answered: settle, lost: () => settle() };
		underWay.add(ticket);
		return ticket;
	}

	function finish(id: string, number: number, answer?: Answered) {
		const seen = page();
		const now = ledger.elapsed();
		const lesson =
			answer && lessonFrom(answer, { number, page: seen, rule, now, date: clock.now(), random });
		ledger.write({ kind: 'done', scope, id, number, at: now, hold: rest(rule), ...lesson });
	}

	return {
		enter: ({ priority, signal }) =>
			new Promise((resolve, reject) => {
				if (isClosed) return reject(closedReason());
				if (signal.aborted) return reject(signal.reason);
				const leave = () => {
					wishes.splice(wishes.indexOf(wish), 1);
					reject(signal.reason);
					if (wishes.length === 0) callOff();
				};
				const wish: Wish = {
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
