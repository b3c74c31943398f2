import type { Change } from '../fleet/change.ts';
import type { Fact, ReadName } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Witness } from '../store/store.ts';

/** One thing that a watch tells: a line of the log, or what the log has no room for. */
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

type EventWitnessOptions = {
	account: string;
	/** What happened before is no news. */
	from: number;
	onEvent: (news: WatchEvent, before: AccountState, after: AccountState) => void;
};

// One failure is over before anybody can do something about it.
const reportedAttempts = 2;

/** Finds the news in the facts. */
export function createEventWitness({
	account: name,
	from,
	onEvent: onNews,
}: EventWitnessOptions): Witness {
	const troubles = new Map<ReadName, number>();

	return (fact, before, after) => {
		const known = before.accounts.get(name) ?? emptyAccount;
		const now = after.accounts.get(name) ?? emptyAccount;
		if (fact.account !== name || known === now) return;
		const all = [
			...changesIn(known, now, from),
			...stagesIn(fact, known, now),
			...troubleIn(fact, now),
		];
		for (const news of all) onNews(news, known, now);
	};

	function troubleIn({ at, ...fact }: Fact, { reads }: AccountState): readonly WatchEvent[] {
		const ended = [...troubles].filter(([read]) => !reads[read]?.failing);
		for (const [read] of ended) troubles.delete(read);
		const over = ended.map(([read, since]): WatchEvent => {
			return { type: 'troubleEnded', at, read, lasted: at - since };
		});
		if (fact.type !== 'readFailed') return over;
		const { read } = fact;
		const { failing } = reads[read] ?? {};
		if (!failing || failing.attempts < reportedAttempts || troubles.has(read)) return over;
		troubles.set(read, failing.since);
		return [...over, { type: 'troubleBegan', at, read, failure: failing.failure }];
	}
}

function changesIn(known: AccountState, now: AccountState, from: number): readonly Change[] {
	const added = now.changeCount - known.changeCount;
	const changes = added > 0 ? now.changes.slice(-added) : [];
	return changes.filter(change => ('notBefore' in change ? change.notBefore : change.at) >= from);
}

// The stage in which an earlier run saw a computer last is no news of this moment.
function stagesIn(fact: Fact, known: AccountState, now: AccountState): readonly StageChange[] {
	if (!known.reads.list?.answer) return [];
	return idsIn(fact).flatMap(id => {
		const [before, computer] = [known.computers.get(id), now.computers.get(id)];
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

function idsIn(fact: Fact): readonly string[] {
	if (fact.type === 'listRead') return fact.computers.map(({ id }) => id);
	return fact.type === 'statusRead' || fact.type === 'detailRead' ? [fact.computer.id] : [];
}
