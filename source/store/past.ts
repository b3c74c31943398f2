import { type Change, computerIdOf, type StatusChange } from '../fleet/change.ts';
import { phaseOf, type Reading, readingFields, readingRows } from '../fleet/computers/computer.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { grouped } from '../foundation/grouped.ts';
import { type AccountState, type ComputerState, emptyAccount } from './state.ts';

type Told = Pick<StatusChange, 'reason' | 'error'> & { status: string | undefined };

type Stretch = Told & { from: number; to: number; isLowerBound: boolean };

/** Nobody watched before a change that is noticed later than this. */
const maxGapMs = 120_000;

/**
 * Oldest first. A time without changes may not have been watched, so a status is known only where its beginning and its
 * end were seen.
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
	// The platform may tell a start from before the first read.
	const started = phase === 'active' ? (reading.startedAt ?? Infinity) : Infinity;
	const begin = Math.max(Math.min(started, since.at), last?.at ?? Number.NEGATIVE_INFINITY);
	const told = { status: reading.status, reason: stopReason, error: reading.error ?? undefined };
	add(begin, now, told, since.isLowerBound && started > since.at);
	return stretches;
}

/**
 * The status and the version as the log knows them, and what never changes. Everything else is as if it were not read.
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

function computerAt(
	id: string,
	present: ComputerState | undefined,
	history: readonly Change[],
	time: number,
): ComputerState | undefined {
	const { name, createdAt, version } = present?.reading ?? {};
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
	const constant = Object.fromEntries(
		readingFields
			.filter(field => readingRows[field].isConstant)
			.map(field => [field, present?.reading[field]]),
	);
	const reading: Reading = { ...constant, id, name: name ?? (last ?? next)?.name, status, error };
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
