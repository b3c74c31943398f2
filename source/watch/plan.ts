import { type PollingMode, polledReadNames, readRows } from '../fleet/reads.ts';
import { type Backoff, dueTimeAfter, isDown, retryTimeOf } from '../foundation/backoff.ts';
import type { Slots } from '../limits/slots.ts';
import type { AccountState } from '../store/state.ts';
import type { Failures } from './failures.ts';
import type { ComputerNeeds, FleetNeeds } from './needs.ts';
import { type Read, type ReadPurpose, readKey } from './reads.ts';

export type Attention = {
	visibleIds: ReadonlySet<string>;
	detailId?: string | undefined;
	restingSince?: number | undefined;
	attendedUntil: number;
};

export type ReadSlots = Pick<Slots, 'free' | 'nextAt' | 'readsPerMs'>;
export type ReadSlotsByScope = Readonly<Record<'status' | 'other', ReadSlots>>;

export type PlannerInput = {
	account: AccountState;
	needs: FleetNeeds;
	attention: Attention;
	inFlight: ReadonlySet<string>;
	/** By the key of a read, by its purpose and by its name. */
	sentAt: ReadonlyMap<string, number>;
	sideReadTimes: readonly number[];
	failures: Failures;
	requested: readonly Read[];
	staleBefore: number;
	requestsPerList: number;
};

/** Before the first list, this is assumed. */
export const doesListTellStatus = ({ reads, computers, listFields }: AccountState) =>
	reads.list?.answer === undefined || computers.size === 0 || listFields.has('status');

export const isSideRead = ({ name }: Read) => readRows[name].scope === 'other' && name !== 'list';

type ReadHistory = {
	askedAt: number;
	answeredAt: number;
	isInFlight: boolean;
	backoff: Backoff | null;
};

function historyOf({ account, inFlight, sentAt, failures }: PlannerInput, read: Read): ReadHistory {
	const { name, id } = read;
	const key = readKey(read);
	const isAboutOne = id !== undefined && (name === 'status' || name === 'detail');
	const answer = isAboutOne ? account.computerReads.get(id)?.[name] : account.reads[name]?.answer;
	return {
		askedAt: sentAt.get(key) ?? never,
		answeredAt: answer?.at ?? never,
		isInFlight: inFlight.has(key),
		backoff: (isAboutOne ? failures.byComputer.get(key) : failures.byName.get(name)) ?? null,
	};
}

export type Plan = {
	reads: readonly Read[];
	nextPlanAt: number;
	listEveryMs: number;
	statusEveryMs: number;
};

const minuteMs = 60_000;

export const unattendedAfterMs = 5 * minuteMs;

const stuckAfterMs = 10 * minuteMs;

const never = Number.NEGATIVE_INFINITY;

const neverDue = Number.POSITIVE_INFINITY;

const maxUrgentShare = 11 / 12;
const maxOnScreenShare = 1 / 2;

const reservedShare = 1 / 30;
const reservedShareForNewScreen = 1 / 4;

// A few stuck computers must not use up the limit.
const maxUrgentMs = 60 * minuteMs;

const hungListMs = 3_000;

const listWithoutStatusIntervalMs = 20_000;

/** Lists read at most a thousand computers per second, and are in flight for a quarter of the time. */
const minMsPerListedComputer = 1;
const minIntervalInListDurations = 4;

const detailIntervalMs = 10_000;

const restMs = 1_000;

// Side reads, about the account or for details, share a limit with the list, which goes first.
const sideShare = 1 / 5;
export const maxSideReadBurst = 6;

const maxStartPauseMs = 1_500;

/** Enough for six quick retries. */
const turnKeptMs = minuteMs;

type Candidate = { id: string; dueAt: number; awaitedSince: number };

/**
 * Pure, so that weeks of planning can be simulated. The reads take the slots of each scope in this order:
 *
 * ```
 *   other   ┤ requested by a person │ reads about the account │ details │ the list takes the rest
 *   status  ┤ requested by a person │ urgent │ on screen │ all others
 * ```
 *
 * The list is the cheapest read: where it has the status, a single status is read only for what it lacks. Every read is
 * spread evenly over time, so that no computer waits forever.
 */
