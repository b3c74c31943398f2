import {
	changingPhases,
	fieldsToldBy,
	isNotRead,
	type Phase,
	type ReadingField,
} from '../fleet/computers/computer.ts';
import { isUnderWay } from '../fleet/operations/operation.ts';
import {
	isComputerRead,
	type PollingMode,
	polledReads,
	type ReadName,
	readNames,
	readRows,
} from '../fleet/reads.ts';
import { minuteMs } from '../foundation/duration.ts';
import { dueTimeAfter } from '../foundation/failure.ts';
import type { Slots } from '../limits/limiter.ts';
import { outageOf } from '../store/freshness.ts';
import type { AccountState, ComputerState, FailureStreak } from '../store/state.ts';

type ReadPurpose = 'urgent' | 'attended' | 'rest';

export type Read = { name: ReadName; id?: string; purpose?: ReadPurpose };

export const readKey = ({ name, id }: Read) => (id === undefined ? name : `${name} ${id}`);

export type Attention = {
	visibleIds: readonly string[];
	views: readonly string[];
	detailId?: string;
	restingSince?: number;
	attendedUntil: number;
	/** Whether the person who looks can change nothing there. */
	isReadOnly?: boolean;
};

export type ReadSlots = Pick<Slots, 'free' | 'nextAt' | 'readsPerMs'>;
export type ReadSlotsByScope = Readonly<Record<'status' | 'other', ReadSlots>>;

export type PlannerInput = {
	account: AccountState;
	attention: Attention;
	mode: PollingMode;
	inFlight: ReadonlySet<string>;
	sentAt: ReadonlyMap<string, number>;
	sideReadTimes: readonly number[];
	requested: readonly Read[];
	/** Earlier failures do not delay the next try. */
	requestedAt: number;
	/** Earlier answers count as old, and earlier failures as over. */
	staleBefore: number;
	requestsPerList: number;
};

export type Plan = {
	reads: readonly Read[];
	nextPlanAt: number;
	listEveryMs: number;
	statusEveryMs: number;
};

export const unattendedAfterMs = 5 * minuteMs;

const stuckAfterMs = 10 * minuteMs;

const never = 0;

const neverDue = Number.POSITIVE_INFINITY;

// A few stuck computers must not use up the limit.
const maxUrgentMs = 60 * minuteMs;
const maxUrgentShare = 11 / 12;

const maxOnScreenShare = 1 / 2;

const hungListMs = 3_000;

const listWithoutStatusIntervalMs = 20_000;

/** A list is in flight for a quarter of the time at most. */
const minIntervalInListDurations = 4;

const detailGapMs = 10_000;

const restMs = 1_000;

// Side reads, about the account or for details, share a limit with the list, which goes first.
const sideShare = 1 / 5;
export const maxSideReadsPerMinute = 6;

export const isSideRead = ({ name }: Read) => readRows[name].scope === 'other' && name !== 'list';

export const doesListTellStatus = ({ reads, computers, listFields }: AccountState) =>
	reads.list?.answer === undefined || computers.size === 0 || listFields.has('status');

const isDown = (failing: FailureStreak | undefined) => (failing?.attempts ?? 0) >= 3;

export function failingRead(
	{ reads, computerReads }: AccountState,
	{ name, id }: Read,
	now: number,
): FailureStreak | undefined {
	const isAboutOne = id !== undefined && isComputerRead(name);
	const failing = isAboutOne ? computerReads.get(id)?.failing?.[name] : reads[name]?.failing;
	return failing && failing.lastFailedAt <= now ? failing : undefined;
}

export const outageProbes = readNames
	.filter(name => readRows[name].isTriedInOutage)
	.map(name => ({ name }));

type Tries = Pick<PlannerInput, 'account' | 'sentAt' | 'staleBefore' | 'requestedAt'>;

/** While no read is answered, only one at a time is sent. */
export function outageRetryAt(
	{ account, sentAt, staleBefore, requestedAt }: Tries,
	now: number,
): number | undefined {
	const { streak, isOnlyThisRead, retryAt = now } = outageOf(account, now) ?? {};
	const lastTryAt = Math.max(...outageProbes.map(({ name }) => sentAt.get(name) ?? never));
	if (!streak || isOnlyThisRead || lastTryAt < staleBefore || streak.lastFailedAt > now)
		return undefined;
	if (!['offline', 'auth'].includes(streak.failure.kind)) return undefined;
	return lastTryAt < requestedAt ? now : retryAt;
}

