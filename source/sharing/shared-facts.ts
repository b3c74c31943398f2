import type { Reading, ReadingField } from '../fleet/computers/computer.ts';
import { audienceByFact, type Fact, type FactBody, operationFact } from '../fleet/fact.ts';
import { isOfThisProcess } from '../fleet/operations/operation.ts';
import { accountReadNames, computerReadNames, readNames } from '../fleet/reads.ts';
import { isLongOutdated } from '../store/freshness.ts';
import { operationIn } from '../store/our-operations.ts';
import type { AccountState } from '../store/state.ts';

/** Returns the facts from which a follower builds the state of the leader. */
export function stateFacts(account: string, state: AccountState, now: number): readonly Fact[] {
	const { computers, reads, listFields, listNotes, signIn, standings, usage } = state;
	const facts: Fact[] = [];
	type Times = Pick<Fact, 'at' | 'askedAt' | 'every'>;
	const add = (times: Times, body: FactBody) => facts.push({ account, ...times, ...body });
	const listed = [...computers.values()].filter(({ isListed }) => isListed);
	const listedParts = listed.map(({ reading }) => partOf(reading, listFields));
	if (reads.list?.answer)
		add(reads.list.answer, { type: 'listRead', computers: listedParts, ...listNotes });
	for (const { id, reading } of computers.values())
		for (const read of computerReadNames) {
			const answer = state.computerReads.get(id)?.[read];
			const computer = answer && partOf(reading, state[`${read}Fields`]);
			if (computer) add(answer, { type: 'computerRead', read, computer });
		}
	for (const read of accountReadNames) {
		const [known, answer] = [state[read], reads[read]?.answer];
		if (answer && known !== undefined)
			add(answer, { type: 'answered', read, answer: known } as FactBody);
	}
	for (const read of readNames) {
		const { failure, nextAt, lastFailedAt: at, firstAskedAt: askedAt } = reads[read]?.failing ?? {};
		// What the credentials of this process are refused says nothing about others.
		const isOwn = read === 'list' && failure?.kind === 'auth';
		if (failure && at !== undefined && !isOwn)
			add({ at, askedAt }, { type: 'readFailed', read, failure, nextAt });
	}
	if (signIn?.isSignedIn) add({ at: signIn.at }, { type: 'signInTried', email: signIn.email });
	if (standings) add({ at: now }, { type: 'limitsChanged', standings });
	add({ at: now }, { type: 'recalled', usage: [...usage.values()] });
	return [...facts, ...(state.proposals ?? []), ...ownFacts(account, state, () => true)];
}

function partOf(reading: Reading, fields: ReadonlySet<ReadingField> = new Set()): Reading {
	const told = Object.entries(reading).filter(([field]) => fields.has(field as ReadingField));
	return { id: reading.id, ...Object.fromEntries(told) };
}

/** The share that a person chose, the operations that go on, and those that have ended in batches that go on. */
export function ownFacts(
	account: string,
	{ chosenShare, operations, endedOperations }: AccountState,
	isIncluded = isOfThisProcess,
): readonly Fact[] {
	const running = new Set([...operations.values()].map(({ spec }) => spec.batch));
	const ended = [...endedOperations.values()].filter(
		({ spec }) => spec.batch !== undefined && running.has(spec.batch),
	);
	const shared = [...ended, ...operations.values()].filter(isIncluded);
	return [
		...(chosenShare
			? [{ account, at: chosenShare.chosenAt, type: 'shareChosen' as const, ...chosenShare }]
			: []),
		...shared.map((operation): Fact => {
			const { askedAt, sentAt, acceptedAt, endedAt, pane } = operation;
			const at = endedAt ?? acceptedAt ?? sentAt ?? askedAt;
			return { account, at, pane, ...operationFact(operation) };
		}),
	];
}

export const isSignInRefused = (fact: Fact): boolean =>
	(fact.type === 'signInTried' && fact.failure !== undefined) ||
	(fact.type === 'readFailed' && fact.read === 'list' && fact.failure.kind === 'auth');

/** Another process may have better credentials, and notes the changes of the account itself. */
function audienceOf(fact: Fact) {
	const isOwn = fact.type === 'changeNoted' && fact.change.type === 'accountNoted';
	return isOwn || isSignInRefused(fact) ? 'none' : audienceByFact[fact.type];
}

/** Whether a leader tells its followers of this fact of its own, or a follower its leader. */
export function isShared(fact: Fact, account: AccountState, role: 'leader' | 'follower'): boolean {
	const operation = fact.type === 'operationChanged' && operationIn(account, fact.key);
	// A person has dismissed an operation of another process here.
	if (operation && !isOfThisProcess(operation) && operation.abandonedAt === undefined) return false;
	const audience = audienceOf(fact);
	return audience === 'panes' || (audience === 'followers' && role === 'leader');
}

/** The rate limits let even all panes together not send this many operations in an hour. */
const maxOperations = 2_000;

/** A leader that was stopped may tell an old list. No correct program tells of the operations of this process. */
export function isBelieved(
	fact: Fact,
	sender: 'leader' | 'follower',
	account: AccountState,
	now: number,
): boolean {
	const audience = audienceOf(fact);
	if (audience === 'none' || (sender === 'follower' && audience !== 'panes')) return false;
	if (fact.type === 'listRead')
		return !isLongOutdated(fact.askedAt ?? fact.at, account.contact?.fleetAt, now);
	// What earlier runs knew of the fleet, each process reads itself.
	if (fact.type === 'recalled') return !(fact.computers || fact.changes || fact.history);
	if (fact.type !== 'operationChanged') return true;
	const operation = operationIn(account, fact.key);
	return operation ? !isOfThisProcess(operation) : account.operations.size < maxOperations;
}
