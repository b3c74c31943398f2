import { type Framed, framed } from './frame.ts';
import { atEnds, type Span, widthOf, withTyped } from './span.ts';
import type { Theme, Token } from './theme.ts';
import { wrapped } from './wrapped.ts';

// ╭ Delete atlas? ───────────────────────────────────────────────────╮
// │ sb_atlas01, active, up 6d 4h, publishes port 8080                │
// │ Erased for good: its workspace, chat history, installed packages │
// │ and settings. There is no way back.                              │
// │ Type its name to delete it: atl▏                    Esc keeps it │
// ╰──────────────────────────────────────────────────────────────────╯

export type Dialog = {
	title: string;
	/** What the frame is coloured by: how grave it is. */
	token: Token;
	lines: readonly Span[];
	/** What is asked for, what was typed so far if one types, and what the keys do. */
	prompt: readonly Span[];
	typed?: Span;
	hint: readonly Span[];
};

const widest = 76;

/** As wide as that; the prompt is always there, and what has no room above it ends in an ellipsis. */
export function dialogLines(
	{ title, token, lines, prompt, typed, hint }: Dialog,
	{ columns, rows }: { columns: number; rows: number },
	theme: Theme,
): Framed {
	const width = Math.min(widest, columns - 2);
	const inner = width - 4;
	const { ellipsis } = theme.glyphs;
	const body = lines.flatMap(([text, each]) =>
		wrapped(text, inner, theme).map((line): readonly Span[] => [[line, each]]),
	);
	const asked = typed ? withTyped(prompt, typed, inner, theme) : prompt;
	const isOneLine = widthOf(asked, theme) + 1 + widthOf(hint, theme) <= inner;
	const below = isOneLine ? [atEnds(asked, hint, inner, theme)] : [asked, hint];
	const most = Math.max(0, rows - 3 - below.length);
	const shown =
		body.length <= most ? body : [...body.slice(0, Math.max(0, most - 1)), [[ellipsis] as const]];
	return framed(title, [...shown, ...below], width, token, theme);
}
