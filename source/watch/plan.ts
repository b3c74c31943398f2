import { dueTimeAfter, retryTimeOf } from '../foundation/backoff.ts';
import { createComputerPicker } from './due.ts';
import { accountReadIntervalFor, listIntervalFor } from './intervals.ts';
import { createPlanBuilder, type PlanBuilder } from './plan-builder.ts';
import { planDetails } from './plan-details.ts';
import { planStatus } from './plan-status.ts';
import {
	historyOf,
	type PlannerInput,
	type Read,
	type ReadSlots,
	type ReadSlotsByScope,
} from './planner-input.ts';
import { accountReadNames } from './reads.ts';
import { nextSideReadTime } from './side-reads.ts';

/** The reads to send now, and the time to plan again if no event comes first. */
type Plan = { reads: readonly Read[]; nextPlanAt: number };

/**
 * Decides which reads to send now. It is a pure function, so that weeks of planning can be simulated. Each scope has
 * its own slots, and the reads take them in this order:
 *
 * ```
 *   other   ┤ requested by a person │ credits, subscription, release │ details │ the list takes the rest
 *   status  ┤ requested by a person │ urgent │ on screen │ all others
 * ```
 *
 * The list is the cheapest read. If it has the status, the status of a single computer is read only when the list
 * cannot show it, and once for the reason of an error or a version that the list lacks. Every kind of read is spread evenly over time, at an interval that its slots sustain. So reads do
 * not come in bursts, some slots are left for urgent computers, and no computer waits forever.
 */
export function plan(input: PlannerInput, slots: ReadSlotsByScope, now: number): Plan {
	const builder = createPlanBuilder(slots, now);
	if (input.outageBackoff) {
		planOutageProbe(builder, input);
		return builder;
	}
	const offerList = () => planList(builder, input, slots.other);
	planRequestedReads(builder, input);
	if (input.histories.list.askedAt < input.answersStaleBefore) offerList();
	planAccountReads(builder, input, slots.other);
	planDetails(builder, input, slots.other);
	offerList();
	planStatus(builder, input, slots.status);
	return builder;
}

/**
 * During an outage, one small request at a time checks whether the platform is back. The list and the credits
 * take turns, because the credits may be answered when a list is too large. If operations have taken the
 * slots that the list and the credits share, a status is read instead.
 */
function planOutageProbe(
	builder: PlanBuilder,
	{ histories, computers, outageBackoff }: PlannerInput,
): void {
	const { list, credits } = histories;
	if (list.isInFlight || credits.isInFlight) return;
	const due = retryTimeOf(outageBackoff, builder.now);
	const name = list.askedAt > credits.askedAt ? 'credits' : 'list';
	if (builder.offer({ name }, due) || builder.slotsLeft('other') > 0) return;
	const all = [...computers.values()];
	if (all.some(({ status }) => status.isInFlight)) return;
	const nextUp = createComputerPicker(builder.now);
	for (const computer of all) nextUp.consider(computer, due, computer.status.askedAt);
	const { choice: picked } = nextUp;
	if (picked) builder.offer({ name: 'status', id: picked.computer.id, purpose: 'rest' }, due);
}

function planRequestedReads(builder: PlanBuilder, input: PlannerInput): void {
	for (const read of input.requestedReads) {
		const history = historyOf(input, read);
		if (history && !history.isInFlight) {
			builder.offer(read, retryTimeOf(history.backoff, builder.now), { isRequested: true });
		}
	}
}

function planList(builder: PlanBuilder, input: PlannerInput, slots: ReadSlots): void {
	const { histories, answersStaleBefore, requestsPerList } = input;
	const { askedAt, isInFlight, backoff } = histories.list;
	if (isInFlight) return;
	const usual = dueTimeAfter(askedAt, listIntervalFor(input, slots, builder.now), builder.now);
	const isStale = askedAt < answersStaleBefore;
	const due = backoff ? retryTimeOf(backoff, builder.now) : isStale ? builder.now : usual;
	// A list of very many pages starts once half of the slots are free, and waits between its pages.
	const half = Math.floor((slots.readsPerMs * 60_000) / 2);
	builder.offer({ name: 'list' }, due, {
		requestCount: Math.max(1, Math.min(requestsPerList, half)),
	});
}

/** Plans the reads about the account itself, which have fixed intervals. */
function planAccountReads(builder: PlanBuilder, input: PlannerInput, slots: ReadSlots): void {
	const { histories, answersStaleBefore } = input;
	const { now } = builder;
	for (const name of accountReadNames) {
		const { askedAt, isInFlight, backoff } = histories[name];
		if (isInFlight) continue;
		const usual = dueTimeAfter(askedAt, accountReadIntervalFor(name, input, now), now);
		const due = backoff ? retryTimeOf(backoff, now) : askedAt < answersStaleBefore ? now : usual;
		builder.offer({ name }, Math.max(due, nextSideReadTime(builder, input, slots)));
	}
}
