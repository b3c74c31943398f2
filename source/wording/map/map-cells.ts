import { fitToWidth, paintSpans, widthOf } from '../../drawing/span.ts';
import type { Theme, Tone } from '../../lines/theme.ts';
import type { Colouring } from '../../screen/map-look.ts';
import { colouringRows, type MapLevel } from './map-colours.ts';
import { type MapLayout, nameWidthOfCell } from './map-layout.ts';

/**
 * A number that says how a cell is drawn: the index of its level, `marked` or `empty`. The cell under the cursor has
 * `underCursor` added to it.
 */
export type CellCode = number;

export const cellCodes = { marked: 20, empty: 30, underCursor: 100 } as const;

/** The look of a cell. Without colours, a letter stands for its level. */
type CellLook = { letter: string; tone: Tone };

type CellPainter = (
	codes: readonly CellCode[],
	layout: Pick<MapLayout, 'style' | 'cellsPerRow' | 'cellWidth'>,
	/** The names in the cells; absent if the cells of the map have no names. */
	names: readonly string[],
) => string;

/** Returns whether cells are coloured blocks; otherwise they are letters. */
export const hasBlocks = ({ glyphs, hasColours }: Theme) =>
	hasColours && glyphs.halfBlocks !== undefined;

/** Returns the sign of a level: a block or the level's own sign, or a letter on a terminal without blocks. */
export function levelSign({ sign, letter }: MapLevel, theme: Theme): string {
	const block = hasBlocks(theme) ? theme.glyphs.mapCell : undefined;
	if (block === undefined) return letter;
	return sign === undefined ? block : theme.glyphs[sign];
}

/** Names are drawn in a plain colour, like the words of the table, unless something is wrong with the computer. */
function nameTone(tone: Tone): Tone | undefined {
	if (tone === 'usual') return undefined;
	return tone === 'idle' ? 'faint' : tone;
}

/** Creates a function that paints a line of cells. Cells that look the same share one change of colour. */
export function createCellPainter(colouring: Colouring, theme: Theme): CellPainter {
	const { levels } = colouringRows[colouring];
	const { halfBlocks, mark } = theme.glyphs;

	function lookOf(code: CellCode): CellLook | undefined {
		const plain = code % cellCodes.underCursor;
		if (plain === cellCodes.empty) return undefined;
		if (plain === cellCodes.marked) return { letter: mark, tone: 'mark' };
		const level = levels[plain];
		return level && { letter: levelSign(level, theme), tone: level.tone };
	}

	function paintWhole(code: CellCode, count: number, cellWidth: number): string {
		const look = lookOf(code);
		if (!look) return ' '.repeat(cellWidth * count);
		const gap = cellWidth > 1 ? ' ' : '';
		const cell = look.letter.repeat(cellWidth - gap.length);
		if (code < cellCodes.underCursor) return theme.paint(look.tone, (cell + gap).repeat(count));
		return theme.paintCells(cell, 'here', 'inverse') + gap;
	}

	function paintNamed(code: CellCode, name: string, cellWidth: number): string {
		const look = lookOf(code);
		if (!look) return ' '.repeat(cellWidth);
		const room = nameWidthOfCell({ cellWidth });
		const nameSpans =
			theme.ruler.width(name) > room ? fitToWidth([[name]], room, theme) : [[name] as const];
		const text = nameSpans.map(([part]) => part).join('');
		const gap = ' '.repeat(cellWidth - widthOf([[`${look.letter} ${text}`]], theme));
		if (code >= cellCodes.underCursor)
			return theme.paintCells(`${look.letter} ${text}`, 'here', 'inverse') + gap;
		return paintSpans([[look.letter, look.tone], [` ${text}`, nameTone(look.tone)], [gap]], theme);
	}

	const toneOfHalf = (code: CellCode) =>
		code >= cellCodes.underCursor ? 'here' : lookOf(code)?.tone;

	function paintHalves(upper: CellCode, lower: CellCode, count: number): string {
		const [above, below] = [toneOfHalf(upper), toneOfHalf(lower)];
		if (!above || !halfBlocks) return ' '.repeat(count);
		if (!below) return theme.paint(above, halfBlocks.upper.repeat(count));
		return above === below
			? theme.paint(above, halfBlocks.full.repeat(count))
			: theme.paintCells(halfBlocks.upper.repeat(count), above, below);
	}

	return (codes, { style, cellsPerRow, cellWidth }, names) => {
		if (style === 'named')
			return codes.map((code, at) => paintNamed(code, names[at] ?? '', cellWidth)).join('');
		let text = '';
		for (let from = 0; from < cellsPerRow; ) {
			const upper = codes[from] ?? cellCodes.empty;
			const lower = codes[from + cellsPerRow] ?? cellCodes.empty;
			let to = from + 1;
			while (
				to < cellsPerRow &&
				codes[to] === upper &&
				(codes[to + cellsPerRow] ?? cellCodes.empty) === lower
			) {
				to += 1;
			}
			const count = to - from;
			text +=
				style === 'half' ? paintHalves(upper, lower, count) : paintWhole(upper, count, cellWidth);
			from = to;
		}
		return text;
	};
}
