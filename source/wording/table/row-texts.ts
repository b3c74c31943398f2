import { blanks, paintFitted, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { FilterTerm } from '../../fleet/computers/filter-words.ts';
import type { Age } from '../../store/freshness.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { UsageHistory } from '../../store/usage-history.ts';
import type { CellContext } from './cell-context.ts';
import type { PlacedColumn } from './column.ts';
import { cellOf, isBlank, type RowLook } from './fleet-table-text.ts';
import { columnsTaken, roomFor } from './flowing-cell.ts';
import { hasFilterMatch, matchedTermsIn, noTerms } from './row-matches.ts';
import { createRowsUnderFilters } from './rows-under-filters.ts';

/** The texts of a row's cells, and the values other than the row from which they were composed. */
type KeptRow = {
	/** The number of the last context for which the text was checked. */
	checkedIn: number;
	now: number;
	readAt: number | undefined;
	age: Age;
	/** Whether the status is old beside the list, and which values are old beside the status. */
	lags: string;
	usage: UsageHistory;
	/** Whether the filter matched what the cell in this place shows. */
	matched: readonly boolean[];
	/** The values that are drawn in cells that depend on more than the row. */
	drawn: DrawnTexts;
	cells: readonly PaintedCell[];
	text: string;
	/** The line of the table that was composed last from this text. */
	line: { text: string; isUnderCursor: boolean; sign: string } | undefined;
};

type PaintedCell = {
	text: string;
	isEmpty: boolean;
	/** The whole text of a cell, if it is too long for its column and may flow over the next cells. */
	tooLong?: readonly Span[];
};

type DrawnTexts = readonly (string | undefined)[];

type KeptRows = Pick<CellContext, 'latestVersion' | 'listFields' | 'canChange' | 'theme'> & {
	placed: readonly PlacedColumn[];
	/** The latest context and its number. Rows keep only the number, because a context holds the whole account. */
	context: CellContext | undefined;
	contextNumber: number;
	rows: ReturnType<typeof createRowsUnderFilters<KeptRow>>;
};

type KeptRowOf = (row: FleetRow, placed: readonly PlacedColumn[], context: CellContext) => KeptRow;

type RowLineOptions = {
	placed: readonly PlacedColumn[];
	context: CellContext;
	isUnderCursor: boolean;
	/** The painted sign at the left edge of the row, which tells whether the row is marked. */
	sign: string;
};

/**
 * Creates a function that returns the painted line of a row of any account. Each account has a context of its own. A
 * line that does not change is the same string as before, so that it is neither joined nor compared again.
 */
export function createRowLines(): (row: FleetRow, options: RowLineOptions) => string {
	const rowsByAccount = new Map<string, KeptRowOf>();

	return (row, { placed, context, isUnderCursor, sign }) => {
		let keptRowOf = rowsByAccount.get(row.account);
		if (!keptRowOf) {
			keptRowOf = createKeptRows();
			rowsByAccount.set(row.account, keptRowOf);
		}
		const kept = keptRowOf(row, placed, context);
		if (kept.line?.isUnderCursor !== isUnderCursor || kept.line.sign !== sign) {
			const text = lineOf(kept.text, isUnderCursor, sign, context.theme);
			kept.line = { text, isUnderCursor, sign };
		}
		return kept.line.text;
	};
}

function lineOf(cells: string, isUnderCursor: boolean, sign: string, theme: Theme): string {
	const { paint, paintCursorRow, glyphs } = theme;
	const cursor = isUnderCursor ? paint('accent', glyphs.cursor) : ' ';
	const text = `${sign}${cursor} ${cells} `;
	return isUnderCursor ? paintCursorRow(text) : text;
}

/**
 * Creates a function that returns a row with its painted cells. The texts of rows are kept, and a cell is composed
 * again only if its text may have changed: most keys change no cell, and in most seconds only the ages change.
 */
function createKeptRows(): KeptRowOf {
	let kept: KeptRows | undefined;

	return (row, placed, context) => {
		if (!kept || kept.placed !== placed || !haveSameLook(kept, context)) {
			const { latestVersion, listFields, canChange, theme } = context;
			const look = { placed, latestVersion, listFields, canChange, theme };
			kept = { ...look, context: undefined, contextNumber: 0, rows: createRowsUnderFilters() };
		}
		if (kept.context !== context) {
			kept.context = context;
			kept.contextNumber += 1;
			kept.rows.setFilter(context.matchedTermsOf);
		}
		const { contextNumber: checkedIn, rows } = kept;
		const same = rows.get(row);
		if (same?.checkedIn === checkedIn) return same;
		const [age, readAt] = [context.ageOf(row), context.lastReadAtOf(row)];
		const lags = lagsOf(row, context);
		const { now, usage } = context;
		const before = same ?? rows.underEarlier(row);
		const isSameTime = before?.now === now && before.readAt === readAt && !row.operation;
		const hasSameAge = before?.age === age && before.lags === lags;
		if (same && isSameTime && hasSameAge && same.usage === usage) {
			same.checkedIn = checkedIn;
			return same;
		}
		const hasSameDrawings = before?.now === now && before.usage === usage;
		const drawn = hasSameDrawings ? before.drawn : drawnTexts(row, placed, context);
		const terms = matchedTermsIn(row, context);
		const matched = matchedCells(row, placed, context, terms);
		const look = { age, terms };
		const plainLook = terms.length === 0 ? look : { age, terms: noTerms };
		const cells = new Array<PaintedCell>(placed.length);
		const isEmpty = (at: number) => cells[at]?.isEmpty === true;
		let isSameText = before !== undefined;
		// From right to left, because a text may flow over the empty cells behind it.
		for (let at = placed.length - 1; at >= 0; at--) {
			const { column, width } = placed[at] as PlacedColumn;
			const cellBefore = before?.cells[at];
			const isKept =
				hasSameAge &&
				before.drawn[at] === drawn[at] &&
				(same !== undefined || !(before.matched[at] || matched[at])) &&
				(isSameTime || !column.changesWithTime);
			if (isKept) {
				cells[at] = cellBefore as PaintedCell;
				continue;
			}
			const room = column.flowsOver?.(row) ? roomFor(placed, at, isEmpty) : width;
			const cellLook = matched[at] ? look : plainLook;
			const cell = paintedCell(row, placed[at] as PlacedColumn, room, context, cellLook, drawn[at]);
			const isSameCell = cellBefore !== undefined && isSame(cell, cellBefore);
			cells[at] = isSameCell ? cellBefore : cell;
			isSameText &&= isSameCell;
		}
		const keptRow: KeptRow = {
			checkedIn,
			now,
			readAt,
			age,
			lags,
			usage,
			matched,
			drawn,
			cells,
			text: isSameText && before ? before.text : joinedTexts(cells, placed, context.theme),
			line: isSameText ? before?.line : undefined,
		};
		rows.set(row, keptRow);
		return keptRow;
	};
}

const ownReadFields = ['cpu', 'memory', 'storage', 'ports'] as const;

function lagsOf(row: FleetRow, { statusAgeOf, isOlderThanRow }: CellContext): string {
	const older = ownReadFields.filter(field => isOlderThanRow(row, field));
	return `${statusAgeOf(row) !== undefined} ${older.join(' ')}`;
}

/** Whether two cells are painted alike wherever they stand. A text that is too long is cut where the next value begins. */
const isSame = (a: PaintedCell, b: PaintedCell) =>
	a.text === b.text && a.isEmpty === b.isEmpty && !a.tooLong && !b.tooLong;

function drawnTexts(
	row: FleetRow,
	placed: readonly PlacedColumn[],
	context: CellContext,
): DrawnTexts {
	const drawn = new Array<string | undefined>(placed.length);
	for (let at = 0; at < placed.length; at++) {
		const { column, width } = placed[at] as PlacedColumn;
		drawn[at] = column.drawnText?.(row, width, context);
	}
	return drawn;
}

function matchedCells(
	row: FleetRow,
	placed: readonly PlacedColumn[],
	context: CellContext,
	terms: readonly FilterTerm[],
): readonly boolean[] {
	const matched = new Array<boolean>(placed.length);
	for (let at = 0; at < placed.length; at++)
		matched[at] = hasFilterMatch(row, (placed[at] as PlacedColumn).column, context, terms);
	return matched;
}

const haveSameLook = (a: KeptRows, b: CellContext) =>
	a.latestVersion === b.latestVersion &&
	a.listFields === b.listFields &&
	a.canChange === b.canChange &&
	a.theme === b.theme;

function paintedCell(
	row: FleetRow,
	placed: PlacedColumn,
	room: number,
	context: CellContext,
	look: RowLook,
	drawn: string | undefined,
): PaintedCell {
	const { column, width } = placed;
	const { theme } = context;
	const spans = cellOf(row, column, room, context, look, drawn);
	const text = paintFitted(spans, width, theme, column.align);
	const isEmpty = isBlank(spans);
	const isTooLong = column.flowsOver !== undefined && widthOf(spans, theme) > width;
	return isTooLong ? { text, isEmpty, tooLong: spans } : { text, isEmpty };
}

/** Joins the cells of a row as `joinedCells` does, from texts that are painted already. */
function joinedTexts(
	cells: readonly PaintedCell[],
	placed: readonly PlacedColumn[],
	theme: Theme,
): string {
	const isEmpty = (at: number) => cells[at]?.isEmpty === true;
	let text = '';
	for (let at = 0; at < cells.length; ) {
		const { text: painted = '', tooLong } = cells[at] ?? {};
		text += blanks(placed[at]?.gap ?? 0);
		if (tooLong) {
			const { count, width } = columnsTaken(placed, at, widthOf(tooLong, theme), isEmpty);
			text += paintFitted(tooLong, width, theme);
			at += count;
		} else {
			text += painted;
			at += 1;
		}
	}
	return text;
}
