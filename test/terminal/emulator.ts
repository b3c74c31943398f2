import { Terminal } from '@xterm/headless';
import { glyphAt, styleAt } from '../../source/terminal/output/cells.ts';
import { createBlankLine, type Grid } from '../../source/terminal/output/grid.ts';
import { noColour } from '../../source/terminal/output/style.ts';
import { plainCharacterWidth } from '../../source/terminal/output/text-width.ts';

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
	const line = grid.lines[y] ?? createBlankLine(grid.columns);
	const glyph = glyphAt(line, x);
	const style = styleAt(line, x);
	const width = glyph === '' ? 0 : plainCharacterWidth(glyph.charCodeAt(0));
	const lead = glyph === '' ? glyphAt(line, x - 1) : glyph;
	if (lead.length !== 1 || plainCharacterWidth(lead.charCodeAt(0)) === 0) return undefined;
	const flags = [1, 2, 4, 8, 16, 32, 64, 128, 256].map(flag => (style.flags & flag) !== 0);
	// The emulator underlines links.
	if (hasLinks && style.link !== '') flags[3] = true;
	return described(glyph, width, flags, colourOf(style.foreground), colourOf(style.background));
}

function colourOf(colour: number): string {
	if (colour === noColour) return 'none';
	if (colour >= 0x1000000) return `3:${colour - 0x1000000}`;
	return colour >= 0x100 ? `2:${colour - 0x100}` : `1:${colour}`;
}
