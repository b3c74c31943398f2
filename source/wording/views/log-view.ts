import type { Section } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeTextWithSeconds, weekdayText } from '../../drawing/time-text.ts';
import type { OperationMove } from '../../fleet/change.ts';
import { durationText } from '../../foundation/duration.ts';
import { chosenLine, type ViewCursors } from '../../screen/choice.ts';
import type { Filters } from '../../screen/view-table.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { loggedBatchText, targetText } from '../phrases/outcome-text.ts';
import type { createLogFilter } from './log-filter.ts';
import { type createLogLines, dayOf, type LogLine } from './log-lines.ts';
import { changeSpans, earliestTimeSpans, glyphSpanOf } from './log-text.ts';

//  Log                                                                            212 entries
// ❯ 08:14:09 ● borealis: creating → active in 48 s
//   08:12:31   eridanus: stopped by you in 9 s
//   08:05:12   you stopped 16 computers (altair, altair-3 …) in 31 s ▸
//   ─ Fri 2026-11-20 ─────────────────────────────────────────────────────────────────────────
//   23:10:00 ○ cygnus: active → stopped (asleep), some time after 22:40

type LogLineOptions = { now: number; width: number; theme: Theme };

type LogOptions = LogLineOptions & {
	account: Pick<JointAccount, 'changes'>;
	accounts: readonly OpenedAccount[];
	filters: Pick<Filters, 'log'>;
	unfoldedIds: ReadonlySet<string>;
	viewCursors: ViewCursors;
	logOf: ReturnType<typeof createLogFilter>;
	logLinesOf: ReturnType<typeof createLogLines>;
	logLineSpans: LogLineFormatter;
};

/** Formats a line of the log. */
export type LogLineFormatter = (line: LogLine, options: LogLineOptions) => readonly Span[];

function linesOf({ account, accounts, filters, unfoldedIds, ...options }: LogOptions) {
	const changes = options.logOf(account.changes, filters.log);
	const profiles = accounts.map(({ profile }) => profile);
	return options.logLinesOf(changes, unfoldedIds, dayOf(options.now), ...profiles);
}

export function logTitle(options: LogOptions): readonly [Span[], Span[]] {
	const { entryCount: count } = linesOf(options);
	const { filters } = options;
	const noun = count === 1 ? 'entry' : 'entries';
	const matching = filters.log === '' ? '' : count === 1 ? ' matches' : ' match';
	return [[['Log', 'strong']], [[` ${count} ${noun}${matching} `, 'faint']]];
}

export function logSections(options: LogOptions): readonly Section[] {
	const { filters, viewCursors, logLineSpans } = options;
	const { lines, choices } = linesOf(options);
	if (lines.length === 0) return [[{ type: 'lines', lines: emptyLogLines(filters.log) }]];
	const lineAt = (index: number) => {
		const line = lines[index];
		return line ? logLineSpans(line, options) : [];
	};
	const cursorLine = chosenLine(viewCursors.log, choices);
	return [[{ type: 'list', count: lines.length, lineAt, cursorLine }]];
}

/** Returns the lines that the cursor can choose: all but those of the days. */
export const logChoices = (options: LogOptions) => linesOf(options).choices;

function emptyLogLines(filter: string): readonly (readonly Span[])[] {
	if (filter === '') return [[[' Nothing has happened yet.', 'faint']]];
	return [[[' No log line matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']]];
}

/** Formats a line of the log for the screen. */
export function logLineSpans(line: LogLine, options: LogLineOptions): readonly Span[] {
	const { now, width, theme } = options;
	const { glyphs } = theme;
	if (line.type === 'day') {
		const text = ` ${glyphs.rule} ${dayText(line.at)} `;
		return [[text + glyphs.rule.repeat(Math.max(0, width - text.length - 2)), 'faint']];
	}
	const [first] = line.type === 'batch' ? line.moves : [line.change];
	const at = first?.at ?? now;
	// Its day stands above the line, so the time of day is enough.
	const time: Span = [` ${timeTextWithSeconds(at, at)} `, 'faint'];
	if (line.type === 'change') {
		const { change, isPart } = line;
		const begin = [time, [isPart ? '  ' : ''] as const, glyphSpanOf(change, theme), [' '] as const];
		return [...begin, ...logEntrySpans(line), ...earliestTimeSpans(change, now)];
	}
	const hasFailed = line.moves.some(({ to }) => to === 'failed');
	const sign: Span = hasFailed ? [glyphs.error, 'bad'] : [' '];
	const fold: Span = [` ${line.isUnfolded ? glyphs.unfolded : glyphs.folded}`, 'accent'];
	return [time, sign, [' '], ...logEntrySpans(line), fold];
}

/** Says what happened, without the time of day. */
export function logEntrySpans(line: Exclude<LogLine, { type: 'day' }>): readonly Span[] {
	if (line.type === 'batch') return batchSpans(line.moves);
	const { change, sentAt } = line;
	const isDone = change.type === 'operationMoved' && change.to === 'settled';
	const took = isDone && sentAt !== undefined ? ` in ${durationText(change.at - sentAt)}` : '';
	return [...changeSpans(change), [took]];
}

const maxNames = 2;

/** Sums up a batch, as in "you stopped 15 of 16 computers (altair, altair-3 …) in 31 s, 1 failed". */
function batchSpans(moves: readonly OperationMove[]): readonly Span[] {
	const [latest] = moves;
	if (!latest) return [];
	const counts = { sent: 0, settled: 0, failed: 0, unknown: 0, cancelled: 0 };
	for (const { to } of moves) counts[to] += 1;
	const names = moves
		.slice(-maxNames)
		.reverse()
		.map(({ wish }) => targetText(wish));
	const those = `computers (${names.join(', ')}${moves.length > maxNames ? ' …' : ''})`;
	const isOver = counts.sent === 0;
	const count = { done: counts.settled, total: moves.length, isOver };
	const begin = loggedBatchText(latest.wish.operation, count);
	const begunAt = moves.reduce((least, { at, took }) => Math.min(least, at - took), latest.at);
	const time = ` in ${durationText(latest.at - begunAt)}`;
	const text = isOver
		? `${begin} ${those}${time}`
		: `${begin} ${those}: ${counts.settled} done, ${counts.sent} under way`;
	const rest = (['failed', 'unknown', 'cancelled'] as const).flatMap((state): readonly Span[] =>
		counts[state] === 0
			? []
			: [[`, ${counts[state]} ${state}`, state === 'failed' ? 'bad' : undefined]],
	);
	return [[text], ...rest];
}

function dayText(at: number): string {
	const date = new Date(at);
	const twoDigits = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
	return `${weekdayText(at)} ${day}`;
}
