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
	/**
	 * The lines that a person must see before answering. Without such lines, the dialog can be answered even if it is
	 * cut off.
	 */
	essential?: {
		/** The essential lines are the first lines of the dialog. This is their number. */
		lineCount: number;
		/** A short form, which is shown if the essential lines do not fit. */
		short: readonly Span[];
	};
	/** The shell command that does the same as answering yes, followed by shorter forms of that command. */
	commands?: readonly string[] | undefined;
	/** The reason why the typed text is not accepted. */
	problem?: string | undefined;
	/**
	 * What has changed since the dialog opened; empty if nothing has. It has a line of its own, so that nothing moves when it
	 * appears. Absent in a dialog about nothing that changes.
	 */
	news?: string | undefined;
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
// The frame takes two lines, and the prompt and the key hints take one each. The problem gets the other lines.
const linesBesideProblem = 4;
// The hint on a dialog that is cut off, longest first. The last one fits even the narrowest dialog.
const enlargeTexts = ['Enlarge the terminal to answer', 'Enlarge the terminal'];

/**
 * Draws the dialog in a frame. The prompt is always shown; text above the prompt that does not fit is cut
 * off and ends in an ellipsis.
 */
export function dialogLines(
	dialog: Dialog,
	{ columns, rows }: { columns: number; rows: number },
	theme: Theme,
): FramedBox {
	const { title, tone, prompt, typed } = dialog;
	const width = Math.min(maxDialogWidth, columns - 2);
	const inner = width - 4;
	const promptLine = typed ? promptWithInput(prompt, typed, inner, theme) : prompt;
	const belowWith = (hints: readonly string[]) => {
		const hint = keyLine(hints, inner, theme);
		// A text field always has a line of its own, so that nothing moves while a person types.
		const isOneLine =
			!typed && prompt.length > 0 && widthOf(promptLine, theme) + 1 + widthOf(hint, theme) <= inner;
		const lines = isOneLine ? [justifySpans(promptLine, hint, inner, theme)] : [promptLine, hint];
		return lines.filter(line => line.length > 0);
	};
	const below = belowWith(dialog.hints);
	// On a short screen, only the first lines of the problem are shown.
	const problems = lineBelowBody(dialog, rows).flatMap(span => wrappedSpans(span, inner, theme));
	const shownProblems = problems.slice(0, Math.max(1, rows - linesBesideProblem));
	const hasTitleInFrame = theme.ruler.width(title) + 4 <= width;
	const head = hasTitleInFrame ? [] : wrappedSpans([title, 'strong'], inner, theme);
	const bodyIn = (height: number) => bodyThatFits(dialog, head, { inner, height, rows }, theme);
	// Lines that a problem covers were in sight before, so the dialog does not count as cut off because of them.
	const { isCut } = bodyIn(rows - 2 - below.length);
	const { body } = bodyIn(rows - 2 - below.length - shownProblems.length);
	const enlarge = enlargeTexts.find(text => theme.ruler.width(text) <= inner);
	const cutBelow = belowWith([...(enlarge ? [enlarge] : []), ...dialog.hints.slice(1)]);
	const lines = [...body, ...shownProblems, ...(isCut ? cutBelow : below)];
	const frame = drawFrame(hasTitleInFrame ? title : '', lines, width, tone, theme);
	return { ...frame, isCut };
}

/** Returns the problem, or else the news. On a tall screen, the line of the news is there while it is empty. */
function lineBelowBody({ problem, news }: Dialog, rows: number): readonly Span[] {
	if (problem !== undefined) return [[problem, 'bad']];
	if (news === undefined || (news === '' && rows < minTallScreenRows)) return [];
	return [[news, 'busy']];
}

type Room = {
	inner: number /** The lines that are left for the body. */;
	height: number;
	rows: number;
};

/**
 * Returns the lines above the prompt: all lines if they fit, otherwise the first ones. If even the essential lines do
 * not fit, their short form is shown.
 */
function bodyThatFits(
	{ lines, essential, commands = [] }: Dialog,
	head: readonly (readonly Span[])[],
	{ inner, height, rows }: Room,
	theme: Theme,
): { body: readonly (readonly Span[])[]; isCut: boolean } {
	const wrapped = (spans: readonly Span[]) =>
		spans.flatMap(each => wrappedSpans(each, inner, theme));
	const hasRoom = (text: string) => wrapText(text, inner, theme).length <= maxCommandLines;
	const command = commands.find(hasRoom) ?? commands.at(-1);
	const all = [
		...head,
		...wrapped(lines),
		...wrapped(command === undefined ? [] : [[command, 'faint']]),
	];
	const usualHeight = Math.max(0, height - (rows < minTallScreenRows ? 1 : linesAroundDialog));
	if (all.length <= usualHeight) return { body: all, isCut: false };
	const beginning = [
		...all.slice(0, Math.max(0, usualHeight - 1)),
		[[theme.glyphs.ellipsis] as const],
	].slice(0, usualHeight);
	if (!essential) return { body: beginning, isCut: false };
	const needed = head.length + wrapped(lines.slice(0, essential.lineCount)).length;
	if (needed < usualHeight) return { body: beginning, isCut: false };
	// The ellipsis says that there is more to read.
	const shortSpans = essential.short.map(
		([text, tone], at): Span =>
			at === essential.short.length - 1 ? [`${text} ${theme.glyphs.ellipsis}`, tone] : [text, tone],
	);
	const short = [...head, ...wrapped(shortSpans)];
	if (short.length <= height) return { body: short, isCut: false };
	return { body: short.slice(0, Math.max(0, usualHeight)), isCut: true };
}

function wrappedSpans(
	[text, tone]: Span,
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	return wrapText(text, width, theme).map((line): readonly Span[] => [[line, tone]]);
}
