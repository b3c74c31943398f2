import { drawFrame, type FramedBox, fitToWidth, type Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { promptWithInput } from '../../drawing/typed-line.ts';
import type { PaletteItem } from '../../keys/palette.ts';
import type { DialogEntry } from '../../screen/dialog-entry.ts';
import { historySearchPrompt } from '../phrases/history-search-text.ts';

// ╭──────────────────────────────────────────────────────────────────╮
// │ :sto▏                                                            │
// │ ❯ Stop: stop computers; files and processes are kept           x │
// │   Restart: restart computers; /workspace is kept               r │
// │   … 12 more                                                      │
// ╰──────────────────────────────────────────────────────────────────╯

const maxPaletteWidth = 76;
const maxPaletteLines = 10;

/** Draws the command palette: the typed text and the commands that match the text, each with its key. */
export function paletteLines(
	{
		entry: { line, assist },
		index,
	}: { entry: Pick<DialogEntry, 'line' | 'assist'>; index: number },
	items: readonly PaletteItem[],
	{ columns, rows }: { columns: number; rows: number },
	theme: Theme,
): FramedBox {
	const { cursor, ellipsis } = theme.glyphs;
	const width = Math.min(maxPaletteWidth, columns - 2);
	const inner = width - 4;
	const lines = Math.max(1, Math.min(maxPaletteLines, rows - 5));
	// If not all matching commands fit, the last line says how many more match.
	const room = items.length > lines ? Math.max(1, lines - 1) : lines;
	const first = Math.max(0, Math.min(index - room + 1, items.length - room));
	const rowOf = ({ label, key, isRefused }: PaletteItem, at: number): readonly Span[] => {
		const isChosen = first + at === index;
		const name: Span = [label, isRefused ? 'faint' : undefined];
		const left = fitToWidth([name], inner - 3 - key.length, theme);
		return [[isChosen ? `${cursor} ` : '  ', 'accent'], ...left, [' '], [key, 'faint']];
	};
	const shown = items.slice(first, first + room).map(rowOf);
	const noMatchLine: readonly Span[] = [[`  No command matches “${line.text}”`, 'faint']];
	const moreLine: readonly Span[] = [
		[`  ${ellipsis} ${items.length - shown.length} more`, 'faint'],
	];
	const colon: readonly Span[] = [[':', 'accent']];
	const prompt = assist?.kind === 'search' ? historySearchPrompt(assist, colon) : colon;
	const typed = promptWithInput(prompt, [line], inner, theme);
	const matchLines = shown.length > 0 ? shown : [noMatchLine];
	const allLines = [typed, ...matchLines, ...(lines > 1 && items.length > lines ? [moreLine] : [])];
	return drawFrame('', allLines, width, 'accent', theme);
}
