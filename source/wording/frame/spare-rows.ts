import { blocksThatFit, type Section, sectionsHeight } from '../../drawing/section.ts';
import { fitToWidth, paintSpans, type Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Change, OwnEmails } from '../../fleet/change.ts';
import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import { troubleFirst } from '../../fleet/computers/order-fields.ts';
import { createSorter } from '../../fleet/computers/ordering.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Screen } from '../../screen/screen.ts';
import { viewRows } from '../../screen/view-table.ts';
import { nameWithAccount, specWithAccountName } from '../../store/joint-account.ts';
import { failingReadOf, isNothingKnown } from '../../store/read-health.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { JointAccount } from '../../store/state.ts';
import { isInTrouble, troubleOrderOf } from '../../store/trouble-rank.ts';
import { adviceForError, errorText } from '../phrases/error-advice.ts';
import { outcomeFromOperation, outcomeWords } from '../phrases/outcome-text.ts';
import { troubleOf, troubleWords } from '../phrases/trouble-text.ts';
import { repeatedText, unreadableText } from '../table/table-rules.ts';
import { creditsWords } from '../views/credits-text.ts';
import { createLogLines, dayKeyOf, type LogLine } from '../views/log-lines.ts';
import { logLineSpans } from '../views/log-view.ts';

//   Problems
//    ✖ draco: image pull failed: disk quota exceeded   Free some space, then restart it
//
//   Activity
//    08:14:07   you stopped 16 computers (altair, altair-3 …) in 31 s
//    08:12:40 ● norma: creating → active in 48 s

type SpareRowsOptions = {
	account: JointAccount;
	/** The accounts of the table. With several, a computer is named with its account, as in the log. */
	profiles?: readonly AccountProfile[] | undefined;
	own: OwnEmails;
	/** All rows of the table, also those that the filter hides. */
	allRows: readonly FleetRow[];
	runway: Runway | null;
	/** Whether the lines stand below a text, such as the details of one computer, and not below the table or the map. */
	isBelowText?: boolean | undefined;
	/** The number of lines to fill, below the rows of the table, the map or the lines of a view. */
	lines: number;
	width: number;
	now: number;
	theme: Theme;
};

// With fewer lines, there would be a heading and hardly anything below it.
const minLines = 4;
const minWidth = 48;

// No terminal has room for more lines of activity.
const maxChanges = 200;

/** Whether there is room for the activity below the rows, so that no other line has to show it. */
export const hasSpareRows = (lines: number, width: number) =>
	lines >= minLines && width >= minWidth;

// The shares of a view that may be spare. A view that fills more of the screen still has a share, until too few lines
// are left for it.
const spareShares = [1 / 2, 1 / 3, 1 / 4] as const;
const minLinesOfView = 6;

/**
 * Returns how many lines at the end of a view show problems and activity. The number depends only on the share of the
 * screen that the view needs, so that a filter or a new line hardly ever moves them.
 */
export function spareLinesOfView(
	{ view, isHelpOpen }: Pick<Screen, 'view' | 'isHelpOpen'>,
	sections: readonly Section[],
	{ lines, width }: { lines: number; width: number },
): number {
	if (isHelpOpen || !viewRows[view].sharesSpareLines || width < minWidth) return 0;
	// The first line is the title of the view. The blank lines between the sections stay.
	const used = 1 + sectionsHeight([blocksThatFit(sections, lines)]);
	const spare = spareShares.map(share => Math.floor(lines * share)).find(n => used + n <= lines);
	return spare !== undefined && spare >= minLinesOfView ? spare : 0;
}

/**
 * Creates a function that fills the lines below the table or the map with problems, if there are any, and with the
 * newest activity. The fleet is searched for problems only when its rows change.
 */
export function createSpareRows(): (options: SpareRowsOptions) => readonly string[] {
	const newestFirst = memoize((changes: readonly Change[]) =>
		changes.slice(-maxChanges).toReversed(),
	);
	const logLinesOf = createLogLines();
	const order = createSorter<FleetRow>({
		fieldSourceOf: ({ computer }) => computer,
		troubleOrderOf,
	});
	// The newest trouble comes first, as in the table.
	const troubledIn = memoize((rows: readonly FleetRow[]) =>
		order(rows.filter(isInTrouble), troubleFirst, 0),
	);

	const linesOf = (options: SpareRowsOptions): readonly string[] => {
		const { account, isBelowText = false, lines, width, now, theme } = options;
		// Below the details of a computer, its own problems and changes stand above.
		const end = isBelowText ? ' of the fleet' : '';
		const maxProblems = Math.floor(lines / 2) - 2;
		const problems = problemLines(options, troubledIn(options.allRows), maxProblems);
		const above = problems.length > 0 ? [[], heading(`Problems${end}`), ...problems] : [];
		const room = Math.max(0, lines - above.length - 2);
		const entries = logLinesOf(newestFirst(account.changes), noIds, dayKeyOf(now), noBars).lines;
		const newest = entries.slice(0, room).map(line => entrySpans(line, options));
		const activity = newest.length > 0 ? newest : [noActivity];
		// The lines above say whether the list is being read, or why not.
		const hasActivity = room > 0 && !isNothingKnown(account);
		const below = hasActivity ? [[], heading(`Activity${end}`), ...activity] : [];
		// Blank lines at the end keep the first heading close to the table.
		const filled = Array.from({ length: lines }, (_, at) => [...above, ...below][at] ?? []);
		return filled.map(spans => paintSpans(fitToWidth(spans, width, theme), theme));
	};

	// A key changes none of these values, so most frames have the lines of the frame before.
	const keptLines = memoize(
		(
			account: SpareRowsOptions['account'],
			profiles: SpareRowsOptions['profiles'],
			own: SpareRowsOptions['own'],
			allRows: SpareRowsOptions['allRows'],
			runway: SpareRowsOptions['runway'],
			isBelowText: boolean | undefined,
			lines: number,
			width: number,
			now: number,
			theme: Theme,
		) =>
			linesOf({ account, profiles, own, allRows, runway, isBelowText, lines, width, now, theme }),
	);

	return ({ account, profiles, own, allRows, runway, isBelowText, lines, width, now, theme }) =>
		hasSpareRows(lines, width)
			? keptLines(account, profiles, own, allRows, runway, isBelowText, lines, width, now, theme)
			: [];
}

