import { type Change, computerIdOf, type StatusChange } from '../fleet/change.ts';
import { phaseOf, readingFields } from '../fleet/computers/computer.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { grouped } from '../foundation/grouped.ts';
import { type AccountState, type ComputerState, emptyAccount } from './state.ts';

type Told = Pick<StatusChange, 'reason' | 'error'> & { status: string | undefined };

/** A time in which the status of a computer is known. */
type Stretch = Told & { from: number; to: number; isLowerBound: boolean };

/** A change that is noticed later than this leaves a time in which nobody watched. */
const maxGapMs = 120_000;

/**
 * What is known of the status of a computer, oldest first. A status is known for as long as its beginning and its end were
 * seen, because a time without changes may not have been watched.
 */
export function knownStretches(
	computer: ComputerState | undefined,
	history: readonly Change[],
	earliest: number,
	now: number,
): readonly Stretch[] {
	const stretches: Stretch[] = [];
	let end = earliest;
	let last: StatusChange | undefined;
	function add(from: number, to: number, told: Told, isLowerBound = false) {
		const stretch = { ...told, from: Math.max(from, end), to: Math.min(to, now), isLowerBound };
		if (stretch.from >= stretch.to) return;
		stretches.push(stretch);
		end = stretch.to;
	}
	for (const change of history) {
		if (change.type !== 'statusChanged') continue;
		const { at, notBefore, from, lasted } = change;
		const seenUntil = at - notBefore <= maxGapMs ? at : notBefore;
		const { reason, error } = last?.to === from ? last : {};
		if (from !== null && lasted !== undefined)
			add(at - lasted, seenUntil, { status: from, reason, error });
		last = change;
	}
	if (!computer) return stretches;
	const { phase, since, reading, stopReason } = computer;
	// The platform may report a start from before this program first read the computer.
	const started = phase === 'active' ? (reading.startedAt ?? Infinity) : Infinity;
	const begin = Math.max(Math.min(started, since.at), last?.at ?? Number.NEGATIVE_INFINITY);
	const told = { status: reading.status, reason: stopReason, error: reading.error ?? undefined };
	add(begin, now, told, since.isLowerBound && started > since.at);
	return stretches;
}

/**
 * An account as the log knows it at an earlier time: the status, the stage and the version of its computers, and what never
 * changes about them. Everything else is as if it were not read.
 */
export function accountAt(account: AccountState, time: number): AccountState {
	const { signIn, release, changes, history } = account;
	const computers = new Map<string, ComputerState>();
	const histories = grouped(changes, computerIdOf);
	for (const id of new Set([...account.computers.keys(), ...histories.keys()])) {
		if (id === undefined) continue;
		const present = account.computers.get(id);
		const computer = computerAt(id, present, histories.get(id) ?? [], time);
		if (computer) computers.set(id, computer);
	}
	const answer = { askedAt: time, at: time };
	const untilThen = (all: readonly Change[]) => all.filter(({ at }) => at <= time);
	const nextRelease = changes.find(change => change.type === 'released' && change.at > time);
	const version = nextRelease?.type === 'released' ? nextRelease.from : release?.version;
	return {
		...emptyAccount,
		signIn,
		computers,
		computerReads: new Map(Array.from(computers.keys(), id => [id, { statusAnswer: answer }])),
		reads: { list: { answer } },
		listFields: new Set(readingFields),
		release: release && { ...release, version: version ?? release.version },
		changes: untilThen(changes),
		history: history && { ...history, changes: untilThen(history.changes) },
	};
}

/** Undefined if it did not exist, or if nothing says that it did. */
function computerAt(
	id: string,
	present: ComputerState | undefined,
	history: readonly Change[],
	time: number,
): ComputerState | undefined {
	const { name, location, createdAt, version } = present?.reading ?? {};
	const changes = history.filter(change => change.type === 'statusChanged');
	const last = changes.findLast(({ at }) => at <= time);
	const next = changes.find(({ at }) => at > time);
	const isAbsent = (last ? last.to : next?.from) === null || (createdAt ?? 0) > time;
	const onward = knownStretches(present, history, Number.NEGATIVE_INFINITY, Infinity).filter(
		({ to }) => to > time,
	);
	const then = onward.find(({ from }) => from <= time) ?? momentAfter(last, time);
	if (isAbsent || !(present || last || then)) return undefined;
	const { status, reason, error, from = time, isLowerBound = true } = then ?? {};
	// Only an update changes the version, unless it happened while nobody watched.
	const isWatched = onward.every(({ from }, at) => from <= (onward[at - 1]?.to ?? time));
	const isUpdated =
		onward.some(each => phaseOf(each.status) === 'updating') ||
		history.some(
			change =>
				change.at > time &&
				change.type === 'operationMoved' &&
				operationRowOf(change.wish.operation).goal.reaches === 'version',
		);
	const reading = { id, name: name ?? (last ?? next)?.name, location, createdAt, status, error };
	return {
		id,
		reading: present && isWatched && !isUpdated ? { ...reading, version } : reading,
		phase: phaseOf(status),
		since: { at: from, isLowerBound },
		isListed: true,
		isMissing: false,
		stopReason: reason,
	};
}

/** What a change has told holds for a moment, even if nobody saw how it went on. */
function momentAfter(last: StatusChange | undefined, time: number) {
	if (!last || time - last.at > maxGapMs) return undefined;
	const { at: from, notBefore, to, reason, error } = last;
	return {
		status: to ?? undefined,
		reason,
		error,
		from,
		isLowerBound: from - notBefore > maxGapMs,
	};
}