// The reads take the slots of each scope in this order. Of several computers, the one comes first whose read was sent
// longest ago, so none waits forever.
//
//   other   ┤ requested by a person │ the list │ reads about the account │ details
//   status  ┤ requested by a person │ urgent │ on screen │ all others
export function plan(input: PlannerInput, slots: ReadSlotsByScope, now: number): Plan {
	const { account, attention, mode, inFlight, sentAt, sideReadTimes, staleBefore } = input;
	const { listFields, statusFields, detailFields } = account;
	const listHasStatus = doesListTellStatus(account);
	const detailAddsFields =
		!detailFields ||
		[...detailFields].some(field => !statusFields.has(field) && !listFields.has(field));
	const computers = [...account.computers.values()].filter(isReadAlone);
	const onScreen = [...new Set([attention.detailId ?? '', ...attention.visibleIds])]
		.flatMap(id => account.computers.get(id) ?? [])
		.filter(isReadAlone);

	const reads: Read[] = [];
	const left = { status: slots.status.free.read, other: slots.other.free.read };
	const requestedLeft = {
		status: slots.status.free.requestedRead,
		other: slots.other.free.requestedRead,
	};
	let nextPlanAt = Number.POSITIVE_INFINITY;

	function offer(read: Read, dueAt: number, { requestCount = 1, isRequested = false } = {}): void {
		const { scope } = readRows[read.name];
		if (dueAt > now) {
			nextPlanAt = Math.min(nextPlanAt, dueAt);
			return;
		}
		if ((isRequested ? requestedLeft : left)[scope] < requestCount) {
			const { nextAt } = slots[scope];
			nextPlanAt = Math.min(nextPlanAt, isRequested ? nextAt.requestedRead : nextAt.read);
			return;
		}
		if (reads.some(each => readKey(each) === readKey(read))) return;
		left[scope] -= requestCount;
		requestedLeft[scope] -= requestCount;
		reads.push(read);
	}

	const intervalOf = (name: Read['name'], inMode: PollingMode = mode) =>
		readRows[name].intervalMs[inMode];
	const askedAt = (read: Read) => sentAt.get(readKey(read)) ?? never;
	const failing = (read: Read) =>
		askedAt(read) < Math.max(staleBefore, input.requestedAt)
			? undefined
			: failingRead(account, read, now);

	function dueAt(read: Read, interval: number): number {
		if (inFlight.has(readKey(read))) return neverDue;
		const failure = failing(read);
		if (failure) return failure.nextAt ?? now;
		return askedAt(read) < staleBefore ? now : dueTimeAfter(askedAt(read), interval, now);
	}

	/** The first that is due, once a read of this purpose may follow the one before. */
	function offerEvenly(
		purpose: ReadPurpose | 'detail',
		readsPerMs: number,
		findReads: () => readonly DueRead[],
	) {
		if (readsPerMs <= 0) return;
		const scope = purpose === 'detail' ? 'other' : 'status';
		const mayFollowAt = dueTimeAfter(sentAt.get(purpose) ?? never, 1 / readsPerMs, now);
		const freeAt = Math.max(mayFollowAt, left[scope] < 1 ? slots[scope].nextAt.read : now);
		if (freeAt > now) {
			nextPlanAt = Math.min(nextPlanAt, freeAt);
			return;
		}
		const all = findReads();
		const soonest = Math.min(...all.map(({ dueAt }) => dueAt));
		const next = all.find(each => each.dueAt <= now) ?? all.find(each => each.dueAt === soonest);
		if (next) offer(next.read, next.dueAt);
	}

	// The list

	const polled = polledReads(attention.views);
	const list: Read = { name: 'list' };
	const listEveryMs = listInterval();

	function listInterval(): number {
		const { readsPerMs } = slots.other;
		const details = detailAddsFields ? 1 / detailGapMs : 0;
		const usual = polled.reduce((sum, name) => sum + 1 / intervalOf(name), details);
		const recent = sideReadTimes.filter(at => Math.abs(now - at) < minuteMs).length / minuteMs;
		const sides = Math.max(Math.min(usual, readsPerMs * sideShare), recent);
		const spare = Math.max(readsPerMs - sides, readsPerMs / 4);
		const { askedAt: asked = 0, at = 0 } = account.reads.list?.answer ?? {};
		// A list of many pages waits for slots between them.
		const taken = input.requestsPerList === 1 ? Math.min(at - asked, minuteMs) : 0;
		return Math.max(
			listHasStatus ? intervalOf('list') : listWithoutStatusIntervalMs,
			input.requestsPerList / spare,
			taken * minIntervalInListDurations,
		);
	}

	function planList() {
		const half = Math.floor((slots.other.readsPerMs * minuteMs) / 2);
		const requestCount = Math.max(1, Math.min(input.requestsPerList, half));
		offer(list, dueAt(list, listEveryMs), { requestCount });
	}

	// Side reads

	const sidesPerMinute = Math.min(
		maxSideReadsPerMinute,
		Math.max(1, Math.round(slots.other.readsPerMs * sideShare * minuteMs)),
	);

	function nextSideReadAt(): number {
		const place = sidesPerMinute - reads.filter(isSideRead).length;
		if (place <= 0) return now + minuteMs / sidesPerMinute;
		return dueTimeAfter(sideReadTimes.at(-place) ?? never, minuteMs, now);
	}

	function planDetails() {
		const rare = intervalOf('detail', 'unattended');
		const open = onScreen.find(({ id }) => id === attention.detailId);
		if (open) {
			const read: Read = { name: 'detail', id: open.id };
			const interval = detailAddsFields ? intervalOf('detail') : rare;
			const rested = dueTimeAfter(attention.restingSince ?? never, restMs, now);
			const isFirst = askedAt(read) === never;
			const inTurnAt = isFirst ? dueAt(read, 0) : Math.max(dueAt(read, interval), nextSideReadAt());
			offer(read, Math.max(rested, inTurnAt));
		}
		const inTurn = (all: readonly ComputerState[], interval: number) => {
			const sideReadAt = nextSideReadAt();
			return all
				.map(({ id }): DueRead & { asked: number } => {
					const read: Read = { name: 'detail', id };
					return { read, dueAt: Math.max(dueAt(read, interval), sideReadAt), asked: askedAt(read) };
				})
				.sort((a, b) => a.asked - b.asked);
		};
		offerEvenly('detail', 1 / detailGapMs, () => {
			const unread = onScreen.filter(each => lacksDetail(each, listFields));
			const others = detailAddsFields
				? [...inTurn(onScreen, rare), ...inTurn(computers, 60 * minuteMs)]
				: [];
			return [...inTurn(unread, intervalOf('detail')), ...others];
		});
	}

	// Statuses

	const unsettled = unsettledSince(account);
	const urgentSince = ({ id, phase, since }: ComputerState): number | undefined => {
		// A list with the status shows all changes of a phase, but not the stages of a creation.
		const phases: readonly Phase[] = listFields.has('status') ? ['creating'] : changingPhases;
		const start = unsettled.get(id) ?? (phases.includes(phase) ? since.at : undefined);
		return start !== undefined && now - start < maxUrgentMs ? start : undefined;
	};

	function planStatuses() {
		const isHung = inFlight.has('list') && now - askedAt(list) > hungListMs;
		const isTelling = listHasStatus && !isHung && !failing(list);
		const needOf = (computer: ComputerState) => (isTelling ? statusNeed(computer, account) : 0);
		const candidateOf = (computer: ComputerState) => {
			const { id } = computer;
			const since = urgentSince(computer);
			return { id, since, need: needOf(computer), asked: askedAt({ name: 'status', id }) };
		};
		type Candidate = ReturnType<typeof candidateOf>;
		const intervalFor = ({ since }: Candidate) =>
			since === undefined
				? intervalOf('status')
				: intervalOf('status', 'moving') * Math.max(1, (now - since) / stuckAfterMs);
		const dueReadFor = (purpose: ReadPurpose) => (candidate: Candidate) => {
			const read: Read = { name: 'status', id: candidate.id, purpose };
			return { read, dueAt: dueAt(read, intervalFor(candidate)) };
		};

		const wanted = computers
			.filter(each => urgentSince(each) !== undefined || needOf(each) !== undefined)
			.map(candidateOf);
		const failure = failing({ name: 'status' });
		// One at a time shows when the platform answers again.
		if (failure && (isDown(failure) || wanted.length === 0)) {
			const all = wanted.length > 0 ? wanted : computers.map(candidateOf);
			if (all.some(({ id }) => inFlight.has(readKey({ name: 'status', id })))) return;
			const [next] = all.toSorted((a, b) => a.asked - b.asked).map(dueReadFor('rest'));
			if (next) offer(next.read, Math.max(next.dueAt, failure.nextAt ?? now));
			return;
		}

		wanted.sort((a, b) => (a.need ?? 0) - (b.need ?? 0) || a.asked - b.asked);
		const { readsPerMs } = slots.status;
		const urgent = wanted.filter(({ since }) => since !== undefined);
		const demand = urgent.reduce((sum, each) => sum + 1 / intervalFor(each), 0);
		const urgentRate = Math.min(demand, readsPerMs * maxUrgentShare);
		if (demand > urgentRate)
			offerEvenly('urgent', urgentRate, () => urgent.map(dueReadFor('urgent')));
		else for (const { read, dueAt: at } of urgent.map(dueReadFor('urgent'))) offer(read, at);

		const others = wanted.filter(({ since }) => since === undefined);
		const visible = new Set(onScreen.map(({ id }) => id));
		const attended = others.filter(({ id }) => visible.has(id));
		for (const { read, dueAt: at } of attended
			.filter(({ asked }) => asked < staleBefore)
			.map(dueReadFor('attended')))
			offer(read, at);
		const rate = readsPerMs - urgentRate;
		const most = others.length > attended.length ? rate * maxOnScreenShare : rate;
		const attendedRate = Math.min(attended.length / intervalOf('status', 'moving'), most);
		offerEvenly('attended', attendedRate, () => attended.map(dueReadFor('attended')));
		offerEvenly('rest', rate - attendedRate, () => others.map(dueReadFor('rest')));
	}

	const retryAt = outageRetryAt(input, now);
	if (retryAt !== undefined) {
		const [next] = outageProbes.toSorted((a, b) => askedAt(a) - askedAt(b));
		if (next && !outageProbes.some(each => inFlight.has(readKey(each)))) offer(next, retryAt);
	} else {
		for (const read of input.requested) {
			const isKnown = read.id === undefined || computers.some(({ id }) => id === read.id);
			if (isKnown && !inFlight.has(readKey(read)))
				offer(read, failing(read)?.nextAt ?? now, { isRequested: true });
		}
		planList();
		for (const name of polled)
			offer({ name }, Math.max(dueAt({ name }, intervalOf(name)), nextSideReadAt()));
		planDetails();
		planStatuses();
	}
	const round = computers.length / slots.status.readsPerMs;
	const statusEveryMs = listHasStatus ? listEveryMs : Math.max(intervalOf('status'), round);
	return { reads, nextPlanAt, listEveryMs, statusEveryMs };
}

