import type { ReadName } from '../fleet/fact.ts';
import { maxAnswerDelayMs, type StatusAnswer, statusAnswerOf } from './answer-times.ts';
import { type FailingRead, failingReadOf } from './read-health.ts';
import type {
	AccountState,
	AnswerTime,
	ComputerState,
	FailureStreak,
	JointAccount,
} from './state.ts';

/** How old the data of a row is, compared with the planned interval between its reads. */
export type Age = 'fresh' | 'late' | 'old';

// Data without a planned interval, such as a snapshot, ages as if it were read once a minute.
const maxIntervalMs = 60_000;
// Intervals count as at least this long, so that one lost or slow read does not make a row late.
const minIntervalMs = 5_000;

const lateAfterIntervals = 2;
const oldAfterIntervals = 4;

/** From this difference on, an age is shown, because nobody acts on a smaller one. */
export const ageShownAfterMs = 30_000;

/** An account counts as down after this time without an answer, so that one lost answer is not an outage. */
const outageAfterMs = 10_000;

/** Returns how many milliseconds after an answer the next one is expected. */
const expectedIntervalMs = ({ every = maxIntervalMs }: Pick<AnswerTime, 'every'>) =>
	Math.min(maxIntervalMs, Math.max(minIntervalMs, every));

/** Returns the age of an answer, measured in the read interval that was planned when the answer came. */
export function ageOf(answer: Pick<AnswerTime, 'at' | 'every'>, now: number): Age {
	const intervals = (now - answer.at) / expectedIntervalMs(answer);
	if (intervals > oldAfterIntervals && now - answer.at > ageShownAfterMs) return 'old';
	return intervals > lateAfterIntervals ? 'late' : 'fresh';
}

/**
 * Returns a function for the answer that had the status of a computer. The last result is cached, because several cells of a
 * row need it.
 */
export function createStatusAnswers(account: AccountState) {
	let last: ComputerState | undefined;
	let answer: StatusAnswer | undefined;
	return (computer: ComputerState): StatusAnswer | undefined => {
		if (last !== computer) answer = statusAnswerOf(account, computer);
		last = computer;
		return answer;
	};
}

/** Returns the age of a status in milliseconds, if the last list is much newer; otherwise undefined. */
export function laggingStatusAge(
	{ reads }: Pick<AccountState, 'reads'>,
	answer: Pick<AnswerTime, 'at'> | undefined,
	now: number,
): number | undefined {
	const listedAt = reads.list?.answer?.at;
	const isLagging =
		answer !== undefined && listedAt !== undefined && listedAt - answer.at > ageShownAfterMs;
	return isLagging ? now - answer.at : undefined;
}

/**
 * Returns a function for the age of a row. Every row is old while the account is down. The last result is
 * cached, because each cell of a row needs the age.
 */
export function createRowAge(
	account: AccountState,
	now: number,
	answerOf = createStatusAnswers(account),
) {
	const isDown = outageOf(account, now) !== undefined;
	let last: ComputerState | undefined;
	let age: Age = 'fresh';
	return (computer: ComputerState): Age => {
		if (isDown) return 'old';
		if (last === computer) return age;
		const answer = answerOf(computer);
		last = computer;
		age = answer ? ageOf(answer, now) : 'fresh';
		return age;
	};
}

/**
 * Returns the failing read that explains why the platform is silent; undefined if it answers. The platform is silent
 * if no answer has come since the failures began, or for a while after one did.
 */
export function unreachableCauseOf(account: JointAccount, now: number): FailingRead | undefined {
	const trouble = failingReadOf(account, now);
	const heardAt = trouble && lastAnswerBefore(account, trouble);
	if (!trouble || heardAt === undefined) return trouble;
	const { firstFailedAt, lastFailedAt } = trouble.streak;
	const isSilent =
		firstFailedAt >= heardAt || (lastFailedAt >= heardAt && now - heardAt > silentAfterMs);
	return isSilent ? trouble : undefined;
}

/** Returns the time of the last answer; undefined if it lies in the future because the clock was set back since. */
function lastAnswerBefore(
	{ contact }: JointAccount,
	{ streak: { lastFailedAt } }: FailingRead,
): number | undefined {
	const heardAt = contact?.lastAnswerAt ?? Number.POSITIVE_INFINITY;
	return heardAt - lastFailedAt < maxAnswerDelayMs ? heardAt : undefined;
}

// If no read was answered for longer than this, not only the list fails: the whole platform is silent.
const silentAfterMs = 15_000;

type Outage = { cause: FailingRead; lastAnswerAt: number | undefined };

/** Returns the outage of an account, with the time of the last answer; undefined while the platform answers. */
export function outageOf(account: JointAccount, now: number): Outage | undefined {
	const trouble = unreachableCauseOf(account, now);
	if (!trouble) return undefined;
	const heardAt = lastAnswerBefore(account, trouble);
	if (isSignInFailure(trouble)) return { cause: trouble, lastAnswerAt: heardAt };
	return heardAt !== undefined && now - heardAt < outageAfterMs
		? undefined
		: { cause: trouble, lastAnswerAt: heardAt };
}

/**
 * Returns why the data of a read has not come: the read fails, or it is not even tried because the platform answers
 * nothing. Returns undefined while the read is under way.
 */
export function failureBehind(
	account: JointAccount,
	read: ReadName,
	now: number,
): FailureStreak | undefined {
	const { cause } = outageOf(account, now) ?? {};
	return account.reads[read]?.failing ?? (cause?.isOnlyThisRead ? undefined : cause?.streak);
}

export const isSignInFailure = ({ streak }: Pick<FailingRead, 'streak'>) =>
	streak.failure.kind === 'auth';
