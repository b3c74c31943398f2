import { plain, type Style, styleChange, withoutColours } from './style.ts';

/** What the terminal may be told. */
export type Capabilities = {
	hasColours: boolean;
	hasLinks: boolean;
	/** Knows `CSI n b`, which repeats the last character. */
	canRepeat: boolean;
	/** Knows no `CSI n G`, which goes to a column: real terminals up to the VT400. */
	lacksColumnMoves?: boolean;
	/** Shows nothing but ASCII. */
	lacksUnicode?: boolean;
};

/** Where the terminal's cursor stands, in which style it writes, and what is to be sent. */
export type CursorWriter = {
	text: string;
	/** Unknown after the last column, where terminals disagree, and when y is unknown. */
	x: number;
	y: number;
	style: Style;
	lacksColumnMoves: boolean;
};

type Position = { x: number; y: number; lacksColumnMoves?: boolean };

export const unknown = -1;

export function createCursorWriter(): CursorWriter {
	return { text: '', x: unknown, y: unknown, style: plain, lacksColumnMoves: false };
}

export function moveTo(pen: CursorWriter, x: number, y: number) {
	if (pen.x === x && pen.y === y) return;
	pen.text += shortestMove(pen, x, y);
	pen.x = x;
	pen.y = y;
}

/** The bytes that it takes to get there. */
export function costOfMove(pen: Position, x: number, y: number): number {
	return pen.x === x && pen.y === y ? 0 : shortestMove(pen, x, y).length;
}

function shortestMove(from: Position, x: number, y: number): string {
	let best =
		x === 0 ? `\u001B[${y === 0 ? '' : y + 1}H` : `\u001B[${y === 0 ? '' : y + 1};${x + 1}H`;
	if (from.y === unknown) return best;
	const candidates: string[] = [];
	if (from.y === y && x === 0) candidates.push('\r');
	else if (from.y === y && !from.lacksColumnMoves) candidates.push(`\u001B[${x + 1}G`);
	if (from.y + 1 === y && x === 0) candidates.push('\r\n');
	if (from.x !== unknown) candidates.push(vertically(from.y, y) + horizontally(from.x, x));
	for (const each of candidates) if (each.length < best.length) best = each;
	return best;
}

function vertically(from: number, to: number): string {
	if (from === to) return '';
	return from < to ? relative(to - from, 'B') : relative(from - to, 'A');
}

function horizontally(from: number, to: number): string {
	if (from <= to) return from === to ? '' : relative(to - from, 'C');
	return from - to <= 3 ? '\b'.repeat(from - to) : relative(from - to, 'D');
}

const relative = (count: number, way: string) => `\u001B[${count === 1 ? '' : count}${way}`;

export function setStyle(pen: CursorWriter, style: Style, dialect: Capabilities) {
	if (style === pen.style) return;
	let next = dialect.hasColours ? style : withoutColours(style);
	if (!dialect.hasLinks && next.link !== '') next = { ...next, link: '' };
	pen.text += styleChange(pen.style, next);
	pen.style = next;
}

/**
 * Text as the terminal can show it. Where it lacks Unicode everything is worded in ASCII already, but
 * Ink ends what it cuts off with an ellipsis, as in a frame that was laid out before a resize.
 */
export function displayable({ lacksUnicode }: Capabilities, text: string): string {
	return lacksUnicode ? text.replaceAll('…', '~').replace(/[^\x00-\x7f]/gu, '?') : text;
}
