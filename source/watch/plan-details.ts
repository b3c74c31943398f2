import { dawdling, detailGap, standInInterval } from './cadence.ts';
import type { Draft } from './draft.ts';
import { attendedOf, createTurn, type Due, never, placeOf, statusDue, statusPlace } from './due.ts';
import type { Outlook, Purse, Watched } from './outlook.ts';
import { reads } from './reads.ts';
import { dueAt, endOf, isDown } from './setback.ts';

const hour = 3_600_000;

/** What is asked per computer because the list leaves it out. */
export function planDetails(draft: Draft, outlook: Outlook, purse: Purse): void {
	const { computers, detail, detailAdds, detailTells, listTells } = outlook;
	const { now } = draft;
	const adds = detailAdds !== false;
	const standsIn = listTells === false && detailTells === true;

	const open = computers.get(detail ?? '');
	if (open) {
		const interval = adds || standsIn ? reads.detail.best : reads.detail.worst;
		offer(draft, outlook, { one: open, due: detailDue(open, interval, now) }, 0);
	}
	if (standsIn) {
		const turn = createTurn(now);
		for (const one of computers.values()) {
			const due = Math.max(statusDue(one, outlook, now), detailDue(one, 0, now));
			turn.add(one, due, statusPlace(one, outlook));
		}
		offer(draft, outlook, turn.first, standInInterval(outlook, purse, now));
	} else if (adds) {
		const gap = detailGap * dawdling(outlook);
		const attended = attendedOf(outlook);
		offer(draft, outlook, firstOf(attended, reads.detail.worst, now), gap);
		// What nobody looks at is filled in slowly: it takes from the list, which tells about everyone.
		offer(draft, outlook, firstOf(computers.values(), hour, now), 3 * gap);
	}
}

function offer(draft: Draft, outlook: Outlook, first: Due | undefined, gap: number): void {
	const { tried, spent } = outlook;
	if (!first) return;
	const free = gap > 0 ? dueAt(spent.detail, gap, draft.now) : first.due;
	const trial = isDown(tried.detail.setback) ? endOf(tried.detail.setback, draft.now) : first.due;
	draft.offer({ name: 'detail', id: first.one.id }, Math.max(first.due, free, trial));
}

function firstOf(computers: Iterable<Watched>, interval: number, now: number): Due | undefined {
	const turn = createTurn(now);
	for (const one of computers) turn.add(one, detailDue(one, interval, now), placeOf(one.detail));
	return turn.first;
}

function detailDue({ detail }: Watched, interval: number, now: number): number {
	if (detail.isInFlight) return never;
	return Math.max(dueAt(detail.askedAt, interval, now), endOf(detail.setback, now));
}
