import type { Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { spanText, timeText } from '../drawing/time-text.ts';
import type { Change, OperationMove, StatusChange } from '../fleet/change.ts';
import { type Phase, phaseOf } from '../fleet/computer.ts';
import { memoize } from '../fleet/memoize.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import { operationTable } from '../operations/operation-table.ts';
import { phaseStyles } from './status-text.ts';

/** One change with its time, for the log and the footer. */
export function changeSpans(change: Change, now: number): readonly Span[] {
	return [[`${timeText(change.at, now)} `, 'faint'], ...whatChanged(change)];
}

/** What happened, without its time. */
export function whatChanged(change: Change): readonly Span[] {
	switch (change.type) {
		case 'statusChanged':
			return statusChangeSpans(change);
		case 'operationMoved':
			return [[operationText(change), change.to === 'failed' ? 'bad' : undefined]];
		case 'toppedUp':
			return [[`credits topped up by ${(change.to - change.from).toFixed(2)}`]];
		case 'released':
			return [[`version ${change.to} is out`, 'accent']];
	}
}

function statusChangeSpans({ id, name, from, to, lasted, reason }: StatusChange): readonly Span[] {
	const who = name ?? id;
	if (to === null) return [[`${who} is gone`]];
	if (from === null) return [[`${who} is new: ${wordOf(to)}`]];
	const time = lasted === undefined ? '' : ` ${inOrAfter(from, to)} ${spanText(lasted)}`;
	const why = reason === 'asleep' ? ' (asleep)' : reason === 'credits' ? ' (out of credits)' : '';
	const isBad = phaseOf(to) === 'error';
	return [[`${who}: ${wordOf(from)} → ${wordOf(to)}${time}${why}`, isBad ? 'bad' : undefined]];
}

const transientPhases: readonly Phase[] = [
	'creating',
	'starting',
	'stopping',
	'restarting',
	'updating',
];

/** "in 24s" for the end of a transition, "after 24s" for the end of a stable phase. */
function inOrAfter(from: string, to: string): 'in' | 'after' {
	return transientPhases.includes(phaseOf(from)) && !transientPhases.includes(phaseOf(to))
		? 'in'
		: 'after';
}

function wordOf(status: string): string {
	const phase = phaseOf(status);
	return phase === 'unknown' ? status : phaseStyles[phase].label.toLowerCase();
}

function operationText({ wish, to, message }: OperationMove): string {
	const what = targetOf(wish);
	const why = message ? `: ${message}` : '';
	switch (to) {
		case 'settled':
			return `you ${operationTable[wish.operation].done} ${what}`;
		case 'failed':
			return `could not ${wish.operation} ${what}${why}`;
		case 'cancelled':
			return `you cancelled: ${wish.operation} ${what}`;
		case 'unknown':
			return `${wish.operation} ${what}: outcome unknown${why}`;
		case 'sent':
			return `${wish.operation} ${what} requested`;
	}
}

/** "atlas", or "port 8080 of atlas" */
export function targetOf({ operation, name, computer, port }: OperationSpec): string {
	const who = name ?? computer ?? 'a computer';
	if (operation !== 'publish' && operation !== 'unpublish') return who;
	return `${port === undefined ? 'a port' : `port ${port}`} of ${who}`;
}

//  08:14             ● borealis: creating → active in 48s
//  08:12               you stopped eridanus
//  2026-11-20 23:10  ○ cygnus: active → stopped (asleep), some time after 22:40

type LogLineOptions = { now: number; width: number; theme: Theme };

const narrow = 60;

// A shorter gap between two reads is not worth mentioning.
const doubtShownFrom = 5 * 60_000;

/** Formats changes as lines whose times share one column. */
export function createLogLine(
	changes: readonly Change[],
	{ now, width, theme }: LogLineOptions,
): (change: Change) => readonly Span[] {
	const when = (at: number) => whenText(at, now, width);
	const ends = [changes[0], changes.at(-1)].flatMap(change => change ?? []);
	const widest = Math.max(0, ...ends.map(({ at }) => when(at).length));
	return change => [
		[` ${when(change.at).padEnd(widest)}  `, 'faint'],
		signOf(change, theme),
		[' '],
		...whatChanged(change),
		...doubtSpans(change, now),
	];
}

// The time for today, the date for earlier days.
function whenText(at: number, now: number, width: number): string {
	const text = timeText(at, now);
	const [date, time] = text.split(' ');
	return width < narrow && time !== undefined ? (date ?? '').slice(-5) : text;
}

function signOf(change: Change, { glyphs }: Theme): Span {
	switch (change.type) {
		case 'statusChanged': {
			if (change.to === null) return [glyphs.none, 'faint'];
			const { glyph, token } = phaseStyles[phaseOf(change.to)];
			return [String(glyphs[glyph]), token];
		}
		case 'operationMoved':
			if (change.to === 'failed') return [glyphs.error, 'bad'];
			return change.to === 'unknown' ? [glyphs.unknown, 'busy'] : [' '];
		case 'toppedUp':
			return ['+', 'good'];
		case 'released':
			return [glyphs.update, 'accent'];
	}
}

/** After a gap in the reads, only an earliest time of the change is known. */
function doubtSpans(change: Change, now: number): readonly Span[] {
	if (change.type === 'operationMoved' || change.at - change.notBefore < doubtShownFrom) return [];
	return [[`, some time after ${timeText(change.notBefore, now)}`, 'faint']];
}

/**
 * Filters the changes, newest first: each word must occur, and a word after `-` must not. The result keeps
 * its identity while nothing changes.
 */
export function createLogFilter(): (
	changes: readonly Change[],
	filter: string,
) => readonly Change[] {
	return memoize((changes, filter) => {
		const words = filter
			.toLowerCase()
			.split(/\s+/)
			.filter(word => word.replace(/^-/, '') !== '');
		return changes.filter(change => isMatch(change, words)).reverse();
	});
}

function isMatch(change: Change, words: readonly string[]): boolean {
	if (words.length === 0) return true;
	const text = searchText(change);
	return words.every(word =>
		word.startsWith('-') ? !text.includes(word.slice(1)) : text.includes(word),
	);
}

/** The text of the line, and the ids and statuses in the platform's own words. */
function searchText(change: Change): string {
	const said = whatChanged(change).map(([text]) => text);
	return [...said, ...subjectsOf(change)].join(' ').toLowerCase();
}

function subjectsOf(change: Change): readonly string[] {
	if (change.type === 'statusChanged') return [change.id, change.from ?? '', change.to ?? ''];
	if (change.type !== 'operationMoved') return [];
	const { wish, to, who = '' } = change;
	return [wish.operation, wish.computer ?? '', to, who];
}
