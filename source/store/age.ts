import { statusAnswerOf } from './answer-times.ts';
import { type FailingRead, failingReadOf } from './failing-reads.ts';
import type { AccountState, AnswerTime, ComputerState } from './state.ts';

/** How a row stands to the interval in which it was meant to be told again. */
export type Age = 'fresh' | 'late' | 'old';

// What nobody knows the rhythm of, such as the notes of an earlier run, is told once a minute at worst.
const longestInterval = 60_000;
// A read that is lost once, or takes its time, makes nothing old.
const shortestInterval = 5_000;

const lateAfter = 2;
const oldAfter = 4;

/** From how long a silence on the platform counts as down: one lost answer does not. */
const silenceUntilOutage = 10_000;

/** Milliseconds in which an answer is expected to be followed by the next one. */
const expectedInterval = ({ every = longestInterval }: Pick<AnswerTime, 'every'>) =>
	Math.min(longestInterval, Math.max(shortestInterval, every));

/** How old an answer is, by the rhythm of its time. */
export function ageOf(sight: Pick<AnswerTime, 'at' | 'every'>, now: number): Age {
	const intervals = (now - sight.at) / expectedInterval(sight);
	if (intervals > oldAfter) return 'old';
	return intervals > lateAfter ? 'late' : 'fresh';
}

/** How old a row is; all of them are old while the account is down. Each cell of a row asks for it. */
export function createRowAge(account: AccountState, now: number) {
	const isDown = outageOf(account, now) !== undefined;
	let last: { computer: ComputerState; age: Age } | undefined;
	return (computer: ComputerState): Age => {
		if (isDown) return 'old';
		if (last?.computer === computer) return last.age;
		const sight = statusAnswerOf(account, computer);
		last = { computer, age: sight ? ageOf(sight, now) : 'fresh' };
		return last.age;
	};
}

/** What keeps the platform from being heard: nothing came since it began, or nothing for a while. */
export function unreachableCause(account: AccountState, now: number): FailingRead | undefined {
	const trouble = failingReadOf(account, now);
	const heardAt = account.contact?.lastAnswerAt;
	if (!trouble || heardAt === undefined) return trouble;
	const { since, last } = trouble.failures;
	const isSilent = since >= heardAt || (last >= heardAt && now - heardAt > silenceOfOthers);
	return isSilent ? trouble : undefined;
}

// When only the list fails, others answer in between.
const silenceOfOthers = 15_000;

export type Outage = { cause: FailingRead; lastAnswerAt: number | undefined };

/** That the account is down, and since when what is shown was true; undefined while it is not. */
export function outageOf(account: AccountState, now: number): Outage | undefined {
	const trouble = unreachableCause(account, now);
	if (!trouble) return undefined;
	const heardAt = account.contact?.lastAnswerAt;
	if (isSignInFailure(trouble)) return { cause: trouble, lastAnswerAt: heardAt };
	return heardAt !== undefined && now - heardAt < silenceUntilOutage
		? undefined
		: { cause: trouble, lastAnswerAt: heardAt };
}

export const isSignInFailure = ({ failures }: Pick<FailingRead, 'failures'>) =>
	failures.failure.kind === 'auth';
