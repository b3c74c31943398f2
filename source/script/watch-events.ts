import type { Change } from '../fleet/change.ts';
import { stageText } from '../fleet/computers/creation-stages.ts';
import type { Fact } from '../fleet/fact.ts';
import type { ReadName } from '../fleet/reads.ts';
import { durationText } from '../foundation/duration.ts';
import { changesBetween } from '../store/change-log.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { FactListener } from '../store/store.ts';
import { readAgainText, troubleText } from '../views/phrases/reads.ts';
import { isoTime } from './command.ts';
import { type ChangeRecord, changeRecord, emptyChangeFields } from './json-records.ts';

/** A change as in the log, a new stage of a creation, or a read that fails or works again. */
export type WatchEvent = { at: number; record: ChangeRecord };

export const eventOf = (change: Change): WatchEvent => ({
	at: change.at,
	record: changeRecord(change),
});

type RecordFields = Partial<ChangeRecord> & Pick<ChangeRecord, 'event' | 'message'>;

function otherEvent(at: number, fields: RecordFields): WatchEvent {
	const time = isoTime(at);
	return { at, record: { at: time, notBefore: time, ...emptyChangeFields, ...fields } };
}

type EventReporterOptions = {
	account: string;
	/** Changes that were noticed before it are ignored. */
	changesSince: number;
	onEvent: (event: WatchEvent, before: AccountState, after: AccountState) => void;
};

// A single failure is usually over before a person could react to it, so only repeated failures are reported.
const minReportedAttempts = 2;

export function createEventReporter({
	account: name,
	changesSince,
	onEvent,
}: EventReporterOptions): FactListener {
	/** When each of the reported reads began to fail. */
	const troubles = new Map<ReadName, number>();
	let knownSince = changesSince;

	/** Noticed after `watch` began, and not by comparison with the state of an earlier run. */
	function isNews(change: Change): boolean {
		// Failing reads are events of their own.
		if (change.type === 'accountNoted' && change.event.startsWith('account')) return false;
		const notBefore = 'notBefore' in change ? change.notBefore : change.at;
		return change.at >= changesSince && notBefore >= knownSince;
	}

	function recoveries(at: number, reads: AccountState['reads']): readonly WatchEvent[] {
		const ended = [...troubles].filter(([read]) => isOver(reads, read));
		for (const [read] of ended) troubles.delete(read);
		return ended.map(([read, since]) => {
			const message = `${readAgainText(read)}, after ${durationText(at - since)}`;
			return otherEvent(at, { event: 'recovered', read, message });
		});
	}

	function newTrouble(fact: Fact, reads: AccountState['reads']): readonly WatchEvent[] {
		// A running monitor passes on the failures that it had before this process began.
		if (fact.type !== 'readFailed' || fact.at < changesSince) return [];
		const { read, at } = fact;
		const { failing } = reads[read] ?? {};
		if (!failing || failing.attempts < minReportedAttempts) return [];
		if (troubles.has(read) || isOver(reads, read)) return [];
		troubles.set(read, failing.firstFailedAt);
		const message = troubleText({ read, failure: failing.failure });
		return [otherEvent(at, { event: 'trouble', read, message })];
	}

	return (fact, before, after) => {
		const previous = before.accounts.get(name) ?? emptyAccount;
		const now = after.accounts.get(name) ?? emptyAccount;
		if (fact.account !== name || previous === now) return;
		const events = [
			...changesBetween(previous, now).filter(isNews).map(eventOf),
			...newStages(fact, previous, now),
			...recoveries(fact.at, now.reads),
			...newTrouble(fact, now.reads),
		];
		for (const event of events) onEvent(event, previous, now);
		// The list of a running monitor may have been read before this process began.
		if (fact.type === 'listRead') knownSince = Math.min(knownSince, fact.askedAt ?? fact.at);
	};
}

/** A platform that nobody could reach is back with the first answer, also for reads that are not sent again at once. */
function isOver(reads: AccountState['reads'], read: ReadName): boolean {
	const { failing } = reads[read] ?? {};
	if (!failing) return true;
	if (failing.failure.kind !== 'offline') return false;
	return Object.values(reads).some(({ answer }) => answer && answer.at > failing.lastFailedAt);
}

// Before the first answer of the list, the store holds stages of an earlier run.
function newStages(fact: Fact, previous: AccountState, now: AccountState): readonly WatchEvent[] {
	if (!previous.reads.list?.answer) return [];
	return idsInFact(fact).flatMap(id => {
		const [before, computer] = [previous.computers.get(id), now.computers.get(id)];
		if (!before || !computer || before === computer || computer.phase !== 'creating') return [];
		const { stage: to, stageProgress, name = null } = computer.reading;
		const { stage: from = null } = before.reading;
		if (!to || to === from) return [];
		const progress = typeof stageProgress === 'number' ? ` (${stageProgress} %)` : '';
		const message = `${name ?? id}: creating, ${stageText(to)}${progress}`;
		return [otherEvent(fact.at, { event: 'stage', id, name, from, to, message })];
	});
}

function idsInFact(fact: Fact): readonly string[] {
	if (fact.type === 'listRead') return fact.computers.map(({ id }) => id);
	return fact.type === 'statusRead' || fact.type === 'detailRead' ? [fact.computer.id] : [];
}

//  2026-11-21 08:14:03  atlas: active → stopped (asleep)

/** Lines sorted as text are also sorted by time. */
export function eventLine({ at, record }: WatchEvent): string {
	const date = new Date(at);
	const padded = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), padded(date.getMonth() + 1), padded(date.getDate())].join('-');
	const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(padded).join(':');
	return `${day} ${time}  ${record.message}`;
}
