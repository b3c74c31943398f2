import type { Section } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeText } from '../../drawing/time-text.ts';
import type { Change, OperationMove, StatusChange } from '../../fleet/change.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import type { Operation } from '../../fleet/operations/operation.ts';
import { durationText } from '../../foundation/duration.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Filters } from '../../screen/view-table.ts';
import type { JointAccount } from '../../store/state.ts';
import { type Outcome, outcomeWords } from '../phrases/outcome-text.ts';
import { phaseStyles, statusWord, stopReasonText } from '../table/status-text.ts';

/** Describes one change, preceded by its time. */
export function timedChangeSpans(change: Change, now: number): readonly Span[] {
	return [[`${timeText(change.at, now)} `, 'faint'], ...changeSpans(change)];
}

/** Describes one change without its time. */
export function changeSpans(change: Change): readonly Span[] {
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
	const computer = name ?? id;
	if (to === null) return [[`${computer} is gone`]];
	if (from === null) return [[`${computer} is new: ${statusWord(to)}`]];
	const time =
		lasted === undefined ? '' : ` ${durationPreposition(from, to)} ${durationText(lasted)}`;
	const stopReason = stopReasonText(reason);
	const reasonText = stopReason === undefined ? '' : ` (${stopReason})`;
	const isBad = phaseOf(to) === 'error';
	return [
		[
			`${computer}: ${statusWord(from)} → ${statusWord(to)}${time}${reasonText}`,
			isBad ? 'bad' : undefined,
		],
	];
}

const transientPhases: readonly Phase[] = [
	'creating',
	'starting',
	'stopping',
	'restarting',
	'updating',
];

/**
 * Chooses "in 24s" after a transient phase such as starting, and "after 24s" after a stable phase such as
 * active.
 */
function durationPreposition(from: string, to: string): 'in' | 'after' {
	return transientPhases.includes(phaseOf(from)) && !transientPhases.includes(phaseOf(to))
		? 'in'
		: 'after';
}

/** Returns how far an operation had come at a change. `operation` is its state, if the store still has it. */
export function loggedOutcome(
	{ wish, to, message }: OperationMove,
	operation?: Operation,
): Outcome {
	const { advice } = operation?.failure ?? {};
	const isFinal = operation?.stage === 'failed';
	return { ...wish, stage: to === 'settled' ? 'done' : to, reason: message, advice, isFinal };
}

function operationText(change: OperationMove): string {
	const { line } = outcomeWords(loggedOutcome(change));
	// The log also has changes that no operation of this program caused.
	return change.to === 'settled' ? `${line} by you` : line;
}

//  08:14             ● borealis: creating → active in 48s
//  08:12               eridanus: stopped by you
//  2026-11-20 23:10  ○ cygnus: active → stopped (asleep), some time after 22:40

type LogLineOptions = { now: number; width: number; theme: Theme };

type LogOptions = LogLineOptions & {
	account: Pick<JointAccount, 'changes'>;
	filters: Pick<Filters, 'log'>;
	logOf: ReturnType<typeof createLogFilter>;
	logLines: ChangeLineFormatter;
};

/** Returns a function that formats one of these changes as a line. */
export type ChangeLineFormatter = (
	changes: readonly Change[],
	options: LogLineOptions,
) => (change: Change) => readonly Span[];

export function logTitle({ account, filters, logOf }: LogOptions): readonly [Span[], Span[]] {
	const { length: total } = account.changes;
	const of = filters.log === '' ? '' : `${logOf(account.changes, filters.log).length} of `;
	return [[['Log', 'strong']], [[` ${of}${total} ${total === 1 ? 'entry' : 'entries'} `, 'faint']]];
}

export function logSections(options: LogOptions): readonly Section[] {
	const { account, filters, logOf, logLines } = options;
	const entries = logOf(account.changes, filters.log);
	if (entries.length === 0) return [[{ type: 'lines', lines: emptyLogLines(filters.log) }]];
	const lineOf = logLines(entries, options);
	const lineAt = (index: number) => {
		const change = entries[index];
		return change ? lineOf(change) : [];
	};
	return [[{ type: 'list', count: entries.length, lineAt }]];
}

function emptyLogLines(filter: string): readonly (readonly Span[])[] {
	if (filter === '') return [[[' Nothing has happened yet.', 'faint']]];
	return [[[' No log line matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']]];
}

const narrowWidth = 60;

// The time of a change is uncertain by the gap between two reads. Only longer gaps are mentioned.
const minShownUncertaintyMs = 5 * 60_000;

/**
 * Returns a function that formats a change as a line of the log. `changes` holds all lines, so that their
 * times can be padded to one width.
 */
export function createLogLineFormatter(
	changes: readonly Change[],
	{ now, width, theme }: LogLineOptions,
): (change: Change) => readonly Span[] {
	const timeOf = (at: number) => logTimeText(at, now, width);
	const firstAndLast = [changes[0], changes.at(-1)].flatMap(change => change ?? []);
	const widest = Math.max(0, ...firstAndLast.map(({ at }) => timeOf(at).length));
	return change => [
		[` ${timeOf(change.at).padEnd(widest)}  `, 'faint'],
		glyphSpanOf(change, theme),
		[' '],
		...changeSpans(change),
		...earliestTimeSpans(change, now),
	];
}

// Writes the time of day for changes of today, and the date for earlier changes; a wide log shows both.
function logTimeText(at: number, now: number, width: number): string {
	const text = timeText(at, now);
	const [date, time] = text.split(' ');
	return width < narrowWidth && time !== undefined ? (date ?? '').slice(-5) : text;
}

function glyphSpanOf(change: Change, { glyphs }: Theme): Span {
	switch (change.type) {
		case 'statusChanged': {
			if (change.to === null) return [glyphs.noValue, 'faint'];
			const { glyph, tone } = phaseStyles[phaseOf(change.to)];
			return [String(glyphs[glyph]), tone];
		}
		case 'operationMoved':
			if (change.to === 'failed') return [glyphs.error, 'bad'];
			return change.to === 'unknown' ? [glyphs.unknown, 'busy'] : [' '];
		case 'toppedUp':
			return ['+', 'good'];
		case 'released':
			return [glyphs.updateAvailable, 'accent'];
	}
}

/**
 * Mentions the earliest possible time of a change if a long gap between two reads makes the exact time
 * unknown.
 */
function earliestTimeSpans(change: Change, now: number): readonly Span[] {
	if (change.type === 'operationMoved' || change.at - change.notBefore < minShownUncertaintyMs)
		return [];
	return [[`, some time after ${timeText(change.notBefore, now)}`, 'faint']];
}

/**
 * Returns a function that filters changes by words, and returns the newest change first. A change must
 * contain each word of the filter, and no word that is written with a `-` before it. While its arguments
 * stay the same, the function returns the same array.
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
	const text = searchableText(change);
	return words.every(word =>
		word.startsWith('-') ? !text.includes(word.slice(1)) : text.includes(word),
	);
}

/**
 * Returns the text of a change that the log filter searches: the line on screen, the ids, and the statuses
 * in the platform's own words.
 */
function searchableText(change: Change): string {
	const texts = changeSpans(change).map(([text]) => text);
	return [...texts, ...searchableWordsOf(change)].join(' ').toLowerCase();
}

function searchableWordsOf(change: Change): readonly string[] {
	if (change.type === 'statusChanged') return [change.id, change.from ?? '', change.to ?? ''];
	if (change.type !== 'operationMoved') return [];
	const { wish, to, who = '' } = change;
	return [wish.operation, wish.computer ?? '', to, who];
}
