import { Terminal } from '@xterm/headless';
import { blankCell, type Grid } from '../../source/terminal/output/cells.ts';
import { hasKnownWidth, plainWidth } from '../../source/terminal/output/character-width.ts';

export type Emulator = ReturnType<typeof createEmulator>;

/** A real terminal emulator whose cells can be read. */
export function createEmulator(columns: number, rows: number) {
	const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });

	return {
		terminal,
		write: (text: string) => new Promise<void>(resolve => terminal.write(text, resolve)),
		/** Returns each cell as one string: its glyph and the visible part of its style. */
		cells(): string[][] {
			const { active } = terminal.buffer;
			return Array.from({ length: terminal.rows }, (_, y) => {
				const line = active.getLine(active.baseY + y);
				return Array.from({ length: terminal.cols }, (_, x) => {
					const cell = line?.getCell(x);
					if (!cell) return 'none';
					const chars = cell.getChars() || (cell.getWidth() === 0 ? '' : ' ');
					const flags = [
						cell.isBold(),
						cell.isDim(),
						cell.isItalic(),
						cell.isUnderline(),
						cell.isBlink(),
						cell.isInverse(),
						cell.isInvisible(),
						cell.isStrikethrough(),
						cell.isOverline(),
					];
					const colour = (mode: number, colour: number) =>
						mode === 0 ? 'none' : `${mode >> 24}:${colour}`;
					return described(
						chars,
						cell.getWidth(),
						flags.map(Boolean),
						colour(cell.getFgColorMode(), cell.getFgColor()),
						colour(cell.getBgColorMode(), cell.getBgColor()),
					);
				});
			});
		},
		text: () =>
			Array.from({ length: terminal.rows }, (_, y) =>
				terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.translateToString(true),
			).join('\n'),
	};
}

/** On a space only the background and lines are visible. */
function described(
	chars: string,
	width: number,
	flags: readonly boolean[],
	foreground: string,
	background: string,
) {
	const [, , , underline, , inverse, , struck, overline] = flags;
	const isBare = chars === ' ' && !underline && !inverse && !struck && !overline;
	const seen = isBare ? '' : `${foreground} ${flags.map(Number).join('')}`;
	return `${chars}/${width} ${background} ${seen}`;
}

/** Returns the expected look of a cell, or undefined for a glyph that terminals show differently. */
export function describedCell(
	grid: Grid,
	x: number,
	y: number,
	{ hasLinks }: { hasLinks: boolean },
): string | undefined {
	const { glyph, style } = grid.lines[y]?.[x] ?? blankCell;
	const width = glyph === '' ? 0 : plainWidth(glyph.charCodeAt(0));
	const lead = glyph === '' ? (grid.lines[y]?.[x - 1]?.glyph ?? '') : glyph;
	if (!hasKnownWidth(lead)) return undefined;
	// Bold, dim, italic, underlined, blinking, inverse, invisible, struck through and overlined.
	const bits = [0, 1, 2, 3, undefined, 4, undefined, 5, undefined];
	const flags = bits.map(bit => bit !== undefined && (style.flags & (1 << bit)) !== 0);
	// The emulator underlines links.
	if (hasLinks && style.link !== '') flags[3] = true;
	return described(glyph, width, flags, colourOf(style.foreground), colourOf(style.background));
}

function colourOf(codes: string): string {
	if (codes === '') return 'none';
	const [code = 0, kind, ...values] = codes.split(';').map(Number);
	if (kind === 2) return `3:${values.reduce((sum, value) => sum * 256 + (value & 255), 0)}`;
	if (kind === 5) return `2:${(values[0] ?? 0) & 255}`;
	return `1:${code < 90 ? code % 10 : (code % 10) + 8}`;
}
