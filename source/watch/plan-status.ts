import { dawdling } from './cadence.ts';
import type { Draft } from './draft.ts';
import { attendedOf, createTurn, type Due, isUrgent, statusDue, statusPlace } from './due.ts';
import type { Outlook, Purse, Stream, Watched } from './outlook.ts';
import { reads } from './reads.ts';
import { dueAt, endOf, isDown } from './setback.ts';
import { type Survey, surveyOf } from './survey.ts';

// What is urgent leaves a twelfth to the others; of what these have, the screen gets half.
const urgentShare = 11 / 12;
const attendedShare = 1 / 2;

// Kept back, so that what becomes urgent need not wait for a slot; and while a new screen is filled.
const kept = 1 / 30;
const keptOfFilling = 1 / 4;

/** What the budget for the status bears for good when nothing is urgent. */
export const ordinaryRate = ({ rate }: Purse): number => rate * (1 - kept);

/** Three streams of reads share the budget; each asks first about who has waited longest. */
export function planStatus(draft: Draft, outlook: Outlook, purse: Purse): void {
	if (isDown(outlook.tried.status.setback)) {
		planTrial(draft, outlook);
	} else {
		const survey = surveyOf(outlook, draft.now);
		const urgentRate = planUrgent(draft, outlook, purse, survey);
		const ordinary = Math.max(ordinaryRate(purse) - urgentRate, purse.rate * (1 - urgentShare));
		planOrdinary(draft, outlook, purse, { rate: ordinary / dawdling(outlook), survey });
	}
}

// One at a time until one works, who failed least first: the others may be broken for good.
function planTrial(draft: Draft, outlook: Outlook): void {
	const all = [...outlook.computers.values()];
	const failures = ({ status }: Watched) => status.setback?.count ?? 0;
	const order = (a: Watched, b: Watched) =>
		failures(a) - failures(b) || a.status.askedAt - b.status.askedAt;
	if (all.length === 0 || all.some(({ status }) => status.isInFlight)) return;
	const one = all.reduce((first, each) => (order(each, first) < 0 ? each : first));
	const end = endOf(outlook.tried.status.setback, draft.now);
	const due = Math.max(statusDue(one, outlook, draft.now), end);
	offer(draft, one, 'rest', due);
}

// The few that can all be asked as often as they wish are; more of them take turns. Says what they use.
function planUrgent(draft: Draft, outlook: Outlook, purse: Purse, survey: Survey): number {
	const { now } = draft;
	const { firstUrgent, demand } = survey;
	const rate = Math.min(demand, purse.rate * urgentShare);
	if (demand > rate) {
		const free = dueAt(outlook.spent.urgent, 1 / rate, now);
		if (firstUrgent) offer(draft, firstUrgent.one, 'urgent', Math.max(firstUrgent.due, free));
	} else if (demand > 0) {
		for (const one of outlook.computers.values()) {
			if (isUrgent(one, now)) offer(draft, one, 'urgent', statusDue(one, outlook, now));
		}
	}
	return rate;
}

function planOrdinary(
	draft: Draft,
	outlook: Outlook,
	purse: Purse,
	{ rate, survey }: { rate: number; survey: Survey },
): void {
	const { now } = draft;
	const { spent, tried, listTells, freshFrom } = outlook;
	const least = Math.ceil(purse.rate * 60_000 * kept);
	const attended = attendedOf(outlook).filter(one => !isUrgent(one, now));
	const due = (one: Watched) => statusDue(one, outlook, now);

	if (listTells === false || isDown(tried.list.setback)) {
		const keep = Math.ceil(purse.rate * 60_000 * keptOfFilling);
		for (const one of attended.filter(each => each.status.askedAt < freshFrom)) {
			offer(draft, one, 'attended', due(one), keep);
		}
	}

	const flow = (first: Due | undefined, stream: 'attended' | 'rest', share: number) => {
		if (!first || share <= 0) return;
		const free = dueAt(spent[stream], 1 / share, now);
		offer(draft, first.one, stream, Math.max(first.due, free), least);
	};
	const most = survey.others > attended.length ? rate * attendedShare : rate;
	const attendedRate = Math.min(attended.length / reads.status.best, most);
	const turn = createTurn(now);
	for (const one of attended) turn.add(one, due(one), statusPlace(one, outlook));
	flow(turn.first, 'attended', attendedRate);
	flow(survey.firstOther, 'rest', rate - attendedRate);
}

function offer(draft: Draft, one: Watched, stream: Stream, due: number, keep = 0): void {
	draft.offer({ name: 'status', id: one.id, stream }, due, { keep });
}
