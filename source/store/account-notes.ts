import { type AccountEvent, accountEvents } from '../fleet/change.ts';
import { type CreditsLevel, runwayOf } from '../fleet/computers/runway.ts';
import type { Fact } from '../fleet/fact.ts';
import { memoize } from '../foundation/memoize.ts';
import { type FailingRead, isSignInFailure, outageOf } from './freshness.ts';
import { creditsLevelIn, notedLevel } from './selectors.ts';
import { type AccountState, emptyAccount } from './state.ts';
import type { Store } from './store.ts';

/** One lost answer after this machine woke up is no outage. */
const minFailingMs = 10_000;

const creditsEvents: Readonly<Record<CreditsLevel, AccountEvent>> = {
	low: 'creditsLow',
	enough: 'creditsEnough',
};

/** An account that has never answered is not down, and credits of which nothing is known are enough. */
export function noteAccountChanges(store: Store, name: string, lowCreditsMs: () => number): void {
	// It takes milliseconds, and most facts change none of these.
	const runwayFrom = memoize(
		(
			samples: AccountState['samples'],
			changes: AccountState['changes'],
			computers: AccountState['computers'],
		) => runwayOf({ samples, changes, computers }),
	);
	function levelOf(account: AccountState, before?: CreditsLevel) {
		const { samples, changes, computers } = account;
		return creditsLevelIn(account, lowCreditsMs(), runwayFrom(samples, changes, computers), before);
	}
	let known: { isUp: boolean | undefined; level: CreditsLevel | undefined } | undefined;

	store.onFact((fact, before, after) => {
		const account = after.accounts.get(name);
		if (fact.account !== name || !account || isRestored(fact)) return;
		const earlier = before.accounts.get(name) ?? emptyAccount;
		if (account === earlier) return;
		known ??= { isUp: lastUp(earlier), level: notedLevel(earlier) ?? levelOf(earlier) };
		const note = (event: AccountEvent, message?: string) =>
			store.receive([
				{
					account: name,
					at: fact.at,
					type: 'changeNoted',
					change: { type: 'accountNoted', at: fact.at, notBefore: fact.at, event, message },
				},
			]);

		const outage = outageOf(account, fact.at);
		const { isUp } = known;
		if (outage && isLasting(outage, fact.at)) {
			// A person who signs out knows that the account no longer answers.
			const hasSignedOut = account.signIn?.hasSignedOut;
			if (isUp) known.isUp = hasSignedOut ? undefined : false;
			if (isUp && !hasSignedOut) note('accountDown', outage.streak.failure.message);
		} else if (!outage && account.reads.list?.answer) {
			known.isUp = true;
			if (isUp === false) note('accountUp');
		}

		const { level = 'enough' } = known;
		known.level = levelOf(account, level);
		if (known.level && known.level !== level) note(creditsEvents[known.level]);
	});
}

const isRestored = ({ type, askedAt }: Fact) =>
	type === 'recalled' || (type === 'answered' && askedAt === undefined);

const isLasting = (cause: FailingRead, now: number) =>
	isSignInFailure(cause) || now - cause.streak.firstFailedAt >= minFailingMs;

function lastUp(account: AccountState): boolean | undefined {
	let isUp = account.contact ? true : undefined;
	for (const change of account.changes) {
		const row = change.type === 'accountNoted' && accountEvents[change.event];
		if (row && row.about === 'account') isUp = row.to === 'up';
	}
	return isUp;
}
