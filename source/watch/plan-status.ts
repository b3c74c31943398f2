import { dueTimeAfter, isDown, retryTimeOf } from './backoff.ts';
import {
	createComputerPicker,
	type DueComputer,
	isUrgent,
	onScreenComputersOf,
	statusAwaitedSince,
	statusDueTimeOf,
	statusIntervalFor,
} from './due.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, PolledComputer, ReadBudget, ReadPurpose } from './planner-input.ts';
import { pollingModeOf } from './polling-mode.ts';
import { readTable } from './reads.ts';

// Urgent computers get at most 11/12 of the budget. Computers on screen get at most half of what is left, as
// long as other computers need reads as well.
const maxUrgentShare = 11 / 12;
const maxOnScreenShare = 1 / 2;

// The share of the budget that is held back for computers that become urgent. While the rows of a newly opened
// screen are read for the first time, more is held back.
const reservedShare = 1 / 30;
const reservedShareForNewScreen = 1 / 4;

/** While a list waits longer than this for its answer, single status reads take its place. */
const hungListMs = 3_000;

/**
 * Plans the status reads. If the list has the status, only urgent computers are read, and a failed computer whose
 * details are open. Otherwise three kinds of computers share the budget, and in each kind the computer that has
 * waited longest is read first:
 *
 * ```
 *   ├──────────── urgent, up to 11/12 ────────────┤─ on screen ─┤─ the rest ─┤ 1/30 held back
 * ```
 */
export function planStatus(builder: PlanBuilder, input: PlannerInput, budget: ReadBudget): void {
	if (isDown(input.histories.status.backoff)) {
		planStatusRetry(builder, input);
	} else {
		const urgentRate = planUrgentReads(builder, input, budget);
		planReadOfOpenError(builder, input);
		if (isListTelling(input, builder.now)) return;
		const rate = Math.max(
			budget.requestsPerMs * (1 - reservedShare) - urgentRate,
			budget.requestsPerMs * (1 - maxUrgentShare),
		);
		planNotUrgentReads(builder, input, budget, rate);
	}
}

/** Whether lists report the status of every computer at present. Before the first list, this is assumed. */
function isListTelling({ listHasStatus, histories }: PlannerInput, now: number): boolean {
	const { isInFlight, askedAt, backoff } = histories.list;
	const isHung = isInFlight && now - askedAt > hungListMs;
	return listHasStatus !== false && !isHung && !backoff;
}

/** Plans a status read of the computer whose details are open, if the computer has failed. */
function planReadOfOpenError(builder: PlanBuilder, input: PlannerInput): void {
	const open = input.computers.get(input.detailId ?? '');
	if (!open?.hasFailed || open.status.isInFlight) return;
	const interval = readTable.detail.intervalMs[pollingModeOf(input, builder.now)];
	const due = Math.max(
		dueTimeAfter(open.status.askedAt, interval, builder.now),
		retryTimeOf(open.status.backoff, builder.now),
	);
	offerStatus(builder, open, 'attended', due);
}

// After several failed status reads in a row, only one status read at a time is sent. The computer with the
// fewest failures is read first, because a computer with more failures may have a lasting problem.
function planStatusRetry(builder: PlanBuilder, input: PlannerInput): void {
	const all = [...input.computers.values()];
	const failures = ({ status }: PolledComputer) => status.backoff?.failureCount ?? 0;
	const order = (a: PolledComputer, b: PolledComputer) =>
		failures(a) - failures(b) || a.status.askedAt - b.status.askedAt;
	if (all.length === 0 || all.some(({ status }) => status.isInFlight)) return;
	const computer = all.reduce((first, each) => (order(each, first) < 0 ? each : first));
	const end = retryTimeOf(input.histories.status.backoff, builder.now);
	const due = Math.max(statusDueTimeOf(computer, input, builder.now), end);
	offerStatus(builder, computer, 'rest', due);
}

// Plans the urgent reads and returns the rate that they use. Each urgent computer is read at its own interval;
// if the budget does not sustain that, the computers take turns.
function planUrgentReads(builder: PlanBuilder, input: PlannerInput, budget: ReadBudget): number {
	const { now } = builder;
	const urgent: PolledComputer[] = [];
	// A loop over the map would create an object for each computer in each plan.
	input.computers.forEach(computer => {
		if (isUrgent(computer, now)) urgent.push(computer);
	});
	const demand = urgent.reduce((sum, each) => sum + 1 / statusIntervalFor(each, input, now), 0);
	const rate = Math.min(demand, budget.requestsPerMs * maxUrgentShare);
	if (demand > rate) {
		const free = dueTimeAfter(input.lastSentAt.urgent, 1 / rate, now);
		const next = nextStatusOf(urgent, input, now);
		if (next) offerStatus(builder, next.computer, 'urgent', Math.max(next.dueAt, free));
	} else {
		for (const computer of urgent)
			offerStatus(builder, computer, 'urgent', statusDueTimeOf(computer, input, now));
	}
	return rate;
}

function planNotUrgentReads(
	builder: PlanBuilder,
	input: PlannerInput,
	budget: ReadBudget,
	readsPerMs: number,
): void {
	const { now } = builder;
	const { lastSentAt, histories, listHasStatus, answersStaleBefore } = input;
	const perMinute = budget.requestsPerMs * 60_000;
	const least = Math.ceil(perMinute * reservedShare);
	const attended = onScreenComputersOf(input).filter(computer => !isUrgent(computer, now));
	const due = (computer: PolledComputer) => statusDueTimeOf(computer, input, now);

	if (listHasStatus === false || isDown(histories.list.backoff)) {
		const most = Math.floor(perMinute * (1 - reservedShareForNewScreen));
		const keep = Math.max(builder.requestsLeft('status') - most, perMinute - most);
		for (const computer of attended.filter(each => each.status.askedAt < answersStaleBefore)) {
			offerStatus(builder, computer, 'attended', due(computer), keep);
		}
	}

	const offerEvenly = (
		first: DueComputer | undefined,
		purpose: 'attended' | 'rest',
		share: number,
	) => {
		if (!first || share <= 0) return;
		const free = dueTimeAfter(lastSentAt[purpose], 1 / share, now);
		offerStatus(builder, first.computer, purpose, Math.max(first.dueAt, free), least);
	};
	const others = [...input.computers.values()].filter(computer => !isUrgent(computer, now));
	const most = others.length > attended.length ? readsPerMs * maxOnScreenShare : readsPerMs;
	const attendedRate = Math.min(attended.length / readTable.status.intervalMs.moving, most);
	offerEvenly(nextStatusOf(attended, input, now), 'attended', attendedRate);
	offerEvenly(nextStatusOf(others, input, now), 'rest', readsPerMs - attendedRate);
}

/** Returns the computer whose status is read next. */
function nextStatusOf(
	computers: readonly PolledComputer[],
	input: PlannerInput,
	now: number,
): DueComputer | undefined {
	const nextUp = createComputerPicker(now);
	for (const computer of computers) {
		const due = statusDueTimeOf(computer, input, now);
		nextUp.consider(computer, due, statusAwaitedSince(computer, input));
	}
	return nextUp.choice;
}

function offerStatus(
	builder: PlanBuilder,
	computer: PolledComputer,
	purpose: ReadPurpose,
	due: number,
	reservedRequests = 0,
): void {
	builder.offer({ name: 'status', id: computer.id, purpose }, due, {
		reservedRequests: reservedRequests,
	});
}
