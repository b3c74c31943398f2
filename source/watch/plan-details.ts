import { dueTimeAfter, isDown, retryTimeOf } from '../foundation/backoff.ts';
import {
	answerAwaitedSince,
	createComputerPicker,
	type DueComputer,
	neverDue,
	onScreenComputersOf,
	statusAwaitedSince,
	statusDueTimeOf,
} from './due.ts';
import { detailIntervalForStatus, detailIntervalMs } from './intervals.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, PolledComputer, ReadSlots } from './planner-input.ts';
import { pollingModeOf } from './polling-mode.ts';
import { readTable } from './reads.ts';
import { nextSideReadTime } from './side-reads.ts';

const hourMs = 3_600_000;

/** The details of a computer are read after the cursor has rested on it for this long. */
const restMs = 1_000;

/** Plans reads of the details of single computers, for fields that the list leaves out. */
export function planDetails(builder: PlanBuilder, input: PlannerInput, slots: ReadSlots): void {
	const { computers, detailId, detailAddsFields, detailHasStatus, listHasStatus } = input;
	const { now } = builder;
	const adds = detailAddsFields !== false;
	const standsIn = listHasStatus === false && detailHasStatus === true;

	const { intervalMs } = readTable.detail;
	const sideDue = nextSideReadTime(builder, input, slots);
	const onScreen = onScreenComputersOf(input);
	const unread = standsIn ? [] : onScreen.filter(({ lacksDetail }) => lacksDetail);
	const open = computers.get(detailId ?? '');
	if (open) {
		const mode = adds || standsIn ? pollingModeOf(input, now) : 'unattended';
		const rested = dueTimeAfter(input.restingSince ?? Number.NEGATIVE_INFINITY, restMs, now);
		const isFirst = open.detail.askedAt === Number.NEGATIVE_INFINITY;
		// Reading the others on screen once matters more than reading this one again and again.
		const isOnlyUnread = unread.every(computer => computer === open);
		const interval = intervalMs[mode] * (isOnlyUnread ? 1 : 4);
		const dueAt = Math.max(
			isFirst ? Number.NEGATIVE_INFINITY : detailDueTimeOf(open, input, interval, now),
			rested,
			isFirst || standsIn ? Number.NEGATIVE_INFINITY : sideDue,
		);
		offerDetail(builder, input, { computer: open, dueAt }, 0);
	}
	if (standsIn) {
		const nextUp = createComputerPicker(now);
		for (const computer of computers.values()) {
			const due = Math.max(
				statusDueTimeOf(computer, input, now),
				detailDueTimeOf(computer, input, 0, now),
			);
			nextUp.consider(computer, due, statusAwaitedSince(computer, input));
		}
		offerDetail(builder, input, nextUp.choice, detailIntervalForStatus(input, slots, now));
	} else {
		const offerInTurn = (all: Computers, interval: number, gap: number) => {
			const next = nextDetailComputer(all, input, interval, now);
			const dueAt = next && Math.max(next.dueAt, nextSideReadTime(builder, input, slots));
			offerDetail(builder, input, next && { ...next, dueAt: dueAt ?? neverDue }, gap);
		};
		offerInTurn(unread, intervalMs[pollingModeOf(input, now)], detailIntervalMs);
		if (!adds) return;
		offerInTurn(onScreen, intervalMs.unattended, detailIntervalMs);
		// Details of computers off screen are read rarely: each of these reads costs a request that could have read a
		// list of the whole fleet.
		offerInTurn(computers, hourMs, 3 * detailIntervalMs);
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

/** Some or all computers. A loop over a map would create an object for each computer in each plan. */
type Computers = { forEach: (visit: (computer: PolledComputer) => void) => void };

function nextDetailComputer(
	computers: Computers,
	input: PlannerInput,
	interval: number,
	now: number,
): DueComputer | undefined {
	const nextUp = createComputerPicker(now);
	computers.forEach(computer => {
		nextUp.consider(
			computer,
			detailDueTimeOf(computer, input, interval, now),
			answerAwaitedSince(computer.detail),
		);
	});
	return nextUp.choice;
}

function detailDueTimeOf(
	{ detail, lacksDetail }: PolledComputer,
	{ answersStaleBefore, detailAddsFields }: PlannerInput,
	interval: number,
	now: number,
): number {
	if (detail.isInFlight) return neverDue;
	// What an earlier run has read counts as read at the start. Only the first detail shows whether details add anything.
	const isRestored =
		detail.askedAt === Number.NEGATIVE_INFINITY && !lacksDetail && detailAddsFields !== null;
	const askedAt = isRestored ? answersStaleBefore : detail.askedAt;
	return Math.max(dueTimeAfter(askedAt, interval, now), retryTimeOf(detail.backoff, now));
}
