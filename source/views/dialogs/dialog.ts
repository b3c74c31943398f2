import { framed } from '../../lines/frame.ts';
import { cellsOf } from '../../lines/measure.ts';
import { joinedParts, type Part, partsThatFit } from '../../lines/parts.ts';
import { cut, type Span, wrap } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import { type Typed, typedLine } from '../../lines/typed.ts';
import { shownKeyOf, yesKeyOf } from '../actions/shown-keys.ts';
import type { Action } from '../scene.ts';

// ╭ Delete atlas? ───────────────────────────────────────────────────╮
// │ Erases it for good: workspace, chat history, packages, settings. │
// │ sb_atlas01, active for 6 d 4 h, publishes port 8080              │
// │ crowsnest delete atlas --yes                                     │
// │ Type its name to delete it: atl▏                                 │
// │ Enter deletes · Esc cancels · Ctrl-Y copies the command          │
// ╰──────────────────────────────────────────────────────────────────╯

export type Dialog = {
	title: string;
	tone: Tone;
	lines: readonly Span[];
	/** The first lines, which a person must read before answering, and their short form. All may be cut off without it. */
	essential?: { lineCount: number; short: readonly Span[] } | undefined;
	command?: string | undefined;
	problem?: string | undefined;
	/** Empty if nothing has changed since the dialog opened. */
	news?: string | undefined;
	prompt?: readonly Span[] | undefined;
	/** Undefined if a single key answers. */
	typed?: Typed | undefined;
	/** The most important hint comes first. */
	hints: readonly string[];
};

export type Box = {
	lines: readonly (readonly Span[])[];
	width: number;
	/** There is no room for something that a person must read before answering. */
	isCut?: boolean;
};

type Size = { columns: number; rows: number };

const maxWidth = 76;
const maxCommandLines = 2;
// On screens with at least this many rows, the header and the lines below the view stay in sight around the box.
const minTallRows = 20;
const linesAroundBox = 5;

export const innerWidthOf = ({ columns }: Size) => Math.min(maxWidth, columns - 2) - 4;

export const boxAround = (
	title: string,
	lines: readonly (readonly Span[])[],
	{ columns }: Size,
	tone: Tone = 'accent',
): Box => {
	const width = Math.min(maxWidth, columns - 2);
	return { width, lines: framed(title, lines, width, tone) };
};

/** The typed text and the keys are always in sight. What does not fit above them is cut off and ends in an ellipsis. */
export function dialogBox(dialog: Dialog, size: Size): Box {
	const { title, tone, lines, command, prompt = [], typed, news, problem, hints } = dialog;
	const inner = innerWidthOf(size);
	const wrapped = (spans: readonly Span[]) => spans.flatMap(span => wrap([span], inner));
	const isTitleWhole = cellsOf(title) <= inner;
	const head = isTitleWhole ? [] : wrapped([[title, 'strong']]);
	const field = typed ? [typedLine(prompt, typed, inner)] : [];
	const height = size.rows - 3 - field.length;
	const room = Math.max(0, height - (size.rows < minTallRows ? 1 : linesAroundBox));
	const all = [...head, ...wrapped(lines), ...commandLines(command, inner)];
	const { lineCount = 0, short = [] } = dialog.essential ?? {};
	const needed = head.length + wrapped(lines.slice(0, lineCount)).length;
	const isShort = all.length > room && lineCount > 0 && needed >= room;
	// An ellipsis says that there is more to read.
	const shortBody = [
		...head,
		...wrapped(
			short.map(([text, tone], at) => {
				return [at === short.length - 1 ? `${text} …` : text, tone];
			}),
		),
	];
	const isCut = isShort && shortBody.length > height;
	const beginning = [...all.slice(0, Math.max(0, room - 1)), [['…'] as const]].slice(0, room);
	const whole = all.length <= room ? all : beginning;
	const body = isShort ? shortBody.slice(0, isCut ? room : height) : whole;
	const notes = problem
		? wrapped([[problem, 'bad']]).slice(0, Math.max(1, height - 1))
		: news === undefined
			? []
			: [cut([[news, 'busy']], inner)];
	const hasRoom = body.length + notes.length <= room;
	// What comes while the dialog is open covers the last lines if there is no room for it, so that nothing moves.
	const left =
		hasRoom || !(problem || news) ? body : body.slice(0, Math.max(0, room - notes.length));
	const enlarge = inner < 30 ? 'Enlarge the terminal' : 'Enlarge the terminal to answer';
	const keys = keyLine(isCut ? [enlarge, ...hints.slice(1)] : hints, inner);
	const shown = [...left, ...(hasRoom || problem || news ? notes : []), ...field, keys];
	return { ...boxAround(isTitleWhole ? title : '', shown, size, tone), isCut };
}

/** A command with many names is cut. The key that copies it copies all of it. */
function commandLines(command: string | undefined, inner: number): readonly (readonly Span[])[] {
	const lines = command === undefined ? [] : wrap([[command, 'faint']], inner);
	if (lines.length <= maxCommandLines) return lines;
	const [begin = [], end = []] = lines;
	return [begin, cut([...end, [' …', 'faint']], inner)];
}

//  y stops · n cancels · c copies the command
//  Enter deletes · Esc cancels · Ctrl-Y copies the command

export type KeyHint = readonly [action: string, effect: string];

/** As in `Esc cancels`. An action without a key has no hint. */
export const keyHints = (actions: readonly Action[], hints: readonly KeyHint[]) =>
	hints.flatMap(([action, effect]) => {
		const key = shownKeyOf(actions, action);
		return key === undefined ? [] : [`${key} ${effect}`];
	});

/** For a dialog that a letter answers. The key that opened it never confirms it. */
export function letterHints(
	actions: readonly Action[],
	openingKey: string | undefined,
	accept: string,
	refuse: string,
	others: readonly KeyHint[],
): readonly string[] {
	const no = shownKeyOf(actions, 'no') === undefined ? 'closeDialog' : 'no';
	const yes = `${yesKeyOf(actions, openingKey)} ${accept}`;
	return [yes, ...keyHints(actions, [[no, refuse], ...others])];
}

/** The key that refuses always stays, because a person must see how to leave a question. */
export function keyLine(hints: readonly string[], width: number): readonly Span[] {
	const parts = hints.flatMap((hint, at): readonly Part[] => {
		const text = at === 0 ? hint : ` · ${hint}`;
		const keyEnd = at === 1 ? text.indexOf(' ', 3) : text.length;
		const part = (drop: number, piece: string): Part => ({ drop, spans: [[piece, 'faint']] });
		return [
			part(at === 0 ? 1 : at === 1 ? 0 : 3, text.slice(0, keyEnd)),
			part(2, text.slice(keyEnd)),
		];
	});
	return joinedParts(partsThatFit(parts, width, ''));
}
