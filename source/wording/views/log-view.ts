import type { Section } from '../../drawing/section.ts';
import { type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeTextWithSeconds, weekdayText } from '../../drawing/time-text.ts';
import type { Change, OwnEmails } from '../../fleet/change.ts';
import { changeFilterParts, failuresTerm } from '../../fleet/change-filter.ts';
import { phaseOf } from '../../fleet/computers/computer.ts';
import { memoize } from '../../foundation/memoize.ts';
import { createTermCompleter } from '../../foundation/term-completion.ts';
import { chosenLineIndex, type ViewCursors } from '../../screen/choice.ts';
import type { Filters } from '../../screen/view-table.ts';
import type { createOwnEmailsSelector, OpenedAccount } from '../../store/opened-accounts.ts';
import { isNothingKnown } from '../../store/freshness.ts';
import type { JointAccount } from '../../store/state.ts';
import { failingReadLines, readingText } from '../phrases/trouble-text.ts';
import { pluralize } from '../phrases/words.ts';
import { logBars } from './log-bars.ts';
import { logEntryPieces } from './log-entry.ts';
import type { createLogFilter } from './log-filter.ts';
import { type createLogLines, dayKeyOf, isLogRule, type LogLine } from './log-lines.ts';
import { fittedPieces, type LogPiece } from './log-pieces.ts';
import { earliestTimeSpans, glyphSpanOf } from './log-text.ts';
import { type createUnderWay, type UnderWayOptions, underWaySpans } from './under-way.ts';

//  Log                                                               212 events in 187 lines
//                 ▂▂         ▄▄
//   ▁▁ ▁▁ ▂▂ ▁▁ ▁▁ ▇▇ ▂▂ ▁▁ ▁▁ ✖✖ ▁▁ ▂▂ ▁▁
//   09       12       15       18       21                                the last 24 hours
// ❯ 08:15:02 ◐ draco: Restarting 4s
//   ─────────────────────────────────────────────────────────────────────────────────────────
//   08:14:09 ● borealis: creating → active in 48 s
//   08:12:31   eridanus: stopped by you in 9 s
//   08:05:12   you stopped 16 computers (altair, altair-3 …) in 31 s ▸
//   ─ Fri 2026-11-20 ─────────────────────────────────────────────────────────────────────────
//   23:10:00 ○ cygnus: active → stopped (asleep), some time after 22:40

type LogLineOptions = {
	own: OwnEmails;
	/** Returns why a computer is in error since a change; undefined for other changes and if the reason is not known. */
	reasonOf?: ((change: Change) => string | undefined) | undefined;
	now: number;
	width: number;
	theme: Theme;
};

type LogOptions = Omit<UnderWayOptions, 'changes'> & {
	account: Pick<
		JointAccount,
		'operations' | 'endedOperations' | 'changes' | 'samples' | 'contact' | 'reads'
	>;
	accounts: readonly OpenedAccount[];
	filters: Pick<Filters, 'log'>;
	viewCursors: ViewCursors;
	logOf: ReturnType<typeof createLogFilter>;
	logCompleterOf: ReturnType<typeof createLogCompleter>;
	logLinesOf: ReturnType<typeof createLogLines>;
	underWayOf: ReturnType<typeof createUnderWay>;
	ownEmailsOf: ReturnType<typeof createOwnEmailsSelector>;
	/** How many lines the view has for its title and its sections. */
	lines: number;
	logLineSpans: LogLineFormatter;
};

/** Formats a line of the log. */
export type LogLineFormatter = (line: LogLine, options: LogLineOptions) => readonly Span[];

function linesOf({ account, accounts, filters, unfoldedIds, ...options }: LogOptions) {
	const changes = options.logOf(
		account.changes,
		filters.log,
		options.ownEmailsOf(accounts),
		options.now,
	);
	const profiles = accounts.map(({ profile }) => profile);
	const { now } = options;
	const underWay = options.underWayOf(account, accounts, unfoldedIds);
	return options.logLinesOf(changes, unfoldedIds, dayKeyOf(now), underWay, ...profiles);
}

export function logTitle(options: LogOptions): readonly [Span[], Span[]] {
	const { eventCount } = linesOf(options);
	const left: Span[] = [['Log', 'strong']];
	if (options.filters.log === failuresTerm) left.push(['  failures only', 'bad']);
	return [
		left,
		isNothingKnown(options.account) ? [] : [[` ${pluralize(eventCount, 'event')} `, 'faint']],
	];
}

export function logSections(options: LogOptions): readonly Section[] {
	const { filters, viewCursors, logLineSpans, ownEmailsOf, accounts } = options;
	const { underWay, lines, choices } = linesOf(options);
	const bars: Section = [{ type: 'chart', lines: barLines(options) }];
	if (isNothingKnown(options.account)) return [unreadLogSection(options.account)];
	const isEmpty = lines.length === 0;
	const below: Section = isEmpty ? [{ type: 'lines', lines: emptyLogLines(filters.log) }] : [];
	if (isEmpty && underWay.length === 0) return [[...bars, ...below]];
	const look = { ...options, own: ownEmailsOf(accounts), reasonOf: createReasonFinder(options) };
	const ruleAt = underWay.length > 0 ? underWay.length : -1;
	const lineAt = (index: number) => {
		const running = underWay[index];
		if (running) return underWaySpans(running, { ...options, changes: options.account.changes });
		if (index === ruleAt) return ruleSpans('', options);
		const line = lines[index - ruleAt - 1];
		return line ? logLineSpans(line, look) : [];
	};
	const cursorLine = chosenLineIndex(viewCursors.log, choices);
	// Everything is one section, so that no blank line appears or disappears above the list when a filter changes its
	// length.
	const count = lines.length + ruleAt + 1;
	return [[...bars, { type: 'list', count, lineAt, cursorLine }, ...below]];
}

