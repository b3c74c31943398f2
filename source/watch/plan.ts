import { rhythmOf } from './cadence.ts';
import { createDraft, type Draft } from './draft.ts';
import { createTurn } from './due.ts';
import { type Outlook, type Purses, type Read, triedOf } from './outlook.ts';
import { planAccount } from './plan-account.ts';
import { planDetails } from './plan-details.ts';
import { planLook } from './plan-look.ts';
import { ordinaryRate, planStatus } from './plan-status.ts';
import { endOf } from './setback.ts';

/** What to ask now, and when to plan again if nothing else happens before. */
export type Plan = { reads: readonly Read[]; next: number };

/**
 * Which reads to make now. Pure: all that it knows comes in, and the same always gives the same.
 *
 * ```
 *   other   ┤ asked for │ credits, subscription, release │ details │ the list: all that is left
 *   status  ┤ asked for │ urgent │ on the screen │ the rest, by age
 * ```
 *
 * Each of these flows evenly, at an interval computed from what its budget bears: nothing goes in
 * bursts, something is left for what becomes urgent, and nothing starves.
 */
export function plan(outlook: Outlook, purses: Purses, now: number): Plan {
	const draft = createDraft(purses, now);
	if (outlook.outage) {
		planProbe(draft, outlook);
		return draft;
	}
	const rates = { status: ordinaryRate(purses.status), other: purses.other };
	const rhythm = rhythmOf(outlook, rates, now);
	const look = () => planLook(draft, outlook, { purse: purses.other, rhythm });
	planWanted(draft, outlook);
	if (outlook.tried.list.askedAt < outlook.freshFrom) look();
	planAccount(draft, outlook);
	planDetails(draft, outlook, purses.other);
	look();
	if (!rhythm) planStatus(draft, outlook, purses.status);
	return draft;
}

/**
 * Nothing works: one small request at a time, at ever longer intervals. The list tells most; the
 * credits get through when a list is too large to. Operations may spend all that both are counted in,
 * for as long as they go on; then it is a status.
 */
function planProbe(draft: Draft, { tried, computers, outage }: Outlook): void {
	const { list, credits } = tried;
	if (list.isInFlight || credits.isInFlight) return;
	const due = endOf(outage, draft.now);
	const name = list.askedAt > credits.askedAt ? 'credits' : 'list';
	if (draft.offer({ name }, due) || draft.left('other') > 0) return;
	const all = [...computers.values()];
	if (all.some(({ status }) => status.isInFlight)) return;
	const turn = createTurn(draft.now);
	for (const one of all) turn.add(one, due, one.status.askedAt);
	if (turn.first) draft.offer({ name: 'status', id: turn.first.one.id, stream: 'rest' }, due);
}

function planWanted(draft: Draft, outlook: Outlook): void {
	for (const read of outlook.wanted) {
		const tried = triedOf(outlook, read);
		if (tried && !tried.isInFlight) draft.offer(read, endOf(tried.setback, draft.now));
	}
}
