import { drawFrame, type FramedBox } from '../../drawing/framed-box.ts';
import { fitToWidth, justifySpans, type Span, widthOf, wrapText } from '../../drawing/span.ts';
import { type LineWithCaret, promptWithInput } from '../../drawing/typed-line.ts';
import type { Theme, Tone } from '../../lines/theme.ts';
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
	 * What has changed since the dialog opened; empty if nothing has. Nothing moves when it appears. Absent in a dialog about nothing that changes.
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
	const hasTitleInFrame = theme.ruler.width(title) + 4 <= width;
	const head = hasTitleInFrame ? [] : wrappedSpans([title, 'strong'], inner, theme);
	const bodyIn = (height: number) => bodyThatFits(dialog, head, { inner, height, rows }, theme);
	const height = rows - 2 - below.length;
	// Lines that a problem covers were in sight before, so the dialog does not count as cut off because of them.
	const { isCut, body: wholeBody } = bodyIn(height);
	const notes = noteLines(dialog, { inner, rows }, theme);
	// A blank line is kept for the news if that covers nothing. Otherwise the news covers the last lines of the body, so that
	// the frame keeps its height.
	const hasBlank = dialog.news !== undefined && bodyIn(height - 1).body.length === wholeBody.length;
	const shownNotes: readonly (readonly Span[])[] = notes.length === 0 && hasBlank ? [[]] : notes;
	const shownBody = bodyIn(height - shownNotes.length).body;
	const blanks = hasBlank ? 0 : wholeBody.length - shownBody.length - shownNotes.length;
	const body =
		notes.length > 0 && dialog.news !== undefined
			? [...shownBody, ...Array.from({ length: Math.max(0, blanks) }, (): readonly Span[] => [])]
			: shownBody;
	const enlarge = enlargeTexts.find(text => theme.ruler.width(text) <= inner);
	const cutBelow = belowWith([...(enlarge ? [enlarge] : []), ...dialog.hints.slice(1)]);
	const lines = [...body, ...shownNotes, ...(isCut ? cutBelow : below)];
	const frame = drawFrame(hasTitleInFrame ? title : '', lines, width, tone, theme);
	return { ...frame, isCut };
}

/**
 * Returns the lines between the body and the prompt: the problem, or else the news. The news comes by itself, so it has a
 * single line, which is cut if it is too long. On a short screen, only the first lines of the problem are shown.
 */
function noteLines(
	{ problem, news = '' }: Dialog,
	{ inner, rows }: { inner: number; rows: number },
	theme: Theme,
): readonly (readonly Span[])[] {
	if (problem !== undefined)
		return wrappedSpans([problem, 'bad'], inner, theme).slice(
			0,
			Math.max(1, rows - linesBesideProblem),
		);
	return news === '' ? [] : [fitToWidth([[news, 'busy']], inner, theme)];
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
