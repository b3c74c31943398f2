import type { Fact } from '../fleet/fact.ts';
import { answered, heard, sightOf } from './fold-reads.ts';
import { wasGone, withoutComputers } from './gone.ts';
import { withChanges } from './log.ts';
import { withMovedPhases } from './moved-phases.ts';
import { observe, statusChangeOf } from './observe.ts';
import { type Answer, isOutdated, laterLook, statusKnownFrom } from './sight.ts';
import type { AccountState, Look, Sights } from './state.ts';
import { hasUnderWay } from './under-way.ts';

/** An answer about one computer. */
export function foldReading(
	account: AccountState,
	fact: Extract<Fact, { type: 'statusRead' | 'detailRead' }>,
): AccountState {
	const { computer: reading } = fact;
	const read = fact.type === 'statusRead' ? 'status' : 'detail';
	const sight = sightOf(fact);
	const answer: Answer = { ...sight, read };
	if (wasGone(account, reading.id, answer.askedAt)) return account;
	const listening = answered(heard(account, sight), read, sight);
	const known = account.computers.get(reading.id);
	const next = observe(listening, known, reading, answer);
	const change = known && statusChangeOf(listening, known, next, answer);
	const isStatusTold = reading.status !== undefined;
	const seen = withSight(listening, reading.id, read, { ...sight, isStatusTold });
	if (next === known) return seen;
	const computers = new Map(seen.computers).set(next.id, next);
	return withChanges(withMovedPhases({ ...seen, computers }, answer.askedAt), [change]);
}

function withSight(
	account: AccountState,
	id: string,
	read: 'status' | 'detail',
	look: Look,
): AccountState {
	const { failing, ...sights }: Sights = account.sights.get(id) ?? {};
	const { [read]: _, ...others } = failing ?? {};
	const next: Sights = {
		...sights,
		[read]: laterLook(sights[read], look),
		...(Object.keys(others).length > 0 && { failing: others }),
	};
	return { ...account, sights: new Map(account.sights).set(id, next) };
}

/**
 * The platform does not know a computer by its id. While the list still names it, the next list
 * decides; and one that is only just being created may not be known everywhere yet.
 */
export function foldMissed(
	account: AccountState,
	fact: Extract<Fact, { type: 'computerMissed' }>,
): AccountState {
	const sight = sightOf(fact);
	const answer: Answer = { ...sight, read: 'status' };
	const known = account.computers.get(fact.id);
	if (!known || isOutdated(answer.askedAt, statusKnownFrom(account, known))) return account;
	const listening = answered(heard(account, sight), 'status', sight);
	if (known.listed === 'absent' && !hasUnderWay(account, fact.id, ['create'])) {
		const change = statusChangeOf(listening, known, undefined, answer);
		return withChanges(withoutComputers(listening, [fact.id], answer.at), [change]);
	}
	const computers = new Map(listening.computers).set(fact.id, { ...known, isMissing: true });
	return { ...listening, computers };
}
