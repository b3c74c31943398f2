import { minuteMs } from '../foundation/duration.ts';
import { grouped } from '../foundation/grouped.ts';
import {
	type Change,
	computerIdOf,
	type OperationMove,
	type StatusChange,
	stateOf,
	subjectOf,
} from './change.ts';
import { changingPhases, phaseOf } from './computers/computer.ts';
import { questionIdOf } from './operations/operation.ts';
import { operationRowOf } from './operations/operation-table.ts';

export type LogEntry = ChangeEntry | BatchEntry | NapsEntry;

type ChangeEntry<C extends Change = Change> = {
	type: 'change';
	change: C;
	sentAt?: number | undefined;
};

export type BatchEntry = {
	type: 'batch';
	id: string;
	/** Newest first. */
	parts: readonly [ChangeEntry<OperationMove>, ...ChangeEntry<OperationMove>[]];
	isCut: boolean;
};

/** Computers that fell asleep or woke up by themselves, with nothing else between them. */
export type NapsEntry = {
	type: 'naps';
	id: string;
	/** Newest first. */
	parts: readonly [ChangeEntry<StatusChange>, ...ChangeEntry<StatusChange>[]];
};

export const latestOf = (entry: LogEntry): Change =>
	entry.type === 'change' ? entry.change : entry.parts[0].change;

export const changesIn = (entry: LogEntry): readonly Change[] =>
	entry.type === 'change' ? [entry.change] : entry.parts.map(({ change }) => change);

export const movesOf = (entry: LogEntry): readonly OperationMove[] =>
	changesIn(entry).filter(change => change.type === 'operationMoved');

/** One for each operation or batch with what it caused, and for each time that a computer fell asleep or woke up. */
export function logEntries(changes: readonly Change[]): readonly LogEntry[] {
	const newestFirst = withReachedGoals(withWholeSleeps(changes)).toReversed();
	const operations = latestMoves(newestFirst);
	const isCaused = causedBy(operations);
	const byQuestion = grouped(operations, ({ change }) => questionIdOf(change.wish));
	const oldestAt = changes[0]?.at ?? 0;
	return newestFirst.flatMap((change): readonly LogEntry[] => {
		if (change.type === 'statusChanged' && isCaused(change)) return [];
		if (change.type !== 'operationMoved') return [{ type: 'change', change }];
		const id = questionIdOf(change.wish);
		const [first, ...others] = byQuestion.get(id) ?? [];
		if (first?.change !== change) return [];
		if (change.wish.batch === undefined || others.length === 0) return [first];
		const parts = [first, ...others] as const;
		const isCut = parts.some(
			({ change: { to, at, took } }) => to === 'settled' && at - took < oldestAt,
		);
		return [{ type: 'batch', id, parts, isCut }];
	});
}

/** A command that did not wait for its outcome wrote none. The status that it asked for is one. */
function withReachedGoals(changes: readonly Change[]): readonly Change[] {
	const accepted = new Map<string | undefined, OperationMove>();
	return changes.flatMap((change): readonly Change[] => {
		if (change.type === 'operationMoved') {
			const { computer } = change.wish;
			if (change.isAccepted) accepted.set(computer, change);
			else accepted.delete(computer);
		}
		if (change.type !== 'statusChanged') return [change];
		const { id, at, to } = change;
		const move = accepted.get(id);
		if (!move || !isGoalOf(move, to)) return [change];
		accepted.delete(id);
		const took = move.took + at - move.at;
		return [change, { ...move, at, took, to: 'settled', isAccepted: undefined }];
	});
}

function isGoalOf({ wish }: OperationMove, status: string | null): boolean {
	const { goal } = operationRowOf(wish.operation);
	if (status === null) return goal.reaches === 'gone';
	if (goal.reaches === 'phase') return phaseOf(status) === goal.phase;
	return goal.reaches === 'newStart' && phaseOf(status) === 'active';
}

function latestMoves(newestFirst: readonly Change[]): readonly ChangeEntry<OperationMove>[] {
	const operations = new Map<string, ChangeEntry<OperationMove>>();
	for (const change of newestFirst) {
		if (change.type !== 'operationMoved') continue;
		const { key } = change.wish;
		const operation = operations.get(key) ?? { type: 'change', change };
		operations.set(key, operation);
		if (change.to === 'sent') operation.sentAt = change.at;
	}
	return [...operations.values()];
}

