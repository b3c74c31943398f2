import type { Theme, Tone } from '../../drawing/theme.ts';
import type { Colouring } from '../../screen/map-look.ts';
import { colouringRows } from './map-colours.ts';
import type { MapLayout } from './map-layout.ts';

/** A cell as it is drawn: the index of its level, `marked` or `empty`; plus `underCursor` for the cell of the cursor. */
export type CellCode = number;

export const cellCodes = { marked: 20, empty: 30, underCursor: 100 } as const;

/** How a cell is drawn. Without colours, the letter tells its meaning. */
type CellLook = { letter: string; tone: Tone };

type CellPainter = (
	codes: readonly CellCode[],
	style: MapLayout['style'],
	cellsPerRow: number,
) => string;

/** Returns whether cells are coloured blocks; otherwise they are letters. */
export const hasBlocks = ({ glyphs, hasColours }: Theme) =>
	hasColours && glyphs.halfBlocks !== undefined;

/** Creates a function that paints a line of cells. Cells that look the same share one change of colour. */
export function createCellPainter(colouring: Colouring, theme: Theme): CellPainter {
	const { levels } = colouringRows[colouring];
	const { halfBlocks, mapCell, mark } = theme.glyphs;

	function lookOf(code: CellCode): CellLook | undefined {
		const plain = code % cellCodes.underCursor;
		if (plain === cellCodes.empty) return undefined;
		if (plain === cellCodes.marked) return { letter: mark, tone: 'mark' };
		const level = levels[plain];
		const block = hasBlocks(theme) ? mapCell : undefined;
		const sign = level?.sign === undefined ? block : theme.glyphs[level.sign];
		return level && { letter: (block && sign) ?? level.letter, tone: level.tone };
	}

	function paintWhole(code: CellCode, count: number, gap: string): string {
		const look = lookOf(code);
		if (!look) return ` ${gap}`.repeat(count);
		if (code < cellCodes.underCursor)
			return theme.paint(look.tone, (look.letter + gap).repeat(count));
		return theme.paintCells(look.letter, look.tone, 'inverse') + gap;
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

	return (codes, style, cellsPerRow) => {
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
				style === 'half'
					? paintHalves(upper, lower, count)
					: paintWhole(upper, count, style === 'spaced' ? ' ' : '');
			from = to;
		}
		return text;
	};
}
