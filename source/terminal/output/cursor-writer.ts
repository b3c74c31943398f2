import { plainStyle, type Style, styleChange, withoutColours } from './style.ts';
import { keptForStyles, sharedStyle } from './style-cache.ts';

/** The features of the terminal that decide which sequences are sent. */
export type Capabilities = {
	hasColours: boolean;
	hasLinks: boolean;
	/** Whether the terminal knows `CSI n b`, which repeats the last character. */
	canRepeatCharacters: boolean;
	/** Hardware terminals up to the VT400 cannot move the cursor to a column (`CSI n G`). */
	cannotMoveToColumn?: boolean;
	/** Whether the terminal shows only ASCII. */
	lacksUnicode?: boolean;
};

/** The text that is to be sent, and the position and style of the cursor after that text. */
export type CursorWriter = {
	text: string;
	/**
	 * The column of the cursor, or `unknownPosition`. The column is unknown after a glyph in the last column,
	 * because terminals then leave the cursor in different places.
	 */
	x: number;
	y: number;
	style: Style;
	cannotMoveToColumn: boolean;
};

export const unknownPosition = -1;

export function createCursorWriter(): CursorWriter {
	return {
		text: '',
		x: unknownPosition,
		y: unknownPosition,
		style: plainStyle,
		cannotMoveToColumn: false,
	};
}

export function moveTo(writer: CursorWriter, x: number, y: number) {
	if (writer.x === x && writer.y === y) return;
	writer.text += shortestMove(writer, x, y);
	writer.x = x;
	writer.y = y;
}

/**
 * Returns the number of bytes that moving the cursor from column `fromX` to column `x` of row `y` takes. The bytes
 * are counted without composing the text, because most of the counted moves are never made.
 */
export function byteCountOfMove(
	{ x: currentX, cannotMoveToColumn }: CursorWriter,
	x: number,
	y: number,
	fromX = currentX,
): number {
	if (fromX === x) return 0;
	const absolute = 3 + (y === 0 ? 0 : digitCount(y + 1)) + (x === 0 ? 0 : 1 + digitCount(x + 1));
	const inRow = x === 0 ? 1 : cannotMoveToColumn ? absolute : 3 + digitCount(x + 1);
	if (fromX === unknownPosition) return Math.min(absolute, inRow);
	return Math.min(absolute, inRow, byteCountWithin(fromX, x));
}

/** Returns the number of bytes of a relative move within a row. */
function byteCountWithin(fromX: number, x: number): number {
	const distance = Math.abs(x - fromX);
	if (fromX > x && distance <= 3) return distance;
	return 3 + (distance === 1 ? 0 : digitCount(distance));
}

const digitCount = (number: number) => (number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4);

function shortestMove(from: CursorWriter, x: number, y: number): string {
	// Most moves stay in their row. Their bytes are counted first, so that only one sequence is composed.
	if (from.y === y && from.x !== unknownPosition && x > 0 && !from.cannotMoveToColumn) {
		const isRelative = byteCountWithin(from.x, x) < 3 + digitCount(x + 1);
		return isRelative ? horizontalMove(from.x, x) : `\u001B[${x + 1}G`;
	}
	const absolute =
		x === 0 ? `\u001B[${y === 0 ? '' : y + 1}H` : `\u001B[${y === 0 ? '' : y + 1};${x + 1}H`;
	if (from.y === unknownPosition) return absolute;
	let best = absolute;
	if (from.y === y && x === 0) best = '\r';
	else if (from.y === y && !from.cannotMoveToColumn) best = shorter(best, `\u001B[${x + 1}G`);
	else if (from.y + 1 === y && x === 0) best = shorter(best, '\r\n');
	if (from.x === unknownPosition) return best;
	return shorter(best, verticalMove(from.y, y) + horizontalMove(from.x, x));
}

const shorter = (a: string, b: string) => (b.length < a.length ? b : a);

function verticalMove(from: number, to: number): string {
	if (from === to) return '';
	return from < to ? relativeMove(to - from, 'B') : relativeMove(from - to, 'A');
}

function horizontalMove(from: number, to: number): string {
	if (from <= to) return from === to ? '' : relativeMove(to - from, 'C');
	return from - to <= 3 ? '\b'.repeat(from - to) : relativeMove(from - to, 'D');
}

const relativeMove = (count: number, direction: string) =>
	`\u001B[${count === 1 ? '' : count}${direction}`;

const keptChange = keptForStyles(styleChange);
const colourless = keptForStyles(style => sharedStyle(withoutColours(style)));

export function setStyle(writer: CursorWriter, style: Style, capabilities: Capabilities) {
	if (style === writer.style) return;
	let next = capabilities.hasColours ? style : colourless(style, plainStyle);
	if (!capabilities.hasLinks && next.link !== '') next = { ...next, link: '' };
	writer.text += keptChange(writer.style, next);
	writer.style = next;
}

/**
 * Replaces the characters that this terminal cannot show. Without Unicode, this program writes only ASCII,
 * but Ink adds an ellipsis to each text that it cuts off.
 */
export function displayableText({ lacksUnicode }: Capabilities, text: string): string {
	return lacksUnicode ? text.replaceAll('…', '~').replace(/[^\x00-\x7f]/gu, '?') : text;
}
