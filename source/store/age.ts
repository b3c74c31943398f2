import { statusSightOf } from './sight.ts';
import type { AccountState, ComputerState, Sight } from './state.ts';
import { type Trouble, troubleIn } from './trouble.ts';

/** How a row stands to the interval in which it was meant to be told again. */
export type Age = 'fresh' | 'late' | 'old';

// What nobody knows the rhythm of, such as the notes of an earlier run, is told once a minute at worst.
const longest = 60_000;
// A read that is lost once, or takes its time, makes nothing old.
const shortest = 5_000;

const lateAfter = 2;
const oldAfter = 4;

/** From how long a silence on the platform counts as down: one lost answer does not. */
const silence = 10_000;

/** Milliseconds in which an answer is expected to be followed by the next one. */
const expectedOf = ({ every = longest }: Pick<Sight, 'every'>) =>
	Math.min(longest, Math.max(shortest, every));

/** How old an answer is, by the rhythm of its time. */
export function ageOf(sight: Pick<Sight, 'at' | 'every'>, now: number): Age {
	const intervals = (now - sight.at) / expectedOf(sight);
	if (intervals > oldAfter) return 'old';
	return intervals > lateAfter ? 'late' : 'fresh';
}

/** How old a row is; all of them are old while the account is down. Each cell of a row asks for it. */
export function createRowAge(account: AccountState, now: number) {
	const isDown = downIn(account, now) !== undefined;
	let last: { computer: ComputerState; age: Age } | undefined;
	return (computer: ComputerState): Age => {
		if (isDown) return 'old';
		if (last?.computer === computer) return last.age;
		const sight = statusSightOf(account, computer);
		last = { computer, age: sight ? ageOf(sight, now) : 'fresh' };
		return last.age;
	};
}

/** What keeps the platform from being heard: nothing came since it began, or nothing for a while. */
export function silentTrouble(account: AccountState, now: number): Trouble | undefined {
	const trouble = troubleIn(account, now);
	const heardAt = account.watch?.heardAt;
	if (!trouble || heardAt === undefined) return trouble;
	const { since, last } = trouble.failing;
	const isSilent = since >= heardAt || (last >= heardAt && now - heardAt > othersAnswer);
	return isSilent ? trouble : undefined;
}

// When only the list fails, others answer in between.
const othersAnswer = 15_000;

export type Down = { trouble: Trouble; heardAt: number | undefined };

/** That the account is down, and since when what is shown was true; undefined while it is not. */
export function downIn(account: AccountState, now: number): Down | undefined {
	const trouble = silentTrouble(account, now);
	if (!trouble) return undefined;
	const heardAt = account.watch?.heardAt;
	if (isSignedOut(trouble)) return { trouble, heardAt };
	return heardAt !== undefined && now - heardAt < silence ? undefined : { trouble, heardAt };
}

export const isSignedOut = ({ failing }: Pick<Trouble, 'failing'>) =>
	failing.failure.kind === 'auth';
