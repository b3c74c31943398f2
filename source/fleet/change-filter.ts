import { durationFrom } from '../foundation/duration.ts';
import { type FilteredParts, termFilterFrom } from '../foundation/term-filter.ts';
import type { TypingProblem } from '../foundation/unknown-name.ts';
import { type Change, type OwnEmails, personBehind } from './change.ts';
import { phaseOf } from './computers/computer.ts';

/** The words by which `kind:failure` and the key for failures find a change. */
const failure = 'failure';

/** The filter for everything that went wrong: failed operations, unknown outcomes and computers in error. */
export const failuresTerm = `kind:${failure}`;

/** Returns the parts of a change that the filter of the log looks at. */
export const changeFilterParts = (
	own: OwnEmails,
	textOf: (change: Change) => string,
	now = 0,
): FilteredParts<Change> => ({
	textOf,
	tests: { since: value => sinceTest(value, now), on: value => dayTest(value, now) },
	fields: { who: change => causesOf(change, own), kind: kindsOf },
});

type ChangeTest = ((change: Change) => boolean) | TypingProblem;

/** Tests whether a change is at most this old, as in `since:8h`. */
function sinceTest(value: string, now: number): ChangeTest {
	const ms = durationFrom(value);
	if (!ms) return { problem: 'since takes a time such as 90s, 30m, 8h or 7d' };
	return ({ at }) => at >= now - ms;
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const dayMs = 24 * 3_600_000;

/** Tests the day of a change: a weekday of the last seven days, today, yesterday, or a date with or without its year. */
function dayTest(value: string, now: number): ChangeTest {
	const dateOf = (at: number) => {
		const date = new Date(at);
		const twoDigits = (number: number) => String(number).padStart(2, '0');
		const [month, day] = [twoDigits(date.getMonth() + 1), twoDigits(date.getDate())];
		return `${date.getFullYear()}-${month}-${day}`;
	};
	if (/^(\d{4}-)?\d\d-\d\d$/.test(value)) return ({ at }) => dateOf(at).endsWith(value);
	const weekday = value.length >= 3 ? weekdays.findIndex(name => value.startsWith(name)) : -1;
	const daysAgo =
		value === 'today'
			? 0
			: value === 'yesterday'
				? 1
				: weekday < 0
					? undefined
					: (new Date(now).getDay() - weekday + 7) % 7;
	if (daysAgo === undefined)
		return { problem: 'on takes a day such as tue, today, yesterday or 11-21' };
	// Noon, so that a day of 23 or 25 hours does not matter.
	const noon = new Date(now).setHours(12, 0, 0, 0);
	const wanted = dateOf(noon - daysAgo * dayMs);
	return ({ at }) => dateOf(at) === wanted;
}

/** Whether the matches of a filter change while time passes. */
export const dependsOnTime = (filter: string): boolean => /(^|\s)-?(since|on):/i.test(filter);

/** Returns who caused a change: "you" or an e-mail address, or else the platform. */
function causesOf(change: Change, own: OwnEmails): readonly string[] {
	if (change.type === 'operationMoved')
		return [...new Set([personBehind(change, own), change.who ?? 'you'])];
	// For a stop, the reason says whether a person asked for it.
	return [change.type === 'statusChanged' && change.reason === 'asked' ? 'you' : 'platform'];
}

function kindsOf(change: Change): readonly string[] {
	switch (change.type) {
		case 'statusChanged': {
			const hasFailed = change.to !== null && phaseOf(change.to) === 'error';
			const special = change.from === null ? ['new'] : change.to === null ? ['gone'] : [];
			return ['status', ...special, ...(hasFailed ? [failure] : [])];
		}
		case 'operationMoved': {
			const hasFailed = change.to === 'failed' || change.to === 'unknown';
			const { operation } = change.wish;
			return ['operation', operation, change.to, ...(hasFailed ? [failure] : [])];
		}
		case 'toppedUp':
			return ['credits'];
		case 'released':
			return ['release'];
		case 'hookFailed':
			return ['hook', failure];
	}
}

/** Parses the filter of the log, such as `atlas who:you kind:stop -kind:failure`. */
export const changeFilterFrom = (
	text: string,
	own: OwnEmails,
	textOf: (change: Change) => string,
	now?: number,
) => termFilterFrom(text, changeFilterParts(own, textOf, now));

/** Returns the mistake in a filter of the log; undefined for a valid filter. */
export const changeFilterMistake = (text: string) =>
	changeFilterFrom(text, new Set(), () => '').mistake;

/** Adds the term at the end of the filter. If the filter has the term already, removes it. */
export function toggledTerm(filter: string, term: string): string {
	const terms = filter.split(/\s+/).filter(each => each !== '');
	const others = terms.filter(each => each !== term);
	return (others.length < terms.length ? others : [...terms, term]).join(' ');
}
