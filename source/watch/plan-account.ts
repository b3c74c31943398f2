import type { Draft } from './draft.ts';
import type { Outlook } from './outlook.ts';
import { reads, timed } from './reads.ts';
import { dueAt, endOf } from './setback.ts';

/** What is told about the account as a whole goes by the clock. */
export function planAccount(draft: Draft, { tried, focused, freshFrom }: Outlook): void {
	for (const name of timed) {
		const { askedAt, isInFlight, setback } = tried[name];
		if (isInFlight) continue;
		const usual = dueAt(askedAt, focused ? reads[name].best : reads[name].worst, draft.now);
		const due = askedAt < freshFrom ? draft.now : usual;
		draft.offer({ name }, setback ? endOf(setback, draft.now) : due);
	}
}
