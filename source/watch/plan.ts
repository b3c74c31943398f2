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

/** What to ask now, and when to plan again if nothing else happens before. */
export type Plan = { reads: readonly Read[]; next: number };

/**
 * Which reads to make now. Pure: all that it knows comes in, and the same always gives the same.
 *
 * ```
 *   other   ┤ asked for │ credits, subscription, release │ details │ the list: all that is left
 *   status  ┤ asked for │ urgent │ on the screen │ the rest, by age
 * ```
 *
 * Each of these flows evenly, at an interval computed from what its budget bears: nothing goes in
 * bursts, something is left for what becomes urgent, and nothing starves.
 */
export function plan(outlook: PlannerInput, purses: ReadBudgets, now: number): Plan {
	const draft = createPlanBuilder(purses, now);
	if (outlook.outage) {
		planProbe(draft, outlook);
		return draft;
	}
	const rates = { status: calmStatusRate(purses.status), other: purses.other };
	const rhythm = alternationOf(outlook, rates, now);
	const look = () => planSweep(draft, outlook, { purse: purses.other, rhythm });
	planRequested(draft, outlook);
	if (outlook.histories.list.askedAt < outlook.staleBefore) look();
	planAccount(draft, outlook);
	planDetails(draft, outlook, purses.other);
	look();
	if (!rhythm) planStatus(draft, outlook, purses.status);
	return draft;
}

/**
 * Nothing works: one small request at a time, at ever longer intervals. The list tells most; the
 * credits get through when a list is too large to. Operations may spend all that both are counted in,
 * for as long as they go on; then it is a status.
 */
function planProbe(draft: PlanBuilder, { histories, computers, outage }: PlannerInput): void {
	const { list, credits } = histories;
	if (list.isInFlight || credits.isInFlight) return;
	const due = retryAt(outage, draft.now);
	const name = list.askedAt > credits.askedAt ? 'credits' : 'list';
	if (draft.offer({ name }, due) || draft.left('other') > 0) return;
	const all = [...computers.values()];
	if (all.some(({ status }) => status.isInFlight)) return;
	const turn = createNextUp(draft.now);
	for (const one of all) turn.add(one, due, one.status.askedAt);
	if (turn.first) draft.offer({ name: 'status', id: turn.first.computer.id, purpose: 'rest' }, due);
}

function planRequested(draft: PlanBuilder, outlook: PlannerInput): void {
	for (const read of outlook.requested) {
		const tried = historyOf(outlook, read);
		if (tried && !tried.isInFlight) draft.offer(read, retryAt(tried.backoff, draft.now));
	}
}

/** Looks at the whole fleet: by the list, or in its place by a round of status reads. */
export function planSweep(
	draft: PlanBuilder,
	outlook: PlannerInput,
	{ purse, rhythm }: { purse: ReadBudget; rhythm: Alternation | undefined },
): void {
	const { histories, lastSweep, staleBefore, listRequests } = outlook;
	const { askedAt, isInFlight, backoff } = histories.list;
	if (isInFlight) return;
	const isStale = askedAt < staleBefore;
	const usual = dueAt(
		lastSweep.at,
		rhythm?.every ?? listInterval(outlook, purse, draft.now),
		draft.now,
	);
	const due = backoff ? retryAt(backoff, draft.now) : isStale ? draft.now : usual;
	const isRoundDue = !isStale && due <= draft.now && rhythm && lastSweep.lists >= rhythm.lists;
	if (isRoundDue && planRound(draft, outlook)) return;
	// A list of very many pages goes when half of the budget is there, and waits between its pages.
	const half = Math.floor((purse.rate * 60_000) / 2);
	draft.offer({ name: 'list' }, due, { cost: Math.max(1, Math.min(listRequests, half)) });
}

function planRound(draft: PlanBuilder, outlook: PlannerInput): boolean {
	const { computers } = outlook;
	if (draft.left('status') < computers.size) return false;
	const asked = [...computers.values()].filter(one =>
		draft.offer(
			{ name: 'status', id: one.id, purpose: 'round' },
			statusDue(one, outlook, draft.now),
		),
	);
	return asked.length > 0;
}

/** What is told about the account as a whole goes by the clock. */
export function planAccount(
	draft: PlanBuilder,
	{ histories, focused, staleBefore }: PlannerInput,
): void {
	for (const name of accountReads) {
		const { askedAt, isInFlight, backoff } = histories[name];
		if (isInFlight) continue;
		const usual = dueAt(askedAt, focused ? reads[name].best : reads[name].worst, draft.now);
		const due = askedAt < staleBefore ? draft.now : usual;
		draft.offer({ name }, backoff ? retryAt(backoff, draft.now) : due);
	}
}
