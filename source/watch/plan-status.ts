import { dueTimeAfter, isDown, retryTimeOf } from '../foundation/backoff.ts';
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
import type { PlannerInput, PolledComputer, ReadPurpose, ReadSlots } from './planner-input.ts';
import { type StatusNeed, statusNeeds } from './pollable-fleet.ts';
import { readTable } from './reads.ts';

// Urgent computers get at most 11/12 of the slots. Computers on screen get at most half of what is left, as
// long as other computers need reads as well.
const maxUrgentShare = 11 / 12;
const maxOnScreenShare = 1 / 2;

// The share of the slots that is held back for computers that become urgent. While the rows of a newly opened
// screen are read for the first time, more is held back.
const reservedShare = 1 / 30;
const reservedShareForNewScreen = 1 / 4;

/** While a list waits longer than this for its answer, single status reads take its place. */
const hungListMs = 3_000;

/**
 * Plans the status reads. If the list has the status, only urgent computers are read, and those with a reason or a
 * version that nobody has read. Otherwise three kinds of computers share the slots, and in each kind the computer that
 * has waited longest is read first:
 *
 * ```
 *   ├──────────── urgent, up to 11/12 ────────────┤─ on screen ─┤─ the rest ─┤ 1/30 held back
 * ```
 */
export function planStatus(builder: PlanBuilder, input: PlannerInput, slots: ReadSlots): void {
	const isTelling = isListTelling(input, builder.now);
	if (isDown(input.histories.status.backoff)) {
		planStatusRetry(builder, input, isTelling);
	} else {
		const urgentRate = planUrgentReads(builder, input, slots);
		const rate = Math.max(
			slots.readsPerMs * (1 - reservedShare) - urgentRate,
			slots.readsPerMs * (1 - maxUrgentShare),
		);
		if (isTelling) planUnreadStatuses(builder, input, slots, rate);
		else planNotUrgentReads(builder, input, slots, rate);
	}
}

/** Whether lists report the status of every computer at present. Before the first list, this is assumed. */
function isListTelling({ listHasStatus, histories }: PlannerInput, now: number): boolean {
	const { isInFlight, askedAt, backoff } = histories.list;
	const isHung = isInFlight && now - askedAt > hungListMs;
	return listHasStatus !== false && !isHung && !backoff;
}

/**
 * Plans a status read of each computer for what only its status tells: those on screen at once, and then the others one
 * by one.
 */
function planUnreadStatuses(
	builder: PlanBuilder,
	input: PlannerInput,
	slots: ReadSlots,
	readsPerMs: number,
): void {
	const { now } = builder;
	const unread = [...input.computers.values()].filter(
		computer => computer.statusNeed && !computer.status.isInFlight && !isUrgent(computer, now),
	);
	if (unread.length === 0) return;
	const { intervalMs } = readTable.status;
	const due = ({ status }: PolledComputer) =>
		Math.max(dueTimeAfter(status.askedAt, intervalMs.calm, now), retryTimeOf(status.backoff, now));
	const onScreen = new Set(onScreenComputersOf(input));
	const needs: readonly (StatusNeed | null)[] = statusNeeds;
	// A computer whose reads keep failing waits until all others have been read.
	const rank = (computer: PolledComputer) =>
		(isDown(computer.status.backoff) ? 20 : 0) +
		(onScreen.has(computer) ? 0 : 10) +
		needs.indexOf(computer.statusNeed);
	const isBefore = (one: PolledComputer, other: PolledComputer) => {
		const difference = rank(one) - rank(other);
		return difference < 0 || (difference === 0 && one.status.askedAt < other.status.askedAt);
	};

	const keep = leftForNewScreen(builder, slots);
	const inSight = unread.filter(computer => onScreen.has(computer));
	for (const computer of inSight.sort((a, b) => (isBefore(a, b) ? -1 : 1)))
		offerStatus(builder, computer, 'attended', due(computer), keep);

	const ready = unread.filter(computer => due(computer) <= now);
	const next =
		ready.length > 0
			? ready.reduce((first, each) => (isBefore(each, first) ? each : first))
			: unread.reduce((first, each) => (due(each) < due(first) ? each : first));
	const free = dueTimeAfter(input.lastSentAt.rest, 1 / readsPerMs, now);
	offerStatus(builder, next, 'rest', Math.max(due(next), free), leastLeft(slots));
}

// After several failed status reads in a row, only one status read at a time is sent. The computer with the
// fewest failures is read first, because a computer with more failures may have a lasting problem.
function planStatusRetry(builder: PlanBuilder, input: PlannerInput, isListTelling: boolean): void {
	const { now } = builder;
	const fleet = [...input.computers.values()];
	const needed = fleet.filter(
		computer => !isListTelling || computer.statusNeed || isUrgent(computer, now),
	);
	// Where no status is needed, a read of any shows when the platform answers again.
	const all = needed.length > 0 ? needed : fleet;
	const failures = ({ status }: PolledComputer) => status.backoff?.failureCount ?? 0;
	const order = (a: PolledComputer, b: PolledComputer) =>
		failures(a) - failures(b) || a.status.askedAt - b.status.askedAt;
	if (all.length === 0 || all.some(({ status }) => status.isInFlight)) return;
	const computer = all.reduce((first, each) => (order(each, first) < 0 ? each : first));
	const end = retryTimeOf(input.histories.status.backoff, now);
	const due = Math.max(statusDueTimeOf(computer, input, now), end);
	offerStatus(builder, computer, 'rest', due);
}

// Plans the urgent reads and returns the rate that they use. Each urgent computer is read at its own interval;
// if the slots do not sustain that, the computers take turns.
function planUrgentReads(builder: PlanBuilder, input: PlannerInput, slots: ReadSlots): number {
	const { now } = builder;
	const urgent: PolledComputer[] = [];
	// A loop over the map would create an object for each computer in each plan.
	input.computers.forEach(computer => {
		if (isUrgent(computer, now)) urgent.push(computer);
	});
	const demand = urgent.reduce((sum, each) => sum + 1 / statusIntervalFor(each, input, now), 0);
	const rate = Math.min(demand, slots.readsPerMs * maxUrgentShare);
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
	slots: ReadSlots,
	readsPerMs: number,
): void {
	const { now } = builder;
	const { lastSentAt, histories, listHasStatus, answersStaleBefore } = input;
	const least = leastLeft(slots);
	const attended = onScreenComputersOf(input).filter(computer => !isUrgent(computer, now));
	const due = (computer: PolledComputer) => statusDueTimeOf(computer, input, now);

	if (listHasStatus === false || isDown(histories.list.backoff)) {
		const keep = leftForNewScreen(builder, slots);
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

/** How many requests are held back for computers that become urgent. */
const leastLeft = ({ readsPerMs }: ReadSlots) => Math.ceil(readsPerMs * 60_000 * reservedShare);

function leftForNewScreen(builder: PlanBuilder, { readsPerMs }: ReadSlots): number {
	const perMinute = readsPerMs * 60_000;
	const most = Math.floor(perMinute * (1 - reservedShareForNewScreen));
	return Math.max(builder.slotsLeft('status') - most, perMinute - most);
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
