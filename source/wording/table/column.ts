import type { Span } from '../../drawing/span.ts';
import type { FieldName } from '../../fleet/computers/field.ts';
import type { Row } from '../../store/selectors.ts';
import type { CellContext } from './cell-context.ts';

export type Column = {
	/** The column's name in the configuration. */
	name: string;
	title: string;
	/** A short description for the dialog in which a person chooses columns. */
	description: string;
	/** Whether only the monitor shows this column, because a single answer would say nothing in it. */
	isMonitorOnly?: true;
	/** Whether the cells of this column show how old the data of their row is. */
	showsAge?: boolean;
	/** Whether this column marks the rows whose data is old. It does so only if no column shows the age of the data. */
	marksOldRows?: boolean;
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
	drawnText?: (row: Row, width: number, context: CellContext) => string;
	/**
	 * A column with `always` cannot be hidden. A column with `chosen` stays hidden until a person chooses it.
	 */
	visibility?: 'always' | 'chosen';
	/** All widths are numbers of terminal cells. */
	minWidth: number;
	maxWidth: number;
	/** This column grows to the preferred width before any other column grows. */
	preferredWidth?: number;
	/** Whether the column appears only if all other columns have the width that they prefer. */
	isSpare?: true;
	/** If the table is too narrow, the columns with the highest `dropOrder` are left out first. */
	dropOrder: number;
	align?: 'right';
	/** The field of a computer by which this column orders and filters the table. */
	field?: FieldName;
	cellSpans: (row: Row, width: number, context: CellContext) => readonly Span[];
};
