import { dayMs, parseDuration } from '../foundation/duration.ts';
import * as v from '../foundation/schema.ts';
import { twoDigits, weekdayText } from '../lines/time-text.ts';
import { phaseOf } from './computers/computer.ts';
import { stopReasonSchema } from './computers/stop-reason.ts';
import { type FilterTable, filterFrom } from './filters/filter.ts';
import { operationSpecSchema } from './operations/operation.ts';
import { operationIds } from './operations/operation-table.ts';

/** The change was noticed at `at`. It happened after `notBefore`, when the old value was last seen. */
const noticedFields = { at: v.time, notBefore: v.time };

/** What may happen to an account as a whole. The log, its filter, the hooks and JSON derive from these rows. */
export const accountEvents = {
	accountDown: { about: 'account', from: 'up', to: 'down', isBad: true, words: 'is down' },
	accountUp: { about: 'account', from: 'down', to: 'up', isBad: false, words: 'is up again' },
	creditsLow: { about: 'credits', from: 'enough', to: 'low', isBad: true, words: 'are low' },
	creditsEnough: {
		about: 'credits',
		from: 'low',
		to: 'enough',
		isBad: false,
		words: 'are enough again',
	},
} as const;

export type AccountEvent = keyof typeof accountEvents;

export const accountEventNames = Object.keys(accountEvents) as readonly AccountEvent[];

const noteTable = {
	accountNoted: {
		...noticedFields,
		event: v.oneOf(accountEventNames),
		name: v.optional(v.word),
		message: v.optional(v.text),
	},
	hookFailed: { ...noticedFields, hook: v.text, message: v.text },
};

export const noteSchema = v.unionOf(noteTable);

export const changeSchema = v.unionOf({
	statusChanged: {
		...noticedFields,
		id: v.id,
		name: v.optional(v.word),
		from: v.nullable(v.word),
		to: v.nullable(v.word),
		lasted: v.optional(v.number),
		/** Before the change, the computer was stopped because its plan puts idle computers to sleep. */
		wasAsleep: v.optional(v.boolean),
		reason: v.optional(stopReasonSchema),
		error: v.optional(v.text),
	},
	operationMoved: {
		at: v.time,
		wish: operationSpecSchema,
		to: v.oneOf(['sent', 'unknown', 'failed', 'settled', 'cancelled']),
		/** With "sent": the platform has accepted the request, and the process ended without waiting for more. */
		isAccepted: v.optional(v.boolean),
		/** In milliseconds since the request was sent; since it was asked for if none was sent. */
		took: v.number,
		who: v.optional(v.word),
		/** Absent for this process, except in the journal. */
		pane: v.optional(v.word),
		/** Another machine with the same home folder. Only that machine knows its processes. */
		isElsewhere: v.optional(v.boolean),
		message: v.optional(v.text),
	},
	toppedUp: { ...noticedFields, from: v.number, to: v.number },
	released: { ...noticedFields, from: v.word, to: v.word },
	...noteTable,
});

export type Change = v.ValueOf<typeof changeSchema>;

export type StatusChange = Extract<Change, { type: 'statusChanged' }>;
export type OperationMove = Extract<Change, { type: 'operationMoved' }>;

/**
 * Two processes may have noticed the same change. Of one that was noticed as one instead of two, the part after the last
 * known status is kept:
 *
 * ```
 *   one process      active → stopping
 *   another        ├───────────── active → stopped ─────────────┤
 *   merged           active → stopping   stopping → stopped
 * ```
 */
export function mergeChanges(
	changes: readonly Change[],
	otherChanges: readonly Change[],
): readonly Change[] {
	const merged: Change[] = [];
	const places = new Map<string, number>();
	for (const change of [...changes, ...otherChanges].sort((a, b) => a.at - b.at)) {
		const subject = subjectOf(change);
		const from = 'from' in change ? change.from : undefined;
		const moment = JSON.stringify([subject, from, stateOf(change), change.at]);
		const place = places.get(moment) ?? places.get(subject) ?? -1;
		const latest = merged[place];
		const next = continuationOf(latest, change);
		if (next) {
			places.set(subject, merged.length);
			places.set(moment, merged.length);
			merged.push(next);
		} else if (latest) merged[place] = withMore(latest, change);
	}
	return merged;
}

