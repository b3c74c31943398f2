import { memoize } from '../foundation/memoize.ts';
import { ageOf, laggingStatusAge, outageOf } from './age.ts';
import { statusAnswerOf } from './answer-times.ts';
import type { OpenedAccount } from './opened-accounts.ts';
import type { FleetCounts, FleetRow } from './selectors.ts';

/**
 * Creates a function that counts the computers with an old status apart, because nobody knows whether they are still what
 * they were. While a platform is silent, all its statuses are equally old, and a rule above the table says so.
 */
export function createOldStatusCount() {
	return memoize(
		(
			counts: FleetCounts,
			rows: readonly FleetRow[],
			accounts: readonly OpenedAccount[],
			now: number,
		): FleetCounts => {
			const states = new Map(
				accounts.flatMap(({ profile, state }) =>
					outageOf(state, now) ? [] : [[profile.account, state] as const],
				),
			);
			const phases = { ...counts.phases };
			let old = 0;
			for (const { account, computer } of rows) {
				const state = states.get(account);
				const count = phases[computer.phase];
				if (!state || count === undefined || computer.listed === 'with-status') continue;
				const answer = statusAnswerOf(state, computer);
				const isOld =
					answer !== undefined &&
					laggingStatusAge(state, answer, now) !== undefined &&
					ageOf(answer, now) === 'old';
				if (!isOld) continue;
				phases[computer.phase] = count - 1;
				old += 1;
			}
			return old === 0 ? counts : { ...counts, phases, old };
		},
	);
}

/** The ages of the newest and of the oldest status, in milliseconds. */
export type StatusAges = { newest: number; oldest: number };

/**
 * Creates a function that returns the ages of the statuses of these rows, if the list does not tell them, so that they are
 * read one by one.
 */
export function createStatusAges() {
	return memoize(
		(
			accounts: readonly OpenedAccount[],
			rows: readonly FleetRow[],
			first: number,
			count: number,
			now: number,
		): StatusAges | undefined => {
			const states = new Map(
				accounts.flatMap(({ profile, state }) =>
					state.reads.list?.answer && !state.listFields.has('status')
						? [[profile.account, state] as const]
						: [],
				),
			);
			if (states.size === 0) return undefined;
			const ages = rows.slice(first, first + count).flatMap(({ account, computer }) => {
				const state = states.get(account);
				const answer = state && statusAnswerOf(state, computer);
				return answer ? [now - answer.at] : [];
			});
			return ages.length === 0
				? undefined
				: { newest: Math.min(...ages), oldest: Math.max(...ages) };
		},
	);
}
