import type { Change, OperationMove } from '../../fleet/change.ts';
import type { RateLimitUsage, ScopeUsage } from '../../fleet/fact.ts';
import { changesBetween } from '../../store/change-log.ts';
import { type AccountState, emptyAccount } from '../../store/state.ts';

/** How often something happened since the command started, keyed by scope and by outcome. */
export type EventTotals = {
	refusals: Readonly<Record<keyof RateLimitUsage, number>>;
	outcomes: Readonly<Record<CountedOutcome, number>>;
};

type CountedOutcome = 'done' | 'failed' | 'unknown' | 'cancelled';

const outcomeByMove: Readonly<Partial<Record<OperationMove['to'], CountedOutcome>>> = {
	settled: 'done',
	failed: 'failed',
	unknown: 'unknown',
	cancelled: 'cancelled',
};

export const countedScopes = [
	'create',
	'status',
	'other',
] as const satisfies readonly (keyof RateLimitUsage)[];

// The times in two reports of the same freeze may differ by less than this, because they are converted between two
// clocks.
const freezeToleranceMs = 1_000;

// An operation can arrive twice within a few seconds: from the journal, and from the process that sent it. To count
// it once, this number of operations is remembered.
const maxRemembered = 2_000;

/** Counts the events of one account. */
export function createEventCounter() {
	const refusals = { create: 0, status: 0, other: 0 };
	const outcomes = { done: 0, failed: 0, unknown: 0, cancelled: 0 };
	const counted = new Set<string>();

	function countRefusals(before: AccountState, after: AccountState) {
		if (after.standings === before.standings) return;
		for (const scope of countedScopes) {
			if (isFrozenAgain(before.standings?.[scope], after.standings?.[scope])) refusals[scope] += 1;
		}
	}

	function countOperation({ wish, to, count = 1 }: OperationMove) {
		const outcome = outcomeByMove[to];
		const subject = `${wish.key} ${to}`;
		if (!outcome || counted.has(subject)) return;
		counted.add(subject);
		for (const oldest of counted) {
			if (counted.size <= maxRemembered) break;
			counted.delete(oldest);
		}
		outcomes[outcome] += count;
	}

	return {
		totals: (): EventTotals => ({ refusals, outcomes }),
		/** Counts an operation that another process wrote to the journal. */
		countOperation,
		/** Counts the refusals and the operations that a fact added. */
		countChange(before: AccountState = emptyAccount, after: AccountState = emptyAccount) {
			countRefusals(before, after);
			const moves = changesBetween(before, after).filter(isOperationMove);
			for (const move of moves) countOperation(move);
		},
	};
}

const isOperationMove = (change: Change): change is OperationMove =>
	change.type === 'operationMoved';

/**
 * Whether the platform refused a request of the scope, so that the scope is frozen now, or frozen for longer than
 * before.
 */
function isFrozenAgain(before: ScopeUsage | undefined, after: ScopeUsage | undefined): boolean {
	if (after?.frozenUntil === undefined) return false;
	return after.frozenUntil - (before?.frozenUntil ?? 0) > freezeToleranceMs;
}
