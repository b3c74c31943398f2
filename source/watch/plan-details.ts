import { dueAt, isDown, retryAt } from './backoff.ts';
import {
	computersOnScreen,
	createNextUp,
	type Due,
	notNow,
	statusDue,
	statusWaitingSince,
	waitingSince,
} from './due.ts';
import { detailAsStatusInterval, detailGap, unfocusedFactor } from './intervals.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, PolledComputer, ReadBudget } from './planner-input.ts';
import { reads } from './reads.ts';

const hour = 3_600_000;

/** What is asked per computer because the list leaves it out. */
export function planDetails(draft: PlanBuilder, outlook: PlannerInput, purse: ReadBudget): void {
	const { computers, detail, detailAddsFields, detailHasStatus, listHasStatus } = outlook;
	const { now } = draft;
	const adds = detailAddsFields !== false;
	const standsIn = listHasStatus === false && detailHasStatus === true;

	const open = computers.get(detail ?? '');
	if (open) {
		const interval = adds || standsIn ? reads.detail.best : reads.detail.worst;
		offer(draft, outlook, { computer: open, due: detailDue(open, interval, now) }, 0);
	}
	if (standsIn) {
		const turn = createNextUp(now);
		for (const one of computers.values()) {
			const due = Math.max(statusDue(one, outlook, now), detailDue(one, 0, now));
			turn.add(one, due, statusWaitingSince(one, outlook));
		}
		offer(draft, outlook, turn.first, detailAsStatusInterval(outlook, purse, now));
	} else if (adds) {
		const gap = detailGap * unfocusedFactor(outlook);
		const attended = computersOnScreen(outlook);
		offer(draft, outlook, firstOf(attended, reads.detail.worst, now), gap);
		// What nobody looks at is filled in slowly: it takes from the list, which tells about everyone.
		offer(draft, outlook, firstOf(computers.values(), hour, now), 3 * gap);
	}
}

function offer(
	draft: PlanBuilder,
	outlook: PlannerInput,
	first: Due | undefined,
	gap: number,
): void {
	const { histories, lastSpentAt } = outlook;
	if (!first) return;
	const free = gap > 0 ? dueAt(lastSpentAt.detail, gap, draft.now) : first.due;
	const trial = isDown(histories.detail.backoff)
		? retryAt(histories.detail.backoff, draft.now)
		: first.due;
	draft.offer({ name: 'detail', id: first.computer.id }, Math.max(first.due, free, trial));
}

function firstOf(
	computers: Iterable<PolledComputer>,
	interval: number,
	now: number,
): Due | undefined {
	const turn = createNextUp(now);
	for (const one of computers)
		turn.add(one, detailDue(one, interval, now), waitingSince(one.detail));
	return turn.first;
}

function detailDue({ detail }: PolledComputer, interval: number, now: number): number {
	if (detail.isInFlight) return notNow;
	return Math.max(dueAt(detail.askedAt, interval, now), retryAt(detail.backoff, now));
}
