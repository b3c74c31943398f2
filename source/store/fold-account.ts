import type { Change } from '../fleet/change.ts';
import { mergeSamples } from '../fleet/computers/runway.ts';
import { type AnswerFactName, type Fact, readOfAnswer } from '../fleet/fact.ts';
import { isOutdated } from './answer-times.ts';
import { withChanges } from './change-log.ts';
import { answerTimeFrom, withAnswer } from './read-health.ts';
import type { AccountAnswerName, AccountState } from './state.ts';

type AccountFact = Extract<Fact, { type: AnswerFactName<AccountAnswerName> }>;

/** Folds an answer about the account itself: credits, plan, release or models. */
export function foldAccountRead(account: AccountState, fact: AccountFact): AccountState {
	const read = readOfAnswer(fact.type);
	const answerTime = answerTimeFrom(fact);
	const earlier = account.reads[read]?.answer;
	if (isOutdated(answerTime.askedAt, earlier?.askedAt)) return account;
	const answered = withAnswer(account, read, answerTime);
	switch (fact.type) {
		case 'creditsRead':
			return withCredits(answered, fact);
		case 'subscriptionRead':
			return { ...answered, subscription: keepIfEqual(account.subscription, fact.subscription) };
		case 'releaseRead': {
			const change = releaseChangeOf(account, fact, earlier?.askedAt);
			const { release } = fact;
			const computers = account.release
				? account.computers
				: readForFirstRelease(account.computers, release.version);
			return withChanges(
				{ ...answered, computers, release: keepIfEqual(account.release, release) },
				[change],
			);
		}
		case 'modelsRead':
			return { ...answered, models: keepIfEqual(account.models, fact.models) };
	}
}

function withCredits(
	account: AccountState,
	{ at, credits }: Extract<Fact, { type: 'creditsRead' }>,
): AccountState {
	const next = { ...account, credits: keepIfEqual(account.credits, credits) };
	const { balance } = credits;
	if (balance === null || !Number.isFinite(balance)) return next;
	// Drop samples with a time in the future. They were taken while the clock was ahead, and would hide all
	// newer samples until that time comes.
	const earlier = account.samples.filter(sample => sample.at <= at);
	const last = earlier.at(-1);
	const samples = mergeSamples(earlier, [{ at, balance }]);
	const rise: Change | undefined =
		// A rise that would be printed as 0.00 is rounding.
		last && balance - last.balance >= 0.005
			? { type: 'toppedUp', at, notBefore: last.at, from: last.balance, to: balance }
			: undefined;
	return withChanges({ ...next, samples }, [rise]);
}

/** The first release that is known is no newer version, so no status has to be read again. */
function readForFirstRelease(
	computers: AccountState['computers'],
	version: string,
): AccountState['computers'] {
	const read = [...computers.values()].filter(({ statusReadFor }) => statusReadFor === '');
	if (read.length === 0) return computers;
	const next = new Map(computers);
	for (const each of read) next.set(each.id, { ...each, statusReadFor: version });
	return next;
}

function releaseChangeOf(
	{ release }: AccountState,
	fact: Extract<Fact, { type: 'releaseRead' }>,
	notBefore: number | undefined,
): Change | undefined {
	const [from, to] = [release?.version, fact.release.version];
	if (from === undefined || from === to || notBefore === undefined) return undefined;
	return { type: 'released', at: fact.at, notBefore: Math.min(notBefore, fact.at), from, to };
}

// Returns the object in the state if the new one is equal, so that nothing is drawn again. The objects are small
// and rarely read, so comparing them as JSON is fast enough.
function keepIfEqual<T>(current: T | undefined, next: T): T {
	return current !== undefined && JSON.stringify(current) === JSON.stringify(next) ? current : next;
}
