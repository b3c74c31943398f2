import { dueAt, isDown, retryAt } from './backoff.ts';
import {
	computersOnScreen,
	createNextUp,
	type Due,
	isUrgent,
	statusDue,
	statusInterval,
	statusWaitingSince,
} from './due.ts';
import { unfocusedFactor } from './intervals.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, PolledComputer, ReadBudget, ReadPurpose } from './planner-input.ts';
import { reads } from './reads.ts';

// Urgent reads leave at least a twelfth of the budget. Computers on screen get at most half of what urgent
// reads leave, if there are others.
const urgentShare = 11 / 12;
const onScreenShare = 1 / 2;

// The share of the budget that is held back, so that a computer that becomes urgent finds a free slot. More is
// held back while a newly opened screen is filled.
const reservedShare = 1 / 30;
const reservedShareWhileFilling = 1 / 4;

/** How many status reads per millisecond the budget sustains while no computer is urgent. */
export const calmStatusRate = ({ rate }: ReadBudget): number => rate * (1 - reservedShare);

/**
 * Three kinds of status reads share the budget. Each kind starts with the computer that has waited longest:
 *
 * ```
 *   ├──────────── urgent, up to 11/12 ────────────┤─ on screen ─┤─ the rest ─┤ 1/30 held back
 * ```
 */
export function planStatus(builder: PlanBuilder, input: PlannerInput, budget: ReadBudget): void {
	if (isDown(input.histories.status.backoff)) {
		planRetry(builder, input);
	} else {
		const overview = statusOverviewOf(input, builder.now);
		const urgentRate = planUrgent(builder, input, budget, overview);
		const ordinary = Math.max(calmStatusRate(budget) - urgentRate, budget.rate * (1 - urgentShare));
		planOrdinary(builder, input, budget, { rate: ordinary / unfocusedFactor(input), overview });
	}
}

// While status reads are down, they are retried one at a time. The computer with the fewest failures is read
// first, because others may have a lasting problem.
function planRetry(builder: PlanBuilder, input: PlannerInput): void {
	const all = [...input.computers.values()];
	const failures = ({ status }: PolledComputer) => status.backoff?.count ?? 0;
	const order = (a: PolledComputer, b: PolledComputer) =>
		failures(a) - failures(b) || a.status.askedAt - b.status.askedAt;
	if (all.length === 0 || all.some(({ status }) => status.isInFlight)) return;
	const computer = all.reduce((first, each) => (order(each, first) < 0 ? each : first));
	const end = retryAt(input.histories.status.backoff, builder.now);
	const due = Math.max(statusDue(computer, input, builder.now), end);
	offerStatus(builder, computer, 'rest', due);
}

// Plans the urgent reads and returns the rate that they use. Each urgent computer is read at its own interval;
// if the budget does not sustain that, the computers take turns.
function planUrgent(
	builder: PlanBuilder,
	input: PlannerInput,
	budget: ReadBudget,
	overview: StatusOverview,
): number {
	const { now } = builder;
	const { firstUrgent, urgentRate: demand } = overview;
	const rate = Math.min(demand, budget.rate * urgentShare);
	if (demand > rate) {
		const free = dueAt(input.lastSpentAt.urgent, 1 / rate, now);
		if (firstUrgent)
			offerStatus(builder, firstUrgent.computer, 'urgent', Math.max(firstUrgent.due, free));
	} else if (demand > 0) {
		for (const computer of input.computers.values()) {
			if (isUrgent(computer, now))
				offerStatus(builder, computer, 'urgent', statusDue(computer, input, now));
		}
	}
	return rate;
}

function planOrdinary(
	builder: PlanBuilder,
	input: PlannerInput,
	budget: ReadBudget,
	{ rate, overview }: { rate: number; overview: StatusOverview },
): void {
	const { now } = builder;
	const { lastSpentAt, histories, listHasStatus, staleBefore } = input;
	const least = Math.ceil(budget.rate * 60_000 * reservedShare);
	const attended = computersOnScreen(input).filter(computer => !isUrgent(computer, now));
	const due = (computer: PolledComputer) => statusDue(computer, input, now);

	if (listHasStatus === false || isDown(histories.list.backoff)) {
		const keep = Math.ceil(budget.rate * 60_000 * reservedShareWhileFilling);
		for (const computer of attended.filter(each => each.status.askedAt < staleBefore)) {
			offerStatus(builder, computer, 'attended', due(computer), keep);
		}
	}

	const offerEvenly = (first: Due | undefined, purpose: 'attended' | 'rest', share: number) => {
		if (!first || share <= 0) return;
		const free = dueAt(lastSpentAt[purpose], 1 / share, now);
		offerStatus(builder, first.computer, purpose, Math.max(first.due, free), least);
	};
	const most = overview.others > attended.length ? rate * onScreenShare : rate;
	const attendedRate = Math.min(attended.length / reads.status.best, most);
	const nextUp = createNextUp(now);
	for (const computer of attended)
		nextUp.add(computer, due(computer), statusWaitingSince(computer, input));
	offerEvenly(nextUp.first, 'attended', attendedRate);
	offerEvenly(overview.firstOther, 'rest', rate - attendedRate);
}

function offerStatus(
	builder: PlanBuilder,
	computer: PolledComputer,
	purpose: ReadPurpose,
	due: number,
	keep = 0,
): void {
	builder.offer({ name: 'status', id: computer.id, purpose }, due, { keep });
}

/** The values for planning status reads that one pass over the fleet collects. */
type StatusOverview = {
	/** The urgent computer to read first, and the reads per millisecond that all urgent computers need. */
	firstUrgent: Due | undefined;
	urgentRate: number;
	/** The first to read of the computers that are not urgent, and their count. */
	firstOther: Due | undefined;
	others: number;
};

function statusOverviewOf(input: PlannerInput, now: number): StatusOverview {
	const nextUrgent = createNextUp(now);
	const nextOther = createNextUp(now);
	let demand = 0;
	let others = 0;
	for (const computer of input.computers.values()) {
		const due = statusDue(computer, input, now);
		const since = statusWaitingSince(computer, input);
		if (isUrgent(computer, now)) {
			demand += 1 / statusInterval(computer, input, now);
			nextUrgent.add(computer, due, since);
		} else {
			others += 1;
			nextOther.add(computer, due, since);
		}
	}
	return { firstUrgent: nextUrgent.first, urgentRate: demand, firstOther: nextOther.first, others };
}
