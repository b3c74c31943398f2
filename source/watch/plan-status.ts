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

// What is urgent leaves a twelfth to the others; of what these have, the screen gets half.
const urgentShare = 11 / 12;
const attendedShare = 1 / 2;

// Kept back, so that what becomes urgent need not wait for a slot; and while a new screen is filled.
const reservedShare = 1 / 30;
const reservedWhileFilling = 1 / 4;

/** What the budget for the status bears for good when nothing is urgent. */
export const calmStatusRate = ({ rate }: ReadBudget): number => rate * (1 - reservedShare);

/** Three streams of reads share the budget; each asks first about who has waited longest. */
export function planStatus(draft: PlanBuilder, outlook: PlannerInput, purse: ReadBudget): void {
	if (isDown(outlook.histories.status.backoff)) {
		planTrial(draft, outlook);
	} else {
		const survey = statusOverviewOf(outlook, draft.now);
		const urgentRate = planUrgent(draft, outlook, purse, survey);
		const ordinary = Math.max(calmStatusRate(purse) - urgentRate, purse.rate * (1 - urgentShare));
		planOrdinary(draft, outlook, purse, { rate: ordinary / unfocusedFactor(outlook), survey });
	}
}

// One at a time until one works, who failed least first: the others may be broken for good.
function planTrial(draft: PlanBuilder, outlook: PlannerInput): void {
	const all = [...outlook.computers.values()];
	const failures = ({ status }: PolledComputer) => status.backoff?.count ?? 0;
	const order = (a: PolledComputer, b: PolledComputer) =>
		failures(a) - failures(b) || a.status.askedAt - b.status.askedAt;
	if (all.length === 0 || all.some(({ status }) => status.isInFlight)) return;
	const one = all.reduce((first, each) => (order(each, first) < 0 ? each : first));
	const end = retryAt(outlook.histories.status.backoff, draft.now);
	const due = Math.max(statusDue(one, outlook, draft.now), end);
	offer(draft, one, 'rest', due);
}

// The few that can all be asked as often as they wish are; more of them take turns. Says what they use.
function planUrgent(
	draft: PlanBuilder,
	outlook: PlannerInput,
	purse: ReadBudget,
	survey: StatusOverview,
): number {
	const { now } = draft;
	const { firstUrgent, demand } = survey;
	const rate = Math.min(demand, purse.rate * urgentShare);
	if (demand > rate) {
		const free = dueAt(outlook.lastSpentAt.urgent, 1 / rate, now);
		if (firstUrgent) offer(draft, firstUrgent.computer, 'urgent', Math.max(firstUrgent.due, free));
	} else if (demand > 0) {
		for (const one of outlook.computers.values()) {
			if (isUrgent(one, now)) offer(draft, one, 'urgent', statusDue(one, outlook, now));
		}
	}
	return rate;
}

function planOrdinary(
	draft: PlanBuilder,
	outlook: PlannerInput,
	purse: ReadBudget,
	{ rate, survey }: { rate: number; survey: StatusOverview },
): void {
	const { now } = draft;
	const { lastSpentAt, histories, listHasStatus, staleBefore } = outlook;
	const least = Math.ceil(purse.rate * 60_000 * reservedShare);
	const attended = computersOnScreen(outlook).filter(one => !isUrgent(one, now));
	const due = (one: PolledComputer) => statusDue(one, outlook, now);

	if (listHasStatus === false || isDown(histories.list.backoff)) {
		const keep = Math.ceil(purse.rate * 60_000 * reservedWhileFilling);
		for (const one of attended.filter(each => each.status.askedAt < staleBefore)) {
			offer(draft, one, 'attended', due(one), keep);
		}
	}

	const flow = (first: Due | undefined, stream: 'attended' | 'rest', share: number) => {
		if (!first || share <= 0) return;
		const free = dueAt(lastSpentAt[stream], 1 / share, now);
		offer(draft, first.computer, stream, Math.max(first.due, free), least);
	};
	const most = survey.others > attended.length ? rate * attendedShare : rate;
	const attendedRate = Math.min(attended.length / reads.status.best, most);
	const turn = createNextUp(now);
	for (const one of attended) turn.add(one, due(one), statusWaitingSince(one, outlook));
	flow(turn.first, 'attended', attendedRate);
	flow(survey.firstOther, 'rest', rate - attendedRate);
}

function offer(
	draft: PlanBuilder,
	one: PolledComputer,
	stream: ReadPurpose,
	due: number,
	keep = 0,
): void {
	draft.offer({ name: 'status', id: one.id, purpose: stream }, due, { keep });
}

/** What one pass over the fleet finds for the streams of status reads. */
export type StatusOverview = {
	/** The first of those that are urgent, and the reads a millisecond that all of them wish for. */
	firstUrgent: Due | undefined;
	demand: number;
	/** The first of those that are not, and how many there are. */
	firstOther: Due | undefined;
	others: number;
};

export function statusOverviewOf(outlook: PlannerInput, now: number): StatusOverview {
	const turnOfUrgent = createNextUp(now);
	const turnOfOthers = createNextUp(now);
	let demand = 0;
	let others = 0;
	for (const one of outlook.computers.values()) {
		const due = statusDue(one, outlook, now);
		const place = statusWaitingSince(one, outlook);
		if (isUrgent(one, now)) {
			demand += 1 / statusInterval(one, outlook, now);
			turnOfUrgent.add(one, due, place);
		} else {
			others += 1;
			turnOfOthers.add(one, due, place);
		}
	}
	const [firstUrgent, firstOther] = [turnOfUrgent.first, turnOfOthers.first];
	return { firstUrgent, demand, others, firstOther };
}
