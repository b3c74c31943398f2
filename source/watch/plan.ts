import { dueAt, retryAt } from './backoff.ts';
import { createNextUp, statusDue } from './due.ts';
import { type Alternation, alternationOf, listInterval } from './intervals.ts';
import { createPlanBuilder, type PlanBuilder } from './plan-builder.ts';
import { planDetails } from './plan-details.ts';
import { calmStatusRate, planStatus } from './plan-status.ts';
import {
	historyOf,
	type PlannerInput,
	type Read,
	type ReadBudget,
	type ReadBudgets,
} from './planner-input.ts';
import { accountReads, reads } from './reads.ts';

/** The reads to send now, and the time to plan again if no event comes first. */
export type Plan = { reads: readonly Read[]; next: number };

/**
 * Decides which reads to send now. It is a pure function, so that weeks of planning can be simulated. Each
 * scope has its own budget, and the reads take from it in this order:
 *
 * ```
 *   other   ┤ requested by a person │ credits, subscription, release │ details │ the list takes the rest
 *   status  ┤ requested by a person │ urgent │ on screen │ all others, the oldest first
 * ```
 *
 * Every kind of read is spread evenly over time, at an interval that its budget sustains. So reads do not come
 * in bursts, some budget is left for computers that become urgent, and no computer waits forever.
 */
export function plan(input: PlannerInput, budgets: ReadBudgets, now: number): Plan {
	const builder = createPlanBuilder(budgets, now);
	if (input.outage) {
		planProbe(builder, input);
		return builder;
	}
	const rates = { status: calmStatusRate(budgets.status), other: budgets.other };
	const alternation = alternationOf(input, rates, now);
	const sweep = () => planSweep(builder, input, { budget: budgets.other, alternation });
	planRequested(builder, input);
	if (input.histories.list.askedAt < input.staleBefore) sweep();
	planAccount(builder, input);
	planDetails(builder, input, budgets.other);
	sweep();
	if (!alternation) planStatus(builder, input, budgets.status);
	return builder;
}

/**
 * During an outage, one small request at a time checks whether the platform is back. The list and the credits
 * take turns, because the credits may be answered when a list is too large. If operations have spent the budget
 * that both share, a status is read instead.
 */
function planProbe(builder: PlanBuilder, { histories, computers, outage }: PlannerInput): void {
	const { list, credits } = histories;
	if (list.isInFlight || credits.isInFlight) return;
	const due = retryAt(outage, builder.now);
	const name = list.askedAt > credits.askedAt ? 'credits' : 'list';
	if (builder.offer({ name }, due) || builder.left('other') > 0) return;
	const all = [...computers.values()];
	if (all.some(({ status }) => status.isInFlight)) return;
	const nextUp = createNextUp(builder.now);
	for (const computer of all) nextUp.add(computer, due, computer.status.askedAt);
	const { first } = nextUp;
	if (first) builder.offer({ name: 'status', id: first.computer.id, purpose: 'rest' }, due);
}

function planRequested(builder: PlanBuilder, input: PlannerInput): void {
	for (const read of input.requested) {
		const history = historyOf(input, read);
		if (history && !history.isInFlight) {
			builder.offer(read, retryAt(history.backoff, builder.now));
		}
	}
}

/** Plans a read of the whole fleet: a list, or a round of status reads in its place. */
function planSweep(
	builder: PlanBuilder,
	input: PlannerInput,
	{ budget, alternation }: { budget: ReadBudget; alternation: Alternation | undefined },
): void {
	const { histories, lastSweep, staleBefore, listRequests } = input;
	const { askedAt, isInFlight, backoff } = histories.list;
	if (isInFlight) return;
	const isStale = askedAt < staleBefore;
	const usual = dueAt(
		lastSweep.at,
		alternation?.every ?? listInterval(input, budget, builder.now),
		builder.now,
	);
	const due = backoff ? retryAt(backoff, builder.now) : isStale ? builder.now : usual;
	const isRoundDue =
		!isStale && due <= builder.now && alternation && lastSweep.lists >= alternation.lists;
	if (isRoundDue && planRound(builder, input)) return;
	// A list of very many pages starts once half of the budget is free, and waits between its pages.
	const half = Math.floor((budget.rate * 60_000) / 2);
	builder.offer({ name: 'list' }, due, { cost: Math.max(1, Math.min(listRequests, half)) });
}

function planRound(builder: PlanBuilder, input: PlannerInput): boolean {
	const { computers } = input;
	if (builder.left('status') < computers.size) return false;
	const chosen = [...computers.values()].filter(computer =>
		builder.offer(
			{ name: 'status', id: computer.id, purpose: 'round' },
			statusDue(computer, input, builder.now),
		),
	);
	return chosen.length > 0;
}

/** Plans the reads about the account itself, which have fixed intervals. */
function planAccount(
	builder: PlanBuilder,
	{ histories, focused, staleBefore }: PlannerInput,
): void {
	for (const name of accountReads) {
		const { askedAt, isInFlight, backoff } = histories[name];
		if (isInFlight) continue;
		const usual = dueAt(askedAt, focused ? reads[name].best : reads[name].worst, builder.now);
		const due = askedAt < staleBefore ? builder.now : usual;
		builder.offer({ name }, backoff ? retryAt(backoff, builder.now) : due);
	}
}
