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
import { detailAsStatusInterval, detailGapMs, unfocusedFactor } from './intervals.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, PolledComputer, ReadBudget } from './planner-input.ts';
import { reads } from './reads.ts';

const hour = 3_600_000;

/** Plans reads of the details of single computers, for fields that the list leaves out. */
export function planDetails(builder: PlanBuilder, input: PlannerInput, budget: ReadBudget): void {
	const { computers, detail, detailAddsFields, detailHasStatus, listHasStatus } = input;
	const { now } = builder;
	const adds = detailAddsFields !== false;
	const standsIn = listHasStatus === false && detailHasStatus === true;

	const open = computers.get(detail ?? '');
	if (open) {
		const interval = adds || standsIn ? reads.detail.best : reads.detail.worst;
		offerDetail(builder, input, { computer: open, due: detailDue(open, interval, now) }, 0);
	}
	if (standsIn) {
		const nextUp = createNextUp(now);
		for (const computer of computers.values()) {
			const due = Math.max(statusDue(computer, input, now), detailDue(computer, 0, now));
			nextUp.add(computer, due, statusWaitingSince(computer, input));
		}
		offerDetail(builder, input, nextUp.first, detailAsStatusInterval(input, budget, now));
	} else if (adds) {
		const gap = detailGapMs * unfocusedFactor(input);
		const attended = computersOnScreen(input);
		offerDetail(builder, input, firstOf(attended, reads.detail.worst, now), gap);
		// Details of computers off screen are read rarely: each one costs a request that could have been a list
		// of the whole fleet.
		offerDetail(builder, input, firstOf(computers.values(), hour, now), 3 * gap);
	}
}

function offerDetail(
	builder: PlanBuilder,
	input: PlannerInput,
	first: Due | undefined,
	gap: number,
): void {
	const { histories, lastSpentAt } = input;
	if (!first) return;
	const free = gap > 0 ? dueAt(lastSpentAt.detail, gap, builder.now) : first.due;
	const trial = isDown(histories.detail.backoff)
		? retryAt(histories.detail.backoff, builder.now)
		: first.due;
	builder.offer({ name: 'detail', id: first.computer.id }, Math.max(first.due, free, trial));
}

function firstOf(
	computers: Iterable<PolledComputer>,
	interval: number,
	now: number,
): Due | undefined {
	const nextUp = createNextUp(now);
	for (const computer of computers)
		nextUp.add(computer, detailDue(computer, interval, now), waitingSince(computer.detail));
	return nextUp.first;
}

function detailDue({ detail }: PolledComputer, interval: number, now: number): number {
	if (detail.isInFlight) return notNow;
	return Math.max(dueAt(detail.askedAt, interval, now), retryAt(detail.backoff, now));
}
