import type { Change } from '../fleet/change.ts';
import { stageText } from '../fleet/computers/computer.ts';
import type { Fact } from '../fleet/fact.ts';
import { isoTime, jsonRecord } from '../foundation/json.ts';
import { timeTextWithSeconds } from '../lines/time-text.ts';
import { changesBetween } from '../store/change-log.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { FactListener } from '../store/store.ts';
import { type ChangeRecord, changeFields, changeRecord } from '../views/records.ts';

export function createChangeReporter(
	name: string,
	startedAt: number,
	onChange: (record: ChangeRecord, before: AccountState, after: AccountState) => void,
): FactListener {
	let knownSince = startedAt;

	/** A difference from the state of an earlier run is none. */
	function isNews(change: Change): boolean {
		const notBefore = 'notBefore' in change ? change.notBefore : change.at;
		return change.at >= startedAt && notBefore >= knownSince;
	}

	return (fact, before, after) => {
		const previous = before.accounts.get(name) ?? emptyAccount;
		const now = after.accounts.get(name) ?? emptyAccount;
		if (fact.account !== name || previous === now) return;
		const changes = changesBetween(previous, now).filter(isNews).map(changeRecord);
		for (const record of [...changes, ...newStages(fact, previous, now)])
			onChange(record, previous, now);
		// A monitor's list may be older than this process.
		if (fact.type === 'listRead') knownSince = Math.min(knownSince, fact.askedAt ?? fact.at);
	};
}

// Before the first list, the stages are those of an earlier run.
function newStages(fact: Fact, previous: AccountState, now: AccountState): readonly ChangeRecord[] {
	if (!previous.reads.list?.answer) return [];
	return idsInFact(fact).flatMap(id => {
		const [before, computer] = [previous.computers.get(id), now.computers.get(id)];
		if (!before || !computer || before === computer || computer.phase !== 'creating') return [];
		const { stage: to, stageProgress, name } = computer.reading;
		const { stage: from } = before.reading;
		if (!to || to === from) return [];
		const progress = typeof stageProgress === 'number' ? ` (${stageProgress} %)` : '';
		const message = `${name ?? id}: creating, ${stageText(to)}${progress}`;
		const at = isoTime(fact.at);
		const values = { at, notBefore: at, event: 'stage', id, name, from, to, message };
		return [jsonRecord(changeFields, values)];
	});
}

function idsInFact(fact: Fact): readonly string[] {
	if (fact.type === 'listRead') return fact.computers.map(({ id }) => id);
	return fact.type === 'computerRead' ? [fact.computer.id] : [];
}

//  2026-11-21 08:14:03  atlas: active → stopped (asleep)

export const changeLine = ({ at, message }: ChangeRecord): string =>
	`${timeTextWithSeconds(Date.parse(String(at)), Number.POSITIVE_INFINITY)}  ${message}`;
