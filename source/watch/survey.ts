import { createTurn, type Due, intervalOf, isUrgent, statusDue, statusPlace } from './due.ts';
import type { Outlook } from './outlook.ts';

/** What one pass over the fleet finds for the streams of status reads. */
export type Survey = {
	/** The first of those that are urgent, and the reads a millisecond that all of them wish for. */
	firstUrgent: Due | undefined;
	demand: number;
	/** The first of those that are not, and how many there are. */
	firstOther: Due | undefined;
	others: number;
};

export function surveyOf(outlook: Outlook, now: number): Survey {
	const turnOfUrgent = createTurn(now);
	const turnOfOthers = createTurn(now);
	let demand = 0;
	let others = 0;
	for (const one of outlook.computers.values()) {
		const due = statusDue(one, outlook, now);
		const place = statusPlace(one, outlook);
		if (isUrgent(one, now)) {
			demand += 1 / intervalOf(one, outlook, now);
			turnOfUrgent.add(one, due, place);
		} else {
			others += 1;
			turnOfOthers.add(one, due, place);
		}
	}
	const [firstUrgent, firstOther] = [turnOfUrgent.first, turnOfOthers.first];
	return { firstUrgent, demand, others, firstOther };
}
