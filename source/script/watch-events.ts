import type { Change } from '../fleet/change.ts';
import { stageText } from '../fleet/computers/creation-stages.ts';
import type { Fact, ReadName } from '../fleet/fact.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { changesBetween } from '../store/change-log.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { FactListener } from '../store/store.ts';
import { readAgainText, troubleText } from '../views/phrases/reads.ts';
import { isoTime } from './iso-time.ts';
import { type ChangeRecord, changeRecord, emptyChangeFields } from './json-records.ts';

/**
 * An event that `watch` prints: a change as in the log, a new stage of a creation, or a read that fails or
 * works again.
 */
export type WatchEvent = Change | StageChange | ReadTrouble;

export type StageChange = {
	type: 'stageChanged';
	at: number;
	id: string;
	name?: string;
	from: string | null;
	to: string;
	progress?: number;
};

export type ReadTrouble = { at: number; read: ReadName } & (
	| { type: 'troubleBegan'; failure: Failure }
	| { type: 'troubleEnded'; lasted: number }
);

type EventReporterOptions = {
	account: string;
	/** The time, in milliseconds since the epoch, before which noticed changes are ignored. */
	changesSince: number;
	onEvent: (event: WatchEvent, before: AccountState, after: AccountState) => void;
};

// A single failure is usually over before a person could react to it, so only repeated failures are
// reported.
const minReportedAttempts = 2;

/** Creates a function that reports the events in each fact when the store folds the fact. */
export function createEventReporter({
	account: name,
	changesSince,
	onEvent,
}: EventReporterOptions): FactListener {
	const troubles = new Map<ReadName, number>();
	let knownSince = changesSince;

	return (fact, before, after) => {
		const previous = before.accounts.get(name) ?? emptyAccount;
		const now = after.accounts.get(name) ?? emptyAccount;
		if (fact.account !== name || previous === now) return;
		const events = [
			...changesBetween(previous, now).filter(isNews),
			...stageEventsFrom(fact, previous, now),
			...troubleIn(fact, now),
		];
		for (const event of events) onEvent(event, previous, now);
		// The list of a running monitor may have been read before this process began.
		if (fact.type === 'listRead') knownSince = Math.min(knownSince, fact.askedAt ?? fact.at);
	};

	/**
	 * Whether a change is news: it was noticed after `watch` began, and it was not found by comparison with the state
	 * of an earlier run.
	 */
	function isNews(change: Change): boolean {
		const notBefore = 'notBefore' in change ? change.notBefore : change.at;
		return change.at >= changesSince && notBefore >= knownSince;
	}

	function troubleIn({ at, ...fact }: Fact, { reads }: AccountState): readonly WatchEvent[] {
		const ended = [...troubles].filter(([read]) => isOver(reads, read));
		for (const [read] of ended) troubles.delete(read);
		const recovered = ended.map(([read, since]): WatchEvent => {
			return { type: 'troubleEnded', at, read, lasted: at - since };
		});
		// A running monitor passes on the failures that it had before this process began.
		if (fact.type !== 'readFailed' || at < changesSince) return recovered;
		const { read } = fact;
		const { failing } = reads[read] ?? {};
		if (
			!failing ||
			isOver(reads, read) ||
			failing.attempts < minReportedAttempts ||
			troubles.has(read)
		)
			return recovered;
		troubles.set(read, failing.firstFailedAt);
		return [...recovered, { type: 'troubleBegan', at, read, failure: failing.failure }];
	}
}

/**
 * Whether a read fails no longer. A platform that nobody could reach is back with the first answer, also for reads
 * that are not sent again at once.
 */
function isOver(reads: AccountState['reads'], read: ReadName): boolean {
	const { failing } = reads[read] ?? {};
	if (!failing) return true;
	if (failing.failure.kind !== 'offline') return false;
	return Object.values(reads).some(({ answer }) => answer && answer.at > failing.lastFailedAt);
}

// Returns the creations that reached a new stage. Before the first answer of the list, the store holds
// stages of an earlier run, and a difference from those is not an event.
function stageEventsFrom(
	fact: Fact,
	previous: AccountState,
	now: AccountState,
): readonly StageChange[] {
	if (!previous.reads.list?.answer) return [];
	return idsInFact(fact).flatMap(id => {
		const [before, computer] = [previous.computers.get(id), now.computers.get(id)];
		if (!before || !computer || before === computer || computer.phase !== 'creating') return [];
		const { stage: to, stageProgress, name } = computer.reading;
		const { stage: from = null } = before.reading;
		if (!to || to === from) return [];
		const progress = typeof stageProgress === 'number' && { progress: stageProgress };
		return [
			{ type: 'stageChanged', at: fact.at, id, ...(name && { name }), from, to, ...progress },
		];
	});
}

function idsInFact(fact: Fact): readonly string[] {
	if (fact.type === 'listRead') return fact.computers.map(({ id }) => id);
	return fact.type === 'statusRead' || fact.type === 'detailRead' ? [fact.computer.id] : [];
}

//  2026-11-21 08:14:03  atlas: active → stopped (asleep)

/** Formats an event as the line that `watch` prints. */
export function eventLine(event: WatchEvent): string {
	return `${timestampOf(event.at)}  ${eventRecord(event).message}`;
}

/** Converts an event to the record that --json prints. */
export function eventRecord(event: WatchEvent): ChangeRecord {
	switch (event.type) {
		case 'stageChanged': {
			const { at, id, name = null, from, to } = event;
			const message = stageChangeText(event);
			return { ...timesOf(at), ...emptyChangeFields, event: 'stage', id, name, from, to, message };
		}
		case 'troubleBegan':
		case 'troubleEnded': {
			const { at, read } = event;
			const kind = event.type === 'troubleBegan' ? 'trouble' : 'recovered';
			const message = readTroubleText(event);
			return { ...timesOf(at), ...emptyChangeFields, event: kind, read, message };
		}
		default:
			return changeRecord(event);
	}
}

function timesOf(at: number) {
	return { at: isoTime(at), notBefore: isoTime(at) };
}

function stageChangeText({ id, name = id, to, progress }: StageChange): string {
	return `${name}: creating, ${stageText(to)}${progress === undefined ? '' : ` (${progress} %)`}`;
}

function readTroubleText(trouble: ReadTrouble): string {
	return trouble.type === 'troubleBegan'
		? troubleText(trouble)
		: `${readAgainText(trouble.read)}, after ${durationText(trouble.lasted)}`;
}

// Formats a local time with the largest unit first, so that lines sorted as text are also sorted by time.
function timestampOf(at: number): string {
	const date = new Date(at);
	const padded = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), padded(date.getMonth() + 1), padded(date.getDate())].join('-');
	return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(padded).join(':')}`;
}
