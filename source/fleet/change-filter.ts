import { parseDuration } from '../foundation/duration.ts';
import { accountEvents, type Change, type OwnEmails, personBehind } from './change.ts';
import { phaseOf } from './computers/computer.ts';
import { type FilterTable, filterFrom } from './filters/filter.ts';
import { operationIds } from './operations/operation-table.ts';

const failure = 'failure';

export const failuresTerm = `kind:${failure}`;

/** Such as `atlas who:you kind:stop -kind:failure`. */
export const changeFilter = (
	own: OwnEmails,
	textOf: (change: Change) => string,
): FilterTable<Change> => ({
	fields: {
		who: { kind: 'text', hasFewValues: true, values: change => causesOf(change, own) },
		kind: {
			kind: 'text',
			hasFewValues: true,
			possibleValues: [...kinds, ...operationIds()],
			values: kindsOf,
			// The beginning, because `kind:start` must not find every restart.
			valueTest(typed) {
				const word = typed.toLowerCase().replace(/^=/, '');
				if (word === '') return 'a word';
				return typed.startsWith('=') ? kind => kind === word : kind => `${kind}`.startsWith(word);
			},
		},
		since: {
			kind: 'duration',
			examples: ['1h', '8h', '1d', '7d'],
			values: ({ at }, now) => [now - at],
			valueTest(typed) {
				const longest = parseDuration(typed);
				return longest ? age => Number(age) <= longest : 'a time such as 90s, 30m, 8h or 7d';
			},
		},
		on: {
			kind: 'text',
			examples: ['today', 'yesterday', 'night'],
			values: ({ at }, now) => namesOfDay(at, now),
			valueTest(typed) {
				const word = typed.toLowerCase();
				const isDay =
					/^(today|yesterday|night|(sun|mon|tue|wed|thu|fri|sat)[a-z]*|(\d{4}-)?\d\d-\d\d)$/.test(
						word,
					);
				return isDay
					? day => word.startsWith(`${day}`)
					: 'a day such as tue, today, yesterday or 11-21, or night';
			},
		},
	},
	searched: [{ kind: 'text', values: change => [textOf(change)] }],
});

/** Besides the operations. */
const kinds = [
	failure,
	'operation',
	'sent',
	'settled',
	'failed',
	'unknown',
	'cancelled',
	'status',
	'new',
	'gone',
	'credits',
	'release',
	'account',
	'hook',
];

export const lastNightTerm = 'on:night';

/** From 20:00 yesterday to 08:00 today; before 08:00, it is the night that goes on. */
export const lastNight = (now: number) => ({
	from: new Date(now).setHours(20 - 24, 0, 0, 0),
	to: new Date(now).setHours(8, 0, 0, 0),
});

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function namesOfDay(at: number, now: number): readonly string[] {
	const date = new Date(at);
	const twoDigits = (number: number) => String(number).padStart(2, '0');
	const day = `${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
	// Noon, so that a day of 23 or 25 hours does not matter.
	const noonOf = (time: number) => new Date(time).setHours(12, 0, 0, 0);
	const daysAgo = Math.round((noonOf(now) - noonOf(at)) / (24 * 3_600_000));
	const night = lastNight(now);
	const isInNight = at >= night.from && at < night.to;
	return [
		`${date.getFullYear()}-${day}`,
		day,
		...(daysAgo >= 0 && daysAgo < 7 ? [weekdays[date.getDay()] ?? ''] : []),
		...(isInNight ? ['night'] : []),
		...(daysAgo === 0 ? ['today'] : daysAgo === 1 ? ['yesterday'] : []),
	];
}

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
		case 'accountNoted': {
			const { about, isBad } = accountEvents[change.event];
			return [about, ...(isBad ? [failure] : [])];
		}
		case 'hookFailed':
			return ['hook', failure];
	}
}

export const changeFilterMistake = (text: string) =>
	filterFrom(
		text,
		changeFilter(new Set(), () => ''),
	).mistake;

export function toggledTerm(filter: string, term: string): string {
	const terms = filter.split(/\s+/).filter(each => each !== '');
	const others = terms.filter(each => each !== term);
	return (others.length < terms.length ? others : [...terms, term]).join(' ');
}