type DueRead = { read: Read; dueAt: number };

/** Archived computers are not read. */
const isReadAlone = ({ phase }: ComputerState) => phase !== 'archived';

function unsettledSince({ operations }: AccountState): ReadonlyMap<string | undefined, number> {
	return new Map(
		[...operations.values()]
			.filter(({ stage }) => ['sent', 'accepted', 'unknown'].includes(stage))
			.map(({ spec, sentAt, askedAt }) => [spec.computer, sentAt ?? askedAt]),
	);
}

const lacksDetail = (computer: ComputerState, listFields: ReadonlySet<ReadingField>): boolean =>
	listFields.size > 0 &&
	fieldsToldBy('detail', computer.phase).some(field => isNotRead(field, computer, listFields));

/** In the order in which they are read. */
const statusNeeds = { reason: 1, version: 2, otherVersion: 3, newerVersion: 4 } as const;

function statusNeed(
	{ phase, reading: { error, version }, statusReadFor }: ComputerState,
	{ listFields, release }: AccountState,
): number | undefined {
	if (phase === 'creating' || !listFields.has('status')) return undefined;
	const isRead = statusReadFor !== undefined;
	const isReasonListed = listFields.has('error') && error !== undefined;
	if (phase === 'error' && !isRead && !isReasonListed) return statusNeeds.reason;
	if (phase !== 'active')
		return isRead || version !== undefined ? undefined : statusNeeds.otherVersion;
	if (listFields.has('version') && version !== undefined) return undefined;
	if (!isRead) return statusNeeds.version;
	return !release || statusReadFor === release.version ? undefined : statusNeeds.newerVersion;
}

/** The platform's web page, scripts and other people spend the same limits. */
export const modeShares: Readonly<Record<PollingMode, number>> = {
	moving: 1,
	calm: 1 / 2,
	unattended: 1 / 4,
};

/** What has been stuck for long no longer moves. */
export function pollingModeOf(
	{ operations, computers }: AccountState,
	attendedUntil: number,
	now: number,
): PollingMode {
	if (now >= attendedUntil) return 'unattended';
	const isMoving =
		[...operations.values()].some(
			each => isUnderWay(each) && now - (each.sentAt ?? each.askedAt) < stuckAfterMs,
		) ||
		[...computers.values()].some(
			({ phase, since }) => phase === 'creating' && now - since.at < stuckAfterMs,
		);
	return isMoving ? 'moving' : 'calm';
}
