import {
	drawFrame,
	type FramedBox,
	justifySpans,
	type Span,
	widthOf,
	wrapText,
} from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import { type LineWithCaret, promptWithInput } from '../../drawing/typed-line.ts';
import { keyLine } from './key-line.ts';

// ╭ Delete atlas? ───────────────────────────────────────────────────╮
// │ Erases it for good: workspace, chat history, packages, settings. │
// │ sb_atlas01, active for 6 d 4 h, publishes port 8080              │
// │ crowsnest delete atlas --yes                                     │
// │ Type its name to delete it: atl▏                                 │
// │ Enter deletes · Esc cancels · Ctrl-Y copies the command         │
// ╰──────────────────────────────────────────────────────────────────╯

export type Dialog = {
	title: string;
	/** The colour of the dialog's frame and title. */
	tone: Tone;
	lines: readonly Span[];
	/** The shell command that does the same as answering yes, followed by shorter forms of that command. */
	commands?: readonly string[] | undefined;
	/** The reason why the typed text is not accepted. */
	problem?: string | undefined;
	/** The prompt, which is followed by the text that has been typed so far; empty if a single key answers. */
	prompt: readonly Span[];
	typed?: LineWithCaret | undefined;
	/** The key hints, most important first. */
	hints: readonly string[];
};

const maxDialogWidth = 76;
const maxCommandLines = 2;
// On screens with at least this many rows, the header, the activity line and the keys line stay visible
// around the dialog.
const minTallScreenRows = 20;
const linesAroundDialog = 5;
// The lines that the frame (two), the prompt and the key hints take besides the problem.
const linesBesideProblem = 4;

/**
 * Draws the dialog in a frame. The prompt is always shown; text above the prompt that does not fit is cut
 * off and ends in an ellipsis.
 */
export function dialogLines(
	{ title, tone, lines, commands = [], problem, prompt, typed, hints }: Dialog,
	{ columns, rows }: { columns: number; rows: number },
	theme: Theme,
): FramedBox {
	const width = Math.min(maxDialogWidth, columns - 2);
	const inner = width - 4;
	const { ellipsis } = theme.glyphs;
	const linesOf = ([text, each]: Span) =>
		wrapText(text, inner, theme).map((line): readonly Span[] => [[line, each]]);
	const hasRoom = (text: string) => wrapText(text, inner, theme).length <= maxCommandLines;
	const command = commands.find(hasRoom) ?? commands.at(-1);
	const body = [
		...lines.flatMap(linesOf),
		...(command === undefined ? [] : linesOf([command, 'faint'])),
	];
	const promptLine = typed ? promptWithInput(prompt, typed, inner, theme) : prompt;
	const hint = keyLine(hints, inner, theme);
	// A text field always has a line of its own, so that nothing moves while a person types.
	const isOneLine =
		!typed && prompt.length > 0 && widthOf(promptLine, theme) + 1 + widthOf(hint, theme) <= inner;
	// On a short screen, only the first lines of the problem are shown.
	const problems = problem === undefined ? [] : linesOf([problem, 'bad']);
	const below = [
		...problems.slice(0, Math.max(1, rows - linesBesideProblem)),
		...(isOneLine ? [justifySpans(promptLine, hint, inner, theme)] : [promptLine, hint]).filter(
			line => line.length > 0,
		),
	];
	const maxBodyLines = Math.max(
		0,
		rows - (rows < minTallScreenRows ? 1 : linesAroundDialog) - 2 - below.length,
	);
	const cutBody = [...body.slice(0, Math.max(0, maxBodyLines - 1)), [[ellipsis] as const]].slice(
		0,
		maxBodyLines,
	);
	const shown = body.length <= maxBodyLines ? body : cutBody;
	return drawFrame(title, [...shown, ...below], width, tone, theme);
}
