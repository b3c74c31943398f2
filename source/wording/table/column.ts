import type { Span } from '../../drawing/span.ts';
import type { FieldName } from '../../fleet/computers/field.ts';
import type { Tone } from '../../lines/theme.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { CellContext } from './cell-context.ts';

/**
 * A width of a column in terminal cells. A table gives its room to the columns step by step, in the order of `turn`
 * across all columns, so that a wider table never shows less of any column.
 */
type WidthStep = { turn: number; cells: number };

export const widthSteps = (
	...steps: readonly (readonly [number, number])[]
): readonly WidthStep[] => steps.map(([turn, cells]) => ({ turn, cells }));

export type Column = {
	/** The column's name in the configuration. */
	name: string;
	title: string;
	/** A short description for the dialog in which a person chooses columns. */
	description: string;
	/** Whether the cells show earlier readings. A command reads the history only if a person asks for this column. */
	needsHistory?: true;
	/**
	 * Whether the cells show operations of this program. The state of such an operation is never out of date.
	 */
	showsOperation?: boolean;
	/** Whether a cell can change with the time alone. The cells of other columns change only with their row. */
	changesWithTime?: boolean;
	/**
	 * Returns the text that the cell draws, if it depends on more than the row. The cell is composed again only when this
	 * text changes.
	 */
	drawnText?: (row: FleetRow, width: number, context: CellContext) => string;
	/**
	 * A column with `always` cannot be hidden. A column with `chosen` stays hidden until a person chooses it.
	 */
	visibility?: 'always' | 'chosen';
	/** The widths that the column takes as the table gets wider, from the narrowest. */
	growth: readonly WidthStep[];
	align?: 'right';
	/** Whether a text of this row that is too long for the column continues over the empty cells to its right. */
	flowsOver?: (row: FleetRow) => boolean;
	/** Whether a text that flows over may cover the cells of this column, although they are not empty. */
	givesWay?: true;
	/**
	 * Returns the text of a cell for a table without colours. If it is absent, the text is taken from the spans, which takes
	 * longer.
	 */
	cellText?: (row: FleetRow, width: number, context: CellContext) => string;
	/** The field of a computer by which this column orders and filters the table. */
	field?: FieldName;
	/** The field whose matches are underlined in the cells, if the column does not order the table. */
	searchedField?: FieldName;
	/** `drawn` is what `drawnText` returned, if it was called already. */
	cellSpans: (
		row: FleetRow,
		width: number,
		context: CellContext,
		drawn?: string,
	) => readonly Span[];
};

/** A column with its width, and the blanks that stand before it. */
export type PlacedColumn = { column: Column; width: number; gap: number };

type OneToneCells = {
	cellText: NonNullable<Column['cellText']>;
	/** The tone of a cell; absent if all cells have the colour of the terminal. */
	toneOf?: (row: FleetRow, context: CellContext) => Tone | undefined;
};

/** Returns what a column needs for cells of one tone. An empty text has no span. */
export function oneToneCells({
	cellText,
	toneOf,
}: OneToneCells): Pick<Column, 'cellText' | 'cellSpans'> {
	return {
		cellText,
		cellSpans(row, width, context) {
			const text = cellText(row, width, context);
			return text === '' ? [] : oneSpan(text, toneOf?.(row, context));
		},
	};
}

/**
 * Returns one span as a list. V8 makes a list within a list in one expression with a call into its runtime, which takes ten
 * times as long as two expressions, and a table has thousands of cells.
 */
export function oneSpan(text: string, tone?: Tone): readonly Span[] {
	const span: Span = tone === undefined ? [text] : [text, tone];
	return [span];
}
