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

type Candidate = {
	read: Read;
	dueAt: number;
	/** Of the candidates that are due, the lowest rank goes first, and then the one that has waited longest. */
	rank: number;
	waitsSince: number;
};

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
	/** Before the first detail, details may add anything. */
	const addsFields =
		!detailFields ||
		[...detailFields].some(field => !statusFields.has(field) && !listFields.has(field));
	const mode = pollingModeOf(attention.attendedUntil, needs.movingSince, now);
	const computers = [...needs.computers.values()];

	const history = (read: Read) => historyOf(input, read);

	const reads: Read[] = [];
	const spent = { status: 0, other: 0 };
	let nextPlanAt = Number.POSITIVE_INFINITY;

	function offer(
		read: Read,
		dueAt: number,
		{ requestCount = 1, reserved = 0, isRequested = false } = {},
	): boolean {
		const { scope } = readRows[read.name];
		const key = readKey(read);
		if (input.inFlight.has(key) || reads.some(each => readKey(each) === key)) return false;
		if (dueAt > now) {
			nextPlanAt = Math.min(nextPlanAt, dueAt);
			return false;
		}
		const { free, nextAt } = slots[scope];
		const priority = isRequested ? 'requestedRead' : 'read';
		if (free[priority] - spent[scope] < requestCount + reserved) {
			nextPlanAt = Math.min(nextPlanAt, nextAt[priority]);
			return false;
		}
		spent[scope] += requestCount;
		reads.push(read);
		return true;
	}

	/** The candidate whose turn it is, if the last read with its purpose was sent long enough ago. */
	function offerInTurn(
		candidates: readonly Candidate[],
		gap: number,
		{ notBefore = never, reserved = 0 } = {},
	) {
		const due = candidates.filter(({ dueAt }) => dueAt <= now);
		const [next] =
			due.length > 0
				? due.sort((a, b) => a.rank - b.rank || a.waitsSince - b.waitsSince)
				: candidates.toSorted((a, b) => a.dueAt - b.dueAt);
		if (!next || !Number.isFinite(gap)) return;
		const { name, purpose = name } = next.read;
		const free = dueTimeAfter(sentAt.get(purpose) ?? never, gap, now);
		offer(next.read, Math.max(next.dueAt, free, notBefore), { reserved });
	}

	/** A failed read waits until it may be tried again, and any other for its interval. */
	function dueAtOf(read: Read, interval: number, askedAt = history(read).askedAt): number {
		const { backoff, isInFlight } = history(read);
		if (isInFlight) return neverDue;
		return backoff ? retryTimeOf(backoff, now) : dueTimeAfter(askedAt, interval, now);
	}

	/** A computer whose reads keep failing goes to the end of the line. */
	function candidateOf(read: Read, dueAt: number, rank = 0): Candidate {
		const { askedAt, answeredAt, backoff } = history(read);
		return { read, dueAt, rank, waitsSince: isDown(backoff) ? askedAt : answeredAt };
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
	const accountReadRate = polledReadNames.reduce((rate, name) => rate + 1 / intervalOf(name), 0);
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
		const half = Math.floor((slots.other.readsPerMs * minuteMs) / 2);
		const requestCount = Math.max(1, Math.min(requestsPerList, half));
		offer({ name: 'list' }, dueAtOfPolled('list', listEveryMs), { requestCount });
	}

	function dueAtOfPolled(name: Read['name'], interval: number): number {
		const { askedAt } = history({ name });
		return dueAtOf({ name }, interval, askedAt < staleBefore ? never : askedAt);
	}

	// Details

	function detailCandidate({ id, lacksDetail }: ComputerNeeds, interval: number): Candidate {
		const read: Read = { name: 'detail', id };
		const { askedAt } = history(read);
		// What an earlier run has read counts as read at the start. Only the first detail shows whether details add anything.
		const isRestored = askedAt === never && !lacksDetail && detailFields !== undefined;
		return candidateOf(read, dueAtOf(read, interval, isRestored ? staleBefore : askedAt));
	}

	function offerDetailInTurn(all: readonly ComputerNeeds[], interval: number, gap: number) {
		const { backoff } = history({ name: 'detail' });
		const trialAt = isDown(backoff) ? retryTimeOf(backoff, now) : never;
		const candidates = all.map(computer => detailCandidate(computer, interval));
		offerInTurn(candidates, gap, { notBefore: Math.max(trialAt, nextSideReadAt()) });
	}

	function planDetails() {
		const unread = onScreen.filter(({ lacksDetail }) => lacksDetail);
		const open = needs.computers.get(attention.detailId ?? '');
		if (open) {
			const read: Read = { name: 'detail', id: open.id };
			const isOnlyUnread = unread.every(computer => computer === open);
			const usual = intervalOf('detail', addsFields ? mode : 'unattended');
			if (history(read).askedAt === never)
				offer(read, dueTimeAfter(attention.restingSince ?? never, restMs, now));
			else offerDetailInTurn([open], usual * (isOnlyUnread ? 1 : 4), 0);
		}
		offerDetailInTurn(unread, intervalOf('detail'), detailIntervalMs);
		if (!addsFields) return;
		offerDetailInTurn(onScreen, intervalOf('detail', 'unattended'), detailIntervalMs);
		// Each of these reads costs a request that could have read a list of the whole fleet.
		offerDetailInTurn(computers, 60 * minuteMs, 3 * detailIntervalMs);
	}

	// Statuses

	const isUrgent = ({ urgentSince }: ComputerNeeds) =>
		urgentSince !== null && now - urgentSince < maxUrgentMs;

	function statusInterval(computer: ComputerNeeds): number {
		const { urgentSince } = computer;
		if (urgentSince === null || !isUrgent(computer)) return intervalOf('status');
		return intervalOf('status', 'moving') * Math.max(1, (now - urgentSince) / stuckAfterMs);
	}

	function statusCandidate(computer: ComputerNeeds, purpose: ReadPurpose, rank = 0): Candidate {
		const read: Read = { name: 'status', id: computer.id, purpose };
		return candidateOf(read, dueAtOf(read, statusInterval(computer)), rank);
	}

	const statusSlots = slots.status.readsPerMs * minuteMs;
	const leastLeft = Math.ceil(statusSlots * reservedShare);
	const leftForNewScreen = () => {
		const most = Math.floor(statusSlots * (1 - reservedShareForNewScreen));
		return Math.max(slots.status.free.read - spent.status - most, statusSlots - most);
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
		if (!isDown(backoff)) {
			const { readsPerMs } = slots.status;
			const rate = Math.max(
				readsPerMs * (1 - reservedShare) - planUrgentReads(),
				readsPerMs * (1 - maxUrgentShare),
			);
			if (isTelling) planUnreadStatuses(rate);
			else planOtherStatuses(rate);
		}
		// The screen shows that statuses cannot be read until one is read again.
		if (!backoff || !(isTelling || isDown(backoff))) return;
		const needed = computers.filter(each => !isTelling || each.statusNeed || isUrgent(each));
		probeStatuses(needed.length > 0 ? needed : computers, retryTimeOf(backoff, now));
	}

	function planUrgentReads(): number {
		const urgent = computers.filter(isUrgent);
		const candidates = urgent.map(computer => statusCandidate(computer, 'urgent'));
		const demand = urgent.reduce((sum, each) => sum + 1 / statusInterval(each), 0);
		const rate = Math.min(demand, slots.status.readsPerMs * maxUrgentShare);
		if (demand > rate) offerInTurn(candidates, 1 / rate);
		else for (const { read, dueAt } of candidates) offer(read, dueAt);
		return rate;
	}

	function planUnreadStatuses(rate: number) {
		const unread = computers.filter(each => each.statusNeed && !isUrgent(each));
		const inSight = unread.filter(each => onScreen.includes(each));
		const candidatesOf = (all: readonly ComputerNeeds[], purpose: ReadPurpose) =>
			all.map(each => {
				const place = inSight.includes(each) ? 0 : 10;
				return statusCandidate(each, purpose, (each.statusNeed ?? 0) + place);
			});
		const reserved = leftForNewScreen();
		for (const { read, dueAt } of candidatesOf(inSight, 'attended').sort((a, b) => a.rank - b.rank))
			offer(read, dueAt, { reserved });
		offerInTurn(candidatesOf(unread, 'rest'), 1 / rate, { reserved: leastLeft });
	}

	function planOtherStatuses(rate: number) {
		const others = computers.filter(each => !isUrgent(each));
		const attended = onScreen
			.filter(each => !isUrgent(each))
			.map(each => statusCandidate(each, 'attended'));
		if (!listHasStatus || isDown(list.backoff)) {
			const reserved = leftForNewScreen();
			for (const { read, dueAt } of attended)
				if (history(read).askedAt < staleBefore) offer(read, dueAt, { reserved });
		}
		const most = others.length > attended.length ? rate * maxOnScreenShare : rate;
		const attendedRate = Math.min(attended.length / intervalOf('status', 'moving'), most);
		offerInTurn(attended, 1 / attendedRate, { reserved: leastLeft });
		const rest = others.map(each => statusCandidate(each, 'rest'));
		offerInTurn(rest, 1 / (rate - attendedRate), { reserved: leastLeft });
	}

	/** One at a time, first the computer with the fewest failures. Any read shows when the platform answers again. */
	function probeStatuses(all: readonly ComputerNeeds[], dueAt: number) {
		const candidates = all.map(({ id }) => {
			const read: Read = { name: 'status', id, purpose: 'rest' };
			return candidateOf(read, dueAt, history(read).backoff?.failureCount);
		});
		if (!candidates.some(({ read }) => history(read).isInFlight)) offerInTurn(candidates, 0);
	}

	/** The list and the credits take turns, because the credits may be answered when a list is too large. */
	function planOutageProbe(dueAt: number) {
		const credits = history({ name: 'credits' });
		if (list.isInFlight || credits.isInFlight) return;
		const name = list.askedAt > credits.askedAt ? 'credits' : 'list';
		if (!offer({ name }, dueAt) && slots.other.free.read <= spent.other)
			probeStatuses(computers, dueAt);
	}

	if (failures.outage) {
		planOutageProbe(retryTimeOf(failures.outage, now));
	} else {
		for (const read of requested) {
			const isGone = read.id !== undefined && !needs.computers.has(read.id);
			if (!isGone) offer(read, retryTimeOf(history(read).backoff, now), { isRequested: true });
		}
		if (list.askedAt < staleBefore) offerList();
		for (const name of polledReadNames) {
			const dueAt = dueAtOfPolled(name, intervalOf(name));
			offer({ name }, Math.max(dueAt, nextSideReadAt()));
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