/** Finds why a computer is in error, for a change that was stored by an earlier version without the reason. */
function createReasonFinder({
	account: { changes },
	accounts,
}: Pick<LogOptions, 'account' | 'accounts'>) {
	const isLatest = (change: Change, id: string) =>
		changes.findLast(each => each.type === 'statusChanged' && each.id === id) === change;
	return (change: Change) => {
		if (change.type !== 'statusChanged' || change.to === null) return undefined;
		const { id, to, error } = change;
		if (error !== undefined) return error;
		if (phaseOf(to) !== 'error') return undefined;
		const computers = accounts.flatMap(({ state }) => state.computers.get(id) ?? []);
		const broken = computers.find(({ phase }) => phase === 'error');
		return broken && isLatest(change, id) ? (broken.reading.error ?? undefined) : undefined;
	};
}

const minLinesForBars = 20;
const barRows = 3;

/** Draws the lines of the last 24 hours above the log: as bars with their hours, or on a short screen as a line. */
function barLines(options: LogOptions) {
	const { account, now, width, lines: viewLines, theme } = options;
	const { lines } = linesOf(options);
	const { changes, samples, contact } = account;
	const wasWatched = (from: number, to: number) =>
		(contact !== undefined && contact.since < to && contact.lastAnswerAt >= from) ||
		[samples, changes].some(each => each.some(({ at }) => at >= from && at < to));
	const rows = viewLines < minLinesForBars ? 1 : barRows;
	return logBars({ lines, wasWatched, now, width: width - 2, rows, theme });
}

/** Completes the words of the filter with the fields and values that the log has. */
export const logCompletions = ({ account, accounts, ownEmailsOf, logCompleterOf }: LogOptions) =>
	logCompleterOf(account.changes, ownEmailsOf(accounts));

export const createLogCompleter = () =>
	memoize((changes: readonly Change[], own: OwnEmails) =>
		createTermCompleter(
			changes,
			changeFilterParts(own, () => ''),
		),
	);

/** Returns the lines that the cursor can choose: all lines except rules and the headings of days. */
export const logChoices = (options: LogOptions) => linesOf(options).choices;

/** Says that the log is not known yet, because nothing has been read, neither from earlier runs nor from the platform. */
function unreadLogSection({ reads: { list } }: Pick<JointAccount, 'reads'>): Section {
	return list?.failing
		? [{ type: 'lines', lines: failingReadLines('list', list.failing) }]
		: [{ type: 'waiting', text: readingText('list') }];
}

function emptyLogLines(filter: string): readonly (readonly Span[])[] {
	if (filter === '') return [[[' Nothing has happened yet.', 'faint']]];
	if (filter === failuresTerm) return [[[' Nothing has failed. e shows everything.', 'faint']]];
	return [[[' No log line matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']]];
}

/** Formats a line of the log for the screen. */
export function logLineSpans(line: LogLine, options: LogLineOptions): readonly Span[] {
	const { own, now, width, theme } = options;
	const { glyphs } = theme;
	if (isLogRule(line)) return ruleSpans(` ${dayText(line.at)} `, options);
	const [first] = line.type === 'batch' ? line.moves : [line.change];
	const at = first?.at ?? now;
	// The day stands in the heading above, so the time of day is enough.
	const time: Span = [` ${timeTextWithSeconds(at, at)} `, 'faint'];
	// One cell is for the cursor.
	const fitted = (
		begin: readonly Span[],
		pieces: readonly LogPiece[],
		end: readonly Span[] = [],
	) => {
		const room = width - 1 - widthOf([...begin, ...end], theme);
		return [...begin, ...fittedPieces(pieces, room, theme), ...end];
	};
	if (line.type === 'change') {
		const { change, isPart } = line;
		const begin = [time, [isPart ? '  ' : ''] as const, glyphSpanOf(change, theme), [' '] as const];
		const earliest = earliestTimeSpans(change, now).map(
			(span): LogPiece => ({ span, part: 'earliestTime' }),
		);
		return fitted(begin, [...logEntryPieces(line, own, options.reasonOf?.(change)), ...earliest]);
	}
	const hasFailed = line.moves.some(({ to }) => to === 'failed');
	const sign: Span = hasFailed ? [glyphs.error, 'bad'] : first ? glyphSpanOf(first, theme) : [' '];
	const fold: Span = [` ${line.isUnfolded ? glyphs.unfolded : glyphs.folded}`, 'accent'];
	return fitted([time, sign, [' ']], logEntryPieces(line, own), [fold]);
}

function ruleSpans(
	text: string,
	{ width, theme: { glyphs } }: Pick<LogLineOptions, 'width' | 'theme'>,
): readonly Span[] {
	const begin = ` ${glyphs.rule}${text}`;
	return [[begin + glyphs.rule.repeat(Math.max(0, width - begin.length - 2)), 'faint']];
}

function dayText(at: number): string {
	const date = new Date(at);
	const twoDigits = (number: number) => String(number).padStart(2, '0');
	const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
	return `${weekdayText(at)} ${day}`;
}
