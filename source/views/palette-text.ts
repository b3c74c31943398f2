import type { PaletteItem } from '../keys/palette.ts';
import { type Framed, framed } from './frame.ts';
import { fitted, type Span, withTyped } from './span.ts';
import type { Theme } from './theme.ts';

// ╭──────────────────────────────────────────────────────────────────╮
// │ :sto▏                                                            │
// │ ❯ Stop: stop it; files and processes are kept                  x │
// │   Restart: restart it; /workspace stays                        r │
// ╰──────────────────────────────────────────────────────────────────╯

const widest = 76;
const most = 10;

/** The line being typed, and what it may mean, with the key that does it at once. */
export function paletteLines(
	palette: { text: string; index: number },
	items: readonly PaletteItem[],
	{ columns, rows }: { columns: number; rows: number },
	theme: Theme,
): Framed {
	const { cursor } = theme.glyphs;
	const width = Math.min(widest, columns - 2);
	const inner = width - 4;
	const room = Math.max(1, Math.min(most, rows - 5));
	const first = Math.max(0, Math.min(palette.index - room + 1, items.length - room));
	const shown = items.slice(first, first + room).map(({ label, key }, at): readonly Span[] => {
		const isChosen = first + at === palette.index;
		const left = fitted([[label]], inner - 3 - key.length, theme);
		return [[isChosen ? `${cursor} ` : '  ', 'accent'], ...left, [' '], [key, 'faint']];
	});
	const none: readonly Span[] = [['  nothing is called so', 'faint']];
	const typed = withTyped([[':', 'accent']], [palette.text], inner, theme);
	return framed('', [typed, ...(shown.length > 0 ? shown : [none])], width, 'accent', theme);
}