export function plan(input: PlannerInput, slots: ReadSlotsByScope, now: number): Plan {
	const { account, needs, attention, staleBefore, requested, requestsPerList } = input;
	const { sentAt, sideReadTimes, failures } = input;
	const { listFields, statusFields, detailFields } = account;
	const listHasStatus = doesListTellStatus(account);
	const detailHasStatus = detailFields?.has('status') ?? false;
	/** Before the first detail, details may add anything. */
	const addsFields =
		!detailFields ||
		[...detailFields].some(field => !statusFields.has(field) && !listFields.has(field));
	const mode = pollingModeOf(attention.attendedUntil, needs.movingSince, now);
	const computers = [...needs.computers.values()];

	const history = (read: Read) => historyOf(input, read);
	const lastSentFor = (purpose: ReadPurpose | 'detail') => sentAt.get(purpose) ?? never;

	const reads: Read[] = [];
	const left = { status: slots.status.free.read, other: slots.other.free.read };
	const requestedLeft = {
		status: slots.status.free.requestedRead,
		other: slots.other.free.requestedRead,
	};
	let nextPlanAt = Number.POSITIVE_INFINITY;

	function offer(
		read: Read,
		dueAt: number,
		{ requestCount = 1, reserved = 0, isRequested = false } = {},
	): boolean {
		const { scope } = readRows[read.name];
		if (dueAt > now) {
			nextPlanAt = Math.min(nextPlanAt, dueAt);
			return false;
		}
		if ((isRequested ? requestedLeft : left)[scope] < requestCount + reserved) {
			const { nextAt } = slots[scope];
			nextPlanAt = Math.min(nextPlanAt, isRequested ? nextAt.requestedRead : nextAt.read);
			return false;
		}
		if (reads.some(each => readKey(each) === readKey(read))) return false;
		left[scope] -= requestCount;
		requestedLeft[scope] -= requestCount;
		reads.push(read);
		return true;
	}

	const intervalOf = (name: Read['name'], inMode: PollingMode = mode) =>
		readRows[name].intervalMs[inMode];
	const onScreen = onScreenIn(input);

	// Side reads

	const sideRate = slots.other.readsPerMs * sideShare;

	function nextSideReadAt(): number {
		const { askedAt, isInFlight } = history({ name: 'list' });
		const hasTried = askedAt >= staleBefore && !isInFlight;
		const start = hasTried ? now : dueTimeAfter(staleBefore, maxStartPauseMs, now);
		const burst = Math.min(maxSideReadBurst, Math.max(1, Math.round(sideRate * minuteMs)));
		const place = burst - reads.filter(isSideRead).length;
		if (place <= 0) return now + 1 / sideRate;
		return Math.max(start, dueTimeAfter(sideReadTimes.at(-place) ?? never, burst / sideRate, now));
	}

	// The list

	const list = history({ name: 'list' });
	const accountReadRate = polledReadNames
		.map(name => {
			const usual = intervalOf(name);
			return 1 / (isDown(history({ name }).backoff) ? Math.min(usual, minuteMs) : usual);
		})
		.reduce((sum, rate) => sum + rate, 0);
	const listEveryMs = listInterval();

	function listInterval(): number {
		const { readsPerMs } = slots.other;
		const detailRate = addsFields ? 1 / detailIntervalMs : 0;
		const recent = sideReadTimes.filter(at => Math.abs(now - at) < minuteMs).length / minuteMs;
		const sides = Math.max(Math.min(accountReadRate + detailRate, sideRate), recent);
		const affordable = requestsPerList / Math.max(readsPerMs - sides, readsPerMs / 4);
		const { askedAt = 0, at = 0 } = account.reads.list?.answer ?? {};
		// A list of many pages waits for slots between its pages, so it says nothing about the time that it takes.
		const restMs = requestsPerList === 1 ? (at - askedAt) * minIntervalInListDurations : 0;
		const digestible = Math.max(
			computers.length * minMsPerListedComputer,
			Math.min(restMs, minuteMs),
		);
		const soonest = Math.max(intervalOf('list', 'moving'), affordable, digestible);
		if (needs.isListUrgent) return Math.max(intervalOf('status', 'moving'), soonest);
		if (listHasStatus) return Math.max(intervalOf('list'), soonest);
		return Math.max(listWithoutStatusIntervalMs, 2 * affordable, soonest);
	}

	function offerList() {
		if (list.isInFlight) return;
		const half = Math.floor((slots.other.readsPerMs * minuteMs) / 2);
		const requestCount = Math.max(1, Math.min(requestsPerList, half));
		offer({ name: 'list' }, dueTimeOf(list, listEveryMs), { requestCount });
	}

	function dueTimeOf({ askedAt, backoff, isInFlight }: ReadHistory, interval: number): number {
		if (isInFlight) return neverDue;
		if (backoff) return retryTimeOf(backoff, now);
		return askedAt < staleBefore ? now : dueTimeAfter(askedAt, interval, now);
	}

	// Details

	const detailOf = (id: string) => history({ name: 'detail', id });

	function detailDueAt({ id, lacksDetail }: ComputerNeeds, interval: number): number {
		const { askedAt, backoff, isInFlight } = detailOf(id);
		if (isInFlight) return neverDue;
		// What an earlier run has read counts as read at the start. Only the first detail shows whether details add anything.
		const isRestored = askedAt === never && !lacksDetail && detailFields !== undefined;
		const since = isRestored ? staleBefore : askedAt;
		return Math.max(dueTimeAfter(since, interval, now), retryTimeOf(backoff, now));
	}

	function offerDetail(id: string, dueAt: number, gap: number) {
		const free = gap > 0 ? dueTimeAfter(lastSentFor('detail'), gap, now) : never;
		const { backoff } = history({ name: 'detail' });
		const trial = isDown(backoff) ? retryTimeOf(backoff, now) : never;
		offer({ name: 'detail', id }, Math.max(dueAt, free, trial));
	}

	function offerDetailInTurn(all: readonly ComputerNeeds[], interval: number, gap: number) {
		const next = firstOf(all, computer => ({
			id: computer.id,
			dueAt: detailDueAt(computer, interval),
			awaitedSince: awaitedSince(detailOf(computer.id)),
		}));
		if (next) offerDetail(next.id, Math.max(next.dueAt, nextSideReadAt()), gap);
	}

	function planDetails() {
		const unread = onScreen.filter(({ lacksDetail }) => lacksDetail);
		const open = needs.computers.get(attention.detailId ?? '');
		if (open) {
			const isFirst = detailOf(open.id).askedAt === never;
			const rested = dueTimeAfter(attention.restingSince ?? never, restMs, now);
			const isOnlyUnread = unread.every(computer => computer === open);
			const usual = addsFields ? intervalOf('detail') : intervalOf('detail', 'unattended');
			const interval = usual * (isOnlyUnread ? 1 : 4);
			const waits = isFirst ? [] : [detailDueAt(open, interval), nextSideReadAt()];
			const dueAt = Math.max(rested, ...waits);
			if (!detailOf(open.id).isInFlight) offerDetail(open.id, dueAt, 0);
		}
		offerDetailInTurn(unread, intervalOf('detail'), detailIntervalMs);
		if (!addsFields) return;
		offerDetailInTurn(onScreen, intervalOf('detail', 'unattended'), detailIntervalMs);
		// Each of these reads costs a request that could have read a list of the whole fleet.
		offerDetailInTurn(computers, 60 * minuteMs, 3 * detailIntervalMs);
	}

	// Statuses

	const statusOf = (id: string) => history({ name: 'status', id });
	const isUrgent = ({ urgentSince }: ComputerNeeds) =>
		urgentSince !== null && now - urgentSince < maxUrgentMs;

	function statusInterval(computer: ComputerNeeds): number {
		const { urgentSince } = computer;
		if (urgentSince === null || !isUrgent(computer)) return intervalOf('status');
		return intervalOf('status', 'moving') * Math.max(1, (now - urgentSince) / stuckAfterMs);
	}

	function statusCandidate(computer: ComputerNeeds): Candidate {
		const { id } = computer;
		const status = statusOf(id);
		const detail = detailHasStatus ? detailOf(id) : undefined;
		const askedAt = Math.max(status.askedAt, detail?.askedAt ?? never);
		const dueAt = Math.max(
			dueTimeAfter(askedAt, statusInterval(computer), now),
			retryTimeOf(status.backoff, now),
		);
		const since = Math.max(awaitedSince(status), detail ? awaitedSince(detail) : never);
		return { id, dueAt: status.isInFlight ? neverDue : dueAt, awaitedSince: since };
	}

	function firstOf(
		all: readonly ComputerNeeds[],
		candidateOf: (computer: ComputerNeeds) => Candidate,
	): Candidate | undefined {
		let first: Candidate | undefined;
		for (const computer of all) {
			const next = candidateOf(computer);
			if (next.dueAt === neverDue) continue;
			const isBefore =
				!first ||
				(next.dueAt > now
					? next.dueAt < first.dueAt
					: first.dueAt > now || next.awaitedSince < first.awaitedSince);
			if (isBefore) first = next;
		}
		return first;
	}

	const offerStatus = (id: string, purpose: ReadPurpose, dueAt: number, reserved = 0) =>
		offer({ name: 'status', id, purpose }, dueAt, { reserved });

	function offerEvenly(next: Candidate | undefined, purpose: ReadPurpose, rate: number, least = 0) {
		if (!next || rate <= 0) return;
		const free = dueTimeAfter(lastSentFor(purpose), 1 / rate, now);
		offerStatus(next.id, purpose, Math.max(next.dueAt, free), least);
	}

	const statusSlots = slots.status.readsPerMs * minuteMs;
	const leastLeft = Math.ceil(statusSlots * reservedShare);
	const leftForNewScreen = () => {
		const most = Math.floor(statusSlots * (1 - reservedShareForNewScreen));
		return Math.max(left.status - most, statusSlots - most);
	};

	/**
	 * If the list has the status, only urgent and unread ones are read. Otherwise the one of each kind that has waited
	 * longest:
	 *
	 * ```
	 *   ├──────────── urgent, up to 11/12 ────────────┤─ on screen ─┤─ the rest ─┤ 1/30 held back
	 * ```
	 */
	function planStatuses() {
		const isHung = list.isInFlight && now - list.askedAt > hungListMs;
		const isTelling = listHasStatus && !isHung && !list.backoff;
		const { backoff } = history({ name: 'status' });
		if (isDown(backoff)) {
			planStatusRetry(isTelling, retryTimeOf(backoff, now));
			return;
		}
		const { readsPerMs } = slots.status;
		const rate = Math.max(
			readsPerMs * (1 - reservedShare) - planUrgentReads(),
			readsPerMs * (1 - maxUrgentShare),
		);
		if (!isTelling) planOtherStatuses(rate);
		else planUnreadStatuses(rate);
		// The screen shows that statuses cannot be read until one is read again.
		if (isTelling && backoff) planStatusRetry(isTelling, retryTimeOf(backoff, now));
	}

	function planUrgentReads(): number {
		const urgent = computers.filter(isUrgent);
		const demand = urgent.reduce((sum, each) => sum + 1 / statusInterval(each), 0);
		const rate = Math.min(demand, slots.status.readsPerMs * maxUrgentShare);
		if (demand > rate) {
			offerEvenly(firstOf(urgent, statusCandidate), 'urgent', rate);
			return rate;
		}
		for (const computer of urgent)
			offerStatus(computer.id, 'urgent', statusCandidate(computer).dueAt);
		return rate;
	}

	function planUnreadStatuses(rate: number) {
		const unread = computers
			.filter(each => each.statusNeed && !isUrgent(each))
			.map(({ id, statusNeed }) => {
				const { askedAt, backoff, isInFlight } = statusOf(id);
				const isInSight = onScreen.some(each => each.id === id);
				const due = dueTimeAfter(askedAt, intervalOf('status', 'calm'), now);
				return {
					id,
					isInSight,
					askedAt,
					dueAt: isInFlight ? neverDue : Math.max(due, retryTimeOf(backoff, now)),
					// A computer whose reads keep failing waits until all others have been read.
					rank: (statusNeed ?? 0) + (isInSight ? 0 : 10) + (isDown(backoff) ? 20 : 0),
				};
			})
			.sort((a, b) => a.rank - b.rank || a.askedAt - b.askedAt);
		const reserved = leftForNewScreen();
		for (const { id, isInSight, dueAt } of unread)
			if (isInSight) offerStatus(id, 'attended', dueAt, reserved);
		const [soonest] = unread.toSorted((a, b) => a.dueAt - b.dueAt);
		const next = unread.find(({ dueAt }) => dueAt <= now) ?? soonest;
		offerEvenly(next && { ...next, awaitedSince: next.askedAt }, 'rest', rate, leastLeft);
	}

	function planOtherStatuses(rate: number) {
		const others = computers.filter(each => !isUrgent(each));
		const attended = onScreen.filter(each => !isUrgent(each));
		if (!listHasStatus || isDown(list.backoff)) {
			const reserved = leftForNewScreen();
			for (const computer of attended)
				if (statusOf(computer.id).askedAt < staleBefore)
					offerStatus(computer.id, 'attended', statusCandidate(computer).dueAt, reserved);
		}
		const most = others.length > attended.length ? rate * maxOnScreenShare : rate;
		const attendedRate = Math.min(attended.length / intervalOf('status', 'moving'), most);
		offerEvenly(firstOf(attended, statusCandidate), 'attended', attendedRate, leastLeft);
		offerEvenly(firstOf(others, statusCandidate), 'rest', rate - attendedRate, leastLeft);
	}

	/** One at a time, first the computer with the fewest failures. Any read shows when the platform answers again. */
	function planStatusRetry(isTelling: boolean, retryAt: number) {
		const needed = computers.filter(each => !isTelling || each.statusNeed || isUrgent(each));
		const all = needed.length > 0 ? needed : computers;
		if (all.some(({ id }) => statusOf(id).isInFlight)) return;
		const failureCount = ({ id }: ComputerNeeds) => statusOf(id).backoff?.failureCount ?? 0;
		const [next] = all.toSorted(
			(a, b) =>
				failureCount(a) - failureCount(b) || statusOf(a.id).askedAt - statusOf(b.id).askedAt,
		);
		if (next) offerStatus(next.id, 'rest', Math.max(statusCandidate(next).dueAt, retryAt));
	}

	/** The list and the credits take turns, because the credits may be answered when a list is too large. */
	function planOutageProbe(dueAt: number) {
		const credits = history({ name: 'credits' });
		if (list.isInFlight || credits.isInFlight) return;
		const name = list.askedAt > credits.askedAt ? 'credits' : 'list';
		if (offer({ name }, dueAt) || left.other > 0) return;
		const all = computers.map(({ id }) => ({ id, ...statusOf(id) }));
		const [next] = all.toSorted((a, b) => a.askedAt - b.askedAt);
		if (next && !all.some(({ isInFlight }) => isInFlight)) offerStatus(next.id, 'rest', dueAt);
	}

	if (failures.outage) {
		planOutageProbe(retryTimeOf(failures.outage, now));
	} else {
		for (const read of requested) {
			const { backoff, isInFlight } = history(read);
			const isGone = read.id !== undefined && !needs.computers.has(read.id);
			if (isInFlight || isGone) continue;
			offer(read, retryTimeOf(backoff, now), { isRequested: true });
		}
		if (list.askedAt < staleBefore) offerList();
		for (const name of polledReadNames) {
			const dueAt = dueTimeOf(history({ name }), intervalOf(name));
			if (dueAt !== neverDue) offer({ name }, Math.max(dueAt, nextSideReadAt()));
		}
		planDetails();
		offerList();
		planStatuses();
	}
	const round = computers.length / slots.status.readsPerMs;
	const statusEveryMs = listHasStatus ? listEveryMs : Math.max(intervalOf('status'), round);
	return { reads, nextPlanAt, listEveryMs, statusEveryMs };
}

function onScreenIn({ needs, attention: { visibleIds, detailId = '' } }: PlannerInput) {
	return [...new Set([detailId, ...visibleIds])].flatMap(id => needs.computers.get(id) ?? []);
}

/** A computer whose reads have failed for long goes to the end of the line. */
function awaitedSince({ askedAt, answeredAt, backoff }: ReadHistory): number {
	const hasLostTurn = backoff && backoff.failedAt - backoff.firstFailedAt >= turnKeptMs;
	return hasLostTurn ? askedAt : answeredAt;
}

/** The platform's web page, scripts and other people spend the same limits. */
export const modeShares: Readonly<Record<PollingMode, number>> = {
	moving: 1,
	calm: 1 / 2,
	unattended: 1 / 4,
};

export const shareWhenAlone = 1 / 4;

export function pollingModeOf(
	attendedUntil: number,
	movingSince: number | null,
	now: number,
): PollingMode {
	if (now >= attendedUntil) return 'unattended';
	return movingSince !== null && now - movingSince < stuckAfterMs ? 'moving' : 'calm';
}
