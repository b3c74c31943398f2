import { dueTimeAfter, isDown, retryTimeOf } from './backoff.ts';
import {
	answerAwaitedSince,
	createComputerPicker,
	type DueComputer,
	neverDue,
	onScreenComputersOf,
	statusAwaitedSince,
	statusDueTimeOf,
} from './due.ts';
import {
	detailIntervalForStatus,
	detailIntervalMs,
	unfocusedIntervalFactorOf,
} from './intervals.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, PolledComputer, ReadBudget } from './planner-input.ts';
import { readTable } from './reads.ts';

const hourMs = 3_600_000;

/** Plans reads of the details of single computers, for fields that the list leaves out. */
export function planDetails(builder: PlanBuilder, input: PlannerInput, budget: ReadBudget): void {
	const { computers, detailId, detailAddsFields, detailHasStatus, listHasStatus } = input;
	const { now } = builder;
	const adds = detailAddsFields !== false;
	const standsIn = listHasStatus === false && detailHasStatus === true;

	const open = computers.get(detailId ?? '');
	if (open) {
		const interval =
			adds || standsIn ? readTable.detail.shortestIntervalMs : readTable.detail.relaxedIntervalMs;
		offerDetail(builder, input, { computer: open, dueAt: detailDueTimeOf(open, interval, now) }, 0);
	}
	if (standsIn) {
		const nextUp = createComputerPicker(now);
		for (const computer of computers.values()) {
			const due = Math.max(
				statusDueTimeOf(computer, input, now),
				detailDueTimeOf(computer, 0, now),
			);
			nextUp.consider(computer, due, statusAwaitedSince(computer, input));
		}
		offerDetail(builder, input, nextUp.choice, detailIntervalForStatus(input, budget, now));
	} else if (adds) {
		const gap = detailIntervalMs * unfocusedIntervalFactorOf(input);
		const attended = onScreenComputersOf(input);
		offerDetail(
			builder,
			input,
			nextDetailComputer(attended, readTable.detail.relaxedIntervalMs, now),
			gap,
		);
		// Details of computers off screen are read rarely: each of these reads costs a request that could have read a
		// list of the whole fleet.
		offerDetail(builder, input, nextDetailComputer(computers.values(), hourMs, now), 3 * gap);
	}
}

function offerDetail(
	builder: PlanBuilder,
	input: PlannerInput,
	computer: DueComputer | undefined,
	minIntervalMs: number,
): void {
	const { histories, lastSentAt } = input;
	if (!computer) return;
	const free =
		minIntervalMs > 0
			? dueTimeAfter(lastSentAt.detail, minIntervalMs, builder.now)
			: computer.dueAt;
	const trial = isDown(histories.detail.backoff)
		? retryTimeOf(histories.detail.backoff, builder.now)
		: computer.dueAt;
	builder.offer(
		{ name: 'detail', id: computer.computer.id },
		Math.max(computer.dueAt, free, trial),
	);
}

function nextDetailComputer(
	computers: Iterable<PolledComputer>,
	interval: number,
	now: number,
): DueComputer | undefined {
	const nextUp = createComputerPicker(now);
	for (const computer of computers)
		nextUp.consider(
			computer,
			detailDueTimeOf(computer, interval, now),
			answerAwaitedSince(computer.detail),
		);
	return nextUp.choice;
}

function detailDueTimeOf({ detail }: PolledComputer, interval: number, now: number): number {
	if (detail.isInFlight) return neverDue;
	return Math.max(dueTimeAfter(detail.askedAt, interval, now), retryTimeOf(detail.backoff, now));
}