const longestUnendedMs = minuteMs;

/** Without its end, which a process may not have logged, only the phases that pass soon belong to an operation. */
function causedBy(operations: readonly ChangeEntry<OperationMove>[]) {
	const byComputer = grouped(operations, ({ change }) => change.wish.computer);
	return ({ id, at, to }: StatusChange): boolean => {
		if (to !== null && phaseOf(to) === 'error') return false;
		return (byComputer.get(id) ?? []).some(({ change: move, sentAt = move.at - move.took }) => {
			if (move.to === 'settled') return at >= sentAt && at <= move.at;
			const isPassing = to !== null && changingPhases.includes(phaseOf(to));
			return move.to === 'sent' && isPassing && at >= sentAt && at < sentAt + longestUnendedMs;
		});
	};
}

/** As one change: `active → stopping` and `stopping → stopped (asleep)` become `active → stopped (asleep)`. */
function withWholeSleeps(changes: readonly Change[]): readonly Change[] {
	const whole: (Change | undefined)[] = [...changes];
	const beginnings = new Map<string, { begin: StatusChange; at: number }>();
	for (const [at, change] of changes.entries()) {
		if (change.type !== 'statusChanged') continue;
		// Two accounts may have computers with the same id, but their names begin with the account.
		const subject = `${change.id} ${change.name ?? ''}`;
		const earlier = beginnings.get(subject);
		beginnings.set(subject, { begin: change, at });
		if (!earlier || !isSleepOrAwakening(earlier.begin, change)) continue;
		whole[earlier.at] = undefined;
		const { from, lasted, wasAsleep } = earlier.begin;
		whole[at] = { ...change, from, lasted, wasAsleep };
	}
	return whole.filter(change => change !== undefined);
}

function isSleepOrAwakening(begin: StatusChange, end: StatusChange): boolean {
	if (begin.from === null || end.from === null || end.from !== begin.to || end.to === null)
		return false;
	const phases = [begin.from, end.from, end.to].map(phaseOf).join();
	if (phases === 'active,stopping,stopped') return end.reason === 'asleep';
	return phases === 'stopped,starting,active';
}

const minFoldedNaps = 3;

/** Within a day, and not of a single computer: those are what somebody looks for. */
export function withNapsFolded(entries: readonly LogEntry[]): readonly LogEntry[] {
	const runs: LogEntry[][] = [];
	for (const entry of entries) {
		const run = runs.at(-1);
		const [first] = run ?? [];
		if (run && first && isNap(entry) && isNap(first) && dayOf(entry) === dayOf(first))
			run.push(entry);
		else runs.push([entry]);
	}
	return runs.flatMap((run): readonly LogEntry[] => {
		const [first, ...others] = run.filter(isNap);
		if (first === undefined || run.length < minFoldedNaps) return run;
		if (others.every(({ change }) => change.id === first.change.id)) return run;
		const id = `naps ${entryIdOf(others.at(-1) ?? first)}`;
		return [{ type: 'naps', id, parts: [first, ...others] }];
	});
}

const isNap = (entry: LogEntry): entry is ChangeEntry<StatusChange> =>
	entry.type === 'change' &&
	entry.change.type === 'statusChanged' &&
	(entry.change.reason === 'asleep' || entry.change.wasAsleep === true);

const dayOf = (entry: LogEntry) => new Date(latestOf(entry).at).setHours(0, 0, 0, 0);

export function entryIdOf(entry: LogEntry): string {
	if (entry.type !== 'change') return entry.id;
	const { change } = entry;
	if (change.type === 'operationMoved') return change.wish.key;
	const account = change.type === 'accountNoted' ? change.name : undefined;
	return [subjectOf(change), stateOf(change), change.at, account].join(' ');
}

export function computerIn(entry: LogEntry): { id: string; name: string } | undefined {
	if (entry.type !== 'change') return undefined;
	const { change } = entry;
	const id = computerIdOf(change);
	const named = change.type === 'operationMoved' ? change.wish : change;
	return id === undefined ? undefined : { id, name: ('name' in named && named.name) || id };
}
