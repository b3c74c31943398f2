import { cellsOf } from '../lines/measure.ts';
import { cut, textOf } from '../lines/span.ts';
import type { FleetRow } from '../store/selectors.ts';
import { cleanForTerminal, isHarmless } from '../terminal/features/escape-sequences.ts';
import type { CellContext } from '../views/fleet/cell-context.ts';
import type { PlacedColumn } from '../views/fleet/column-widths.ts';

// NAME      STATUS      STAGE                                              CPU   MEM
// atlas     ● Active                                                       36%   60%
// draco     ✖ Error     image pull failed: disk quota exceeded on volume vol-7              a long reason is whole

/** A column grows to at most this width for a long text, so that the other lines are not torn apart. */
export const maxPaddedWidth = 40;

/** A row of the table, with the context of its account and the text before its cells. */
export type TableRow = { before: string; row: FleetRow; context: CellContext };

type PipeTable = { placed: readonly PlacedColumn[]; titleBefore: string };

/** Formats computers as a table for a pipe. A text that is too long for its column shifts the later cells of its line. */
export function pipeTableLines(
	rows: readonly TableRow[],
	{ placed, titleBefore }: PipeTable,
): readonly string[] {
	const columns = placed.map(each =>
		paddedColumn(
			[
				each.column.title,
				...rows.map(({ row, context }) =>
					shortened(textOf(each.column.cell(row, context, each.width)), row, each),
				),
			],
			each,
		),
	);
	return [
		joinedLine(titleBefore, columns, 0),
		...rows.map(({ before }, at) => joinedLine(before, columns, at + 1)),
	];
}

// In output to a pipe, names are cut at this width, so that none fills a screen. With --json, nothing is cut.
const maxCellWidth = 200;

/** Cuts a text that is too long. A text that may continue over the next columns is whole, however long it is. */
function shortened(text: string, row: FleetRow, { column }: PlacedColumn): string {
	if (column.flowsOver?.(row) || cellsOf(text) <= maxCellWidth) return text;
	return textOf(cut([[text]], maxCellWidth));
}

const asciiPattern = /^[\x20-\x7e]*$/;

/** The cells of a column, with that of its title before the others. */
type PaddedColumn = {
	texts: readonly string[];
	/** The widths of the texts in cells; absent if each character takes one cell. */
	widths: readonly number[] | undefined;
	width: number;
	gap: number;
	isRight: boolean;
};

/** Makes a column as wide as its cells need. */
function paddedColumn(
	found: readonly string[],
	{ column, width: least, gap }: PlacedColumn,
): PaddedColumn {
	const all = found.join('');
	const texts = isHarmless(all) ? found : found.map(cleaned);
	const widths = asciiPattern.test(all) ? undefined : widthsOf(texts);
	let longest = 0;
	for (let at = 0; at < texts.length; at++) {
		const width = widths ? (widths[at] as number) : (texts[at] as string).length;
		if (width > longest) longest = width;
	}
	const width = Math.max(least, Math.min(longest, maxPaddedWidth));
	return { texts, widths, width, gap, isRight: column.align === 'right' };
}

const cleaned = (text: string) => (isHarmless(text) ? text : cleanForTerminal(text));

/** Measures each text once, because many computers have the same status. */
function widthsOf(texts: readonly string[]): readonly number[] {
	const known = new Map<string, number>();
	return texts.map(text => {
		let cells = known.get(text);
		if (cells === undefined) {
			cells = cellsOf(text);
			known.set(text, cells);
		}
		return cells;
	});
}

function joinedLine(before: string, columns: readonly PaddedColumn[], at: number): string {
	let line = before;
	/** The blanks before the next text. Those behind the last text are left out. */
	let blankCount = 0;
	for (let nth = 0; nth < columns.length; nth++) {
		const { texts, widths, width, gap, isRight } = columns[nth] as PaddedColumn;
		const text = texts[at] as string;
		const needed = widths ? (widths[at] as number) : text.length;
		const padding = width > needed ? width - needed : 0;
		blankCount += isRight ? gap + padding : gap;
		if (text !== '') {
			line += ' '.repeat(blankCount) + text;
			blankCount = 0;
		}
		if (!isRight) blankCount += padding;
	}
	return line;
}
