import { plain, type Style, styleChange, withoutColours } from './style.ts';

/** What the terminal can show and understands. */
export type Capabilities = {
	hasColours: boolean;
	hasLinks: boolean;
	/** Whether it knows `CSI n b`, which repeats the last character. */
	canRepeat: boolean;
	/** Whether it lacks `CSI n G`, which moves to a column: hardware terminals up to the VT400. */
	lacksColumnMoves?: boolean;
	/** Whether it shows only ASCII. */
	lacksUnicode?: boolean;
};

/** The text to send so far, and the cursor's position and style after it. */
export type CursorWriter = {
	text: string;
	/** Unknown after the last column, where terminals disagree, and when y is unknown. */
	x: number;
	y: number;
	style: Style;
	lacksColumnMoves: boolean;
};

type Position = { x: number; y: number; lacksColumnMoves?: boolean };

export const unknownPosition = -1;

export function createCursorWriter(): CursorWriter {
	return {
		text: '',
		x: unknownPosition,
		y: unknownPosition,
		style: plain,
		lacksColumnMoves: false,
	};
}

export function moveTo(writer: CursorWriter, x: number, y: number) {
	if (writer.x === x && writer.y === y) return;
	writer.text += shortestMove(writer, x, y);
	writer.x = x;
	writer.y = y;
}

/** The number of bytes that the move takes. */
export function costOfMove(writer: Position, x: number, y: number): number {
	return writer.x === x && writer.y === y ? 0 : shortestMove(writer, x, y).length;
}

function shortestMove(from: Position, x: number, y: number): string {
	let best =
		x === 0 ? `\u001B[${y === 0 ? '' : y + 1}H` : `\u001B[${y === 0 ? '' : y + 1};${x + 1}H`;
	if (from.y === unknownPosition) return best;
	const candidates: string[] = [];
	if (from.y === y && x === 0) candidates.push('\r');
	else if (from.y === y && !from.lacksColumnMoves) candidates.push(`\u001B[${x + 1}G`);
	if (from.y + 1 === y && x === 0) candidates.push('\r\n');
	if (from.x !== unknownPosition) candidates.push(vertically(from.y, y) + horizontally(from.x, x));
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

export function setStyle(writer: CursorWriter, style: Style, capabilities: Capabilities) {
	if (style === writer.style) return;
	let next = capabilities.hasColours ? style : withoutColours(style);
	if (!capabilities.hasLinks && next.link !== '') next = { ...next, link: '' };
	writer.text += styleChange(writer.style, next);
	writer.style = next;
}

/**
 * The text as this terminal can show it. Without Unicode all wording is ASCII already, but Ink ends cut
 * texts with an ellipsis, for example in a frame that was laid out before a resize.
 */
export function displayable({ lacksUnicode }: Capabilities, text: string): string {
	return lacksUnicode ? text.replaceAll('…', '~').replace(/[^\x00-\x7f]/gu, '?') : text;
}
