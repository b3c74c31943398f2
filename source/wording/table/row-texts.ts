import { blanks, paintFitted, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Age } from '../../store/age.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { UsageHistory } from '../../store/usage-history.ts';
import type { CellContext } from './cell-context.ts';
import type { PlacedColumn } from './column.ts';
import { cellOf, isBlank, type RowLook, showsAge } from './fleet-table-text.ts';
import { columnsTaken, roomFor } from './flowing-cell.ts';
import { hasFilterMatch, matchedTermsIn } from './row-matches.ts';

/** The texts of a row's cells, and the values other than the row from which they were composed. */
type KeptRow = {
	/** The number of the last context for which the text was checked. */
	checkedIn: number;
	now: number;
	readAt: number | undefined;
	age: Age;
	usage: UsageHistory;
	matchedTermsOf: CellContext['matchedTermsOf'];
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

type KeptRows = Pick<CellContext, 'latestVersion' | 'canChange' | 'theme'> & {
	placed: readonly PlacedColumn[];
	hasAge: boolean;
	/** The latest context and its number. Rows keep only the number, because a context holds the whole account. */
	context: CellContext;
	contextNumber: number;
	rows: WeakMap<FleetRow, KeptRow>;
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
 * Creates a function that returns a row with its painted cells. The texts of rows are kept, and a cell is composed again
 * only if its text may have changed: most keys change no cell, and in most seconds only the ages change. The function is
 * over 60 lines because its steps share what was kept of the row.
 */
function createKeptRows(): KeptRowOf {
	let kept: KeptRows | undefined;

	return (row, placed, context) => {
		if (!kept || kept.placed !== placed || !haveSameLook(kept, context)) {
			const { latestVersion, canChange, theme } = context;
			const hasAge = showsAge(placed);
			const look = { placed, hasAge, latestVersion, canChange, theme };
			kept = { ...look, context, contextNumber: 0, rows: new WeakMap() };
		}
		if (kept.context !== context) {
			kept.context = context;
			kept.contextNumber += 1;
		}
		const before = kept.rows.get(row);
		const { hasAge, contextNumber: checkedIn } = kept;
		if (before?.checkedIn === checkedIn) return before;
		const [age, readAt] = [context.ageOf(row), context.lastReadAtOf(row)];
		const { now, usage, matchedTermsOf } = context;
		const isSameFilter = before?.matchedTermsOf === matchedTermsOf;
		const isSameTime = before?.now === now && before.readAt === readAt && !row.operation;
		const hasSameAge = before?.age === age;
		if (isSameTime && hasSameAge && isSameFilter && before.usage === usage) {
			before.checkedIn = checkedIn;
			return before;
		}
		const hasSameDrawings = before?.now === now && before.usage === usage;
		const drawn = hasSameDrawings
			? before.drawn
			: placed.map(({ column, width }) => column.drawnText?.(row, width, context));
		const look = { hasAge, age, terms: matchedTermsIn(row, context) };
		const matched = placed.map(({ column }) => hasFilterMatch(row, column, context, look.terms));
		const cells = new Array<PaintedCell>(placed.length);
		const isEmpty = (at: number) => cells[at]?.isEmpty === true;
		// From right to left, because a text may flow over the empty cells behind it.
		for (let at = placed.length - 1; at >= 0; at--) {
			const each = placed[at] as PlacedColumn;
			const isKept =
				hasSameAge &&
				before.drawn[at] === drawn[at] &&
				(isSameFilter || !(before.matched[at] || matched[at])) &&
				(isSameTime || !each.column.changesWithTime);
			const cell = isKept ? before.cells[at] : undefined;
			const room = each.column.flowsOver?.(row) ? roomFor(placed, at, isEmpty) : each.width;
			cells[at] = cell ?? paintedCell(row, each, room, context, look, drawn[at]);
		}
		const text = joinedTexts(cells, placed, context.theme);
		const keptRow: KeptRow = {
			checkedIn,
			now,
			readAt,
			age,
			usage,
			matchedTermsOf,
			matched,
			drawn,
			cells,
			text,
			line: before?.text === text ? before.line : undefined,
		};
		kept.rows.set(row, keptRow);
		return keptRow;
	};
}

const haveSameLook = (a: KeptRows, b: CellContext) =>
	a.latestVersion === b.latestVersion && a.canChange === b.canChange && a.theme === b.theme;

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