// Only the log has bars for the last hours.
const noBars = Number.NEGATIVE_INFINITY;

const noIds: ReadonlySet<string> = new Set();

const noActivity: readonly Span[] = [
	['   Nothing has changed yet. What happens to a computer is listed here.', 'faint'],
];

const heading = (text: string): readonly Span[] => [[`   ${text}`, 'strong']];

function entrySpans(line: LogLine, { own, width, now, theme }: SpareRowsOptions): readonly Span[] {
	const spans = logLineSpans(line, { own, width: width - 2, now, theme });
	// A batch is always folded here. Only the log has a cursor with which a person can unfold it.
	return [['  '], ...(line.type === 'batch' ? spans.slice(0, -1) : spans)];
}

/**
 * Returns a line for each problem, as far as they fit: reads that fail, credits that run out, and computers in trouble
 * with advice.
 */
function problemLines(
	options: SpareRowsOptions,
	rowsInTrouble: readonly FleetRow[],
	maxLines: number,
): readonly (readonly Span[])[] {
	const { account, profiles = [], runway, now, theme } = options;
	const failingRead = failingReadOf(account, now);
	const credits = creditsWords({ credits: account.credits, runway });
	const isShort = credits.state === 'tooFew' || credits.state === 'low';
	const texts: (readonly Span[])[] = [];
	if (failingRead) texts.push([[troubleWords(troubleOf(failingRead, now)).line, 'bad']]);
	if (isShort) texts.push([[credits.line, 'busy']]);
	if (account.unreadableCount > 0) texts.push([[unreadableText(account.unreadableCount), 'busy']]);
	if (account.repeatedCount > 0) texts.push([[repeatedText(account.repeatedCount), 'busy']]);
	// Other problems leave a line that says how many computers are in trouble.
	const isCrowded = rowsInTrouble.length > 0 && texts.length >= maxLines;
	const shownTexts = texts.slice(0, isCrowded ? Math.max(1, maxLines - 1) : maxLines);
	const glyph = troubleGlyph(theme);
	return [
		...shownTexts.map(spans => [glyph, ...spans]),
		...troubleLines(rowsInTrouble, maxLines - shownTexts.length, accountNameIn(profiles), theme),
	];
}

/** Returns a line for each computer in trouble. If there are too many, the last line says how many more there are. */
function troubleLines(
	rows: readonly FleetRow[],
	maxLines: number,
	accountNameOf: AccountNameOf,
	theme: Theme,
): readonly (readonly Span[])[] {
	const [newest] = rows;
	if (!newest || maxLines <= 0) return [];
	const glyph = troubleGlyph(theme);
	const kind = rows.every(isInError) ? 'in error' : 'in trouble';
	if (maxLines === 1 && rows.length > 1)
		return [
			[
				glyph,
				[`${countText(rows.length)} ${kind}, the newest is `, 'bad'],
				...troubleSpans(newest, false, accountNameOf(newest), theme),
			],
		];
	const shown = rows.slice(0, rows.length > maxLines ? maxLines - 1 : maxLines);
	const explained = new Set<string | null | undefined>();
	const lines = shown.map(row => {
		const { error } = row.computer.reading;
		const hasAdvice = !explained.has(error);
		explained.add(error);
		return [glyph, ...troubleSpans(row, hasAdvice, accountNameOf(row), theme)];
	});
	const moreCount = rows.length - shown.length;
	return moreCount === 0
		? lines
		: [...lines, [[`     and ${countText(moreCount)} more ${kind}`, 'bad']]];
}

const troubleGlyph = ({ glyphs }: Theme): Span => [`   ${glyphs.error} `, 'bad'];

type AccountNameOf = (row: Pick<FleetRow, 'account'>) => string | undefined;

/** Returns a function that names the account of a row; with a single account, no name is needed. */
const accountNameIn =
	(profiles: readonly AccountProfile[]): AccountNameOf =>
	row =>
		profiles.length > 1 ? profiles.find(({ account }) => account === row.account)?.name : undefined;

const isInError = ({ computer, operation }: FleetRow) => computer.phase === 'error' && !operation;

/** Says what is wrong with a computer and, unless a line above has said it, what to do. */
function troubleSpans(
	{ computer, operation }: FleetRow,
	hasAdvice: boolean,
	account: string | undefined,
	theme: Theme,
): readonly Span[] {
	const { id, reading, phase } = computer;
	const name = account ? nameWithAccount(account, reading.name ?? id) : (reading.name ?? id);
	if (operation) {
		const spec = account ? specWithAccountName(account, operation.spec) : operation.spec;
		const { line } = outcomeWords(outcomeFromOperation({ ...operation, spec }));
		return [[line, 'busy']];
	}
	if (phase !== 'error') return [[`${name}: its status is not known`, 'busy']];
	const { error } = reading;
	const reason = error || `in error, ${errorText(error, Number.POSITIVE_INFINITY, theme)}`;
	return [
		[`${name}: ${reason}`, 'bad'],
		[hasAdvice ? `   ${adviceForError(reading)}` : '', 'faint'],
	];
}
