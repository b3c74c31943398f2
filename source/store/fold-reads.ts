import type { Fact, ReadName } from '../fleet/fact.ts';
import { idleLimitOf } from '../fleet/sleep.ts';
import { isOutdated } from './sight.ts';
import type { AccountState, Failing, Sight, Sights, Watch } from './state.ts';

// The shortest of all plans, while the plan is unknown.
const shortestIdle = 15 * 60_000;

export function sightOf({ askedAt, at, every }: Pick<Fact, 'askedAt' | 'at' | 'every'>): Sight {
	return { askedAt: Math.min(askedAt ?? at, at), at, ...(every !== undefined && { every }) };
}

/** A read worked: what failed before is over. */
export function answered(account: AccountState, read: ReadName, sight: Sight): AccountState {
	const { told } = account.reads[read] ?? {};
	const isLate = isOutdated(sight.askedAt, told?.askedAt);
	return { ...account, reads: { ...account.reads, [read]: { told: isLate ? told : sight } } };
}

/** An answer about computers came, perhaps the first one after a long silence. */
export function heard(account: AccountState, { at }: Sight): AccountState & { watch: Watch } {
	const { watch, subscription } = account;
	const isSilence =
		!watch || at - watch.heardAt > (idleLimitOf(subscription?.plan) ?? shortestIdle);
	const since = isSilence ? at : watch.since;
	return { ...account, watch: { ...watch, since, heardAt: at } };
}

export function foldReadFailed(
	account: AccountState,
	fact: Extract<Fact, { type: 'readFailed' }>,
): AccountState {
	const { read, id, failure } = fact;
	const { askedAt } = sightOf(fact);
	const state = account.reads[read];
	const isLate = isOutdated(askedAt, state?.told?.askedAt);
	if (failure.kind === 'cancelled') return account;
	const failing = failingAfter(state?.failing, fact);
	const failed = isLate
		? account
		: { ...account, reads: { ...account.reads, [read]: { ...state, failing } } };
	if (id === undefined || (read !== 'status' && read !== 'detail')) return failed;
	const known: Sights = account.sights.get(id) ?? {};
	if (!account.computers.has(id) || isOutdated(askedAt, known[read]?.askedAt)) return failed;
	const failings = { ...known.failing, [read]: failingAfter(known.failing?.[read], fact) };
	return { ...failed, sights: new Map(account.sights).set(id, { ...known, failing: failings }) };
}

function failingAfter(
	known: Failing | undefined,
	fact: Extract<Fact, { type: 'readFailed' }>,
): Failing {
	const { failure, nextAt } = fact;
	const { askedAt, at } = sightOf(fact);
	return {
		failure,
		askedAt: known?.askedAt ?? askedAt,
		since: known?.since ?? at,
		last: at,
		attempts: (known?.attempts ?? 0) + 1,
		...(nextAt !== undefined && { nextAt }),
	};
}
