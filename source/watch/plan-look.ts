import { listInterval, type Rhythm } from './cadence.ts';
import type { Draft } from './draft.ts';
import { statusDue } from './due.ts';
import type { Outlook, Purse } from './outlook.ts';
import { dueAt, endOf } from './setback.ts';

/** Looks at the whole fleet: by the list, or in its place by a round of status reads. */
export function planLook(
	draft: Draft,
	outlook: Outlook,
	{ purse, rhythm }: { purse: Purse; rhythm: Rhythm | undefined },
): void {
	const { tried, look, freshFrom, listRequests } = outlook;
	const { askedAt, isInFlight, setback } = tried.list;
	if (isInFlight) return;
	const isStale = askedAt < freshFrom;
	const usual = dueAt(look.at, rhythm?.every ?? listInterval(outlook, purse, draft.now), draft.now);
	const due = setback ? endOf(setback, draft.now) : isStale ? draft.now : usual;
	const isRoundDue = !isStale && due <= draft.now && rhythm && look.lists >= rhythm.lists;
	if (isRoundDue && planRound(draft, outlook)) return;
	// A list of very many pages goes when half of the budget is there, and waits between its pages.
	const half = Math.floor((purse.rate * 60_000) / 2);
	draft.offer({ name: 'list' }, due, { cost: Math.max(1, Math.min(listRequests, half)) });
}

function planRound(draft: Draft, outlook: Outlook): boolean {
	const { computers } = outlook;
	if (draft.left('status') < computers.size) return false;
	const asked = [...computers.values()].filter(one =>
		draft.offer(
			{ name: 'status', id: one.id, stream: 'round' },
			statusDue(one, outlook, draft.now),
		),
	);
	return asked.length > 0;
}