/** A reason may have come later, or from the process that asked for the stop. */
function withMore(latest: Change, repeated: Change): Change {
	if (latest.type !== 'statusChanged' || repeated.type !== 'statusChanged') return latest;
	const { reason = repeated.reason, error = repeated.error } = latest;
	return { ...latest, reason: repeated.reason === 'asked' ? 'asked' : reason, error };
}

/** Undefined if the latest change of its subject says the same and happened in the same time. */
export function continuationOf(latest: Change | undefined, change: Change): Change | undefined {
	const notBefore = change.type === 'operationMoved' ? change.at : change.notBefore;
	if (!latest || (latest.at !== change.at && latest.at <= notBefore)) return change;
	if (stateOf(latest) === stateOf(change)) return undefined;
	if (latest.type !== 'statusChanged' || change.type !== 'statusChanged') return change;
	const { lasted = Infinity, ...rest } = change;
	const next: StatusChange = { ...rest, from: latest.to, notBefore: latest.at };
	if (lasted <= change.at - latest.notBefore) next.lasted = lasted;
	return next;
}

export type OwnEmails = ReadonlySet<string>;

/** If the user's address is not known, every operation counts as the user's own. */
const personBehind = ({ who }: OperationMove, own: OwnEmails): string =>
	who === undefined || own.size === 0 || own.has(who) ? 'you' : who;

export function requesterText(move: OperationMove, own: OwnEmails): string {
	const person = personBehind(move, own);
	return person === 'you' && move.isElsewhere ? 'you on another machine' : person;
}

/** Changes of one subject follow one another. */
export function subjectOf(change: Change): string {
	switch (change.type) {
		case 'statusChanged':
			return `computer ${change.id}`;
		case 'operationMoved':
			return `operation ${change.wish.key}`;
		case 'accountNoted':
			return accountEvents[change.event].about;
		case 'hookFailed':
			return `hook ${change.hook}`;
		case 'toppedUp':
		case 'released':
			return change.type;
	}
}

export function stateOf(change: Change): string | number | null {
	switch (change.type) {
		case 'operationMoved':
			return change.isAccepted ? 'accepted' : change.to;
		case 'accountNoted':
			return change.event;
		case 'hookFailed':
			return change.message;
		// Two processes read slightly different balances.
		case 'toppedUp':
			return change.type;
		case 'statusChanged':
		case 'released':
			return change.to;
	}
}

export function computerIdOf(change: Change): string | undefined {
	if (change.type === 'statusChanged') return change.id;
	return change.type === 'operationMoved' ? change.wish.computer : undefined;
}

/** A process that ended by itself after the platform had accepted the request left `isAccepted`. */
export function unendedOperations(changes: readonly Change[]): readonly OperationMove[] {
	const lastSteps = new Map<string, OperationMove>();
	for (const change of changes)
		if (change.type === 'operationMoved') lastSteps.set(change.wish.key, change);
	return [...lastSteps.values()].filter(({ to, pane }) => to === 'sent' && pane !== undefined);
}

export const endedWhileItRanText = 'crowsnest ended while it ran';

const failure = 'failure';

export const failuresTerm = `kind:${failure}`;

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

function namesOfDay(at: number, now: number): readonly string[] {
	const date = new Date(at);
	const day = `${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
	// Noon, so that a day of 23 or 25 hours does not matter.
	const noonOf = (time: number) => new Date(time).setHours(12, 0, 0, 0);
	const daysAgo = Math.round((noonOf(now) - noonOf(at)) / dayMs);
	const night = lastNight(now);
	const isInNight = at >= night.from && at < night.to;
	return [
		`${date.getFullYear()}-${day}`,
		day,
		...(daysAgo >= 0 && daysAgo < 7 ? [weekdayText(at).toLowerCase()] : []),
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

/** An operation with an unknown outcome counts as one as well. */
export const isFailure = (change: Change): boolean => kindsOf(change).includes(failure);

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
