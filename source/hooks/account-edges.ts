import { type CreditsLevel, creditsLevel } from '../fleet/computers/credits-level.ts';
import { isSignInFailure, outageOf } from '../store/freshness.ts';
import { createRunwaySelector } from '../store/selectors.ts';
import type { AccountState } from '../store/state.ts';
import type { Edge } from './hook-event.ts';

/** The state of an account as a whole, without its computers, that its hooks were last informed of. */
export type KnownAccount = { credits?: CreditsLevel; account?: 'up' | 'down' };

type Circumstances = {
	now: number;
	/** Whether the account has answered since this process began to compare. */
	isAnswering: boolean;
	lowCreditsMs: number;
};

/**
 * Compares the credits and the reachability of an account with their earlier values. A value that was unknown before
 * does not count as a change.
 */
export function accountEdges(
	known: KnownAccount,
	account: AccountState,
	circumstances: Circumstances,
): { edges: readonly Edge[]; learnt: KnownAccount } {
	const { now, isAnswering } = circumstances;
	const runway = selectRunway(account);
	const credits = creditsLevel(
		{ credits: account.credits, runway },
		circumstances.lowCreditsMs,
		known.credits,
	);
	const outage = outageReason(account, now);
	const reachable = outage !== undefined ? 'down' : isAnswering ? 'up' : known.account;
	const edges: Edge[] = [];
	const base = { at: now, reason: null };
	if (credits === 'low' && known.credits === 'enough') {
		edges.push({ ...base, kind: 'creditsLow', subject: 'credits', from: 'enough', to: 'low' });
	}
	// A person who signs out knows that the account no longer answers, so no hook runs.
	const hasSignedOut = account.signIn?.isSignedIn === false && account.signIn.hasSignedOut;
	if (reachable === 'down' && known.account === 'up' && !hasSignedOut) {
		const reason = outage ?? null;
		edges.push({
			...base,
			kind: 'accountDown',
			subject: 'account',
			from: 'up',
			to: 'down',
			reason,
		});
	}
	return {
		edges,
		learnt: {
			...(credits && credits !== known.credits && { credits }),
			...(reachable && reachable !== known.account && { account: reachable }),
		},
	};
}

const selectRunway = createRunwaySelector();

// One lost answer after this machine woke up is not an outage, although the last good answer is hours old.
const minFailingMs = 10_000;

/** Returns why the account does not answer; undefined while it answers, or has failed only for a moment. */
function outageReason(account: AccountState, now: number): string | undefined {
	const outage = outageOf(account, now);
	if (!outage) return undefined;
	const { streak } = outage.cause;
	const isLasting = isSignInFailure(outage.cause) || now - streak.firstFailedAt >= minFailingMs;
	return isLasting ? streak.failure.message : undefined;
}
