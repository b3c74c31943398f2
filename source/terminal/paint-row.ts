import {
	type Capabilities,
	type CursorWriter,
	costOfMove,
	displayable,
	moveTo,
	setStyle,
	unknown,
} from './cursor-writer.ts';
import { type Grid, isSameCell } from './grid.ts';
import { isSameOnSpaces, isSameStyle, plain, type Style, styleForSpaces } from './style.ts';
import { plainWidth } from './text-width.ts';

/** Longer gaps are never cheaper to write over than to jump. */
const longestGap = 10;

/** Writes what turns one row of the screen that is shown into that of the screen that is wanted. */
export function paintRow(
	pen: CursorWriter,
	shown: Grid,
	wanted: Grid,
	y: number,
	dialect: Capabilities,
) {
	const { columns } = wanted;
	const row = y * columns;
	const tail = tailOf(wanted, row);
	/** A glyph that some terminals draw wider may have covered what comes before this column. */
	let covered = 0;

	for (let x = 0; x < columns; x++) {
		if (!isChanged(x)) continue;
		if (x >= tail) {
			eraseTail(x);
			return;
		}
		while (x > 0 && glyphAt(x) === '') x -= 1;
		const length = runOf(x);
		if (isErased(x) && eraseRun(x)) x = endOfErased(x) - 1;
		else if (length > 1) x = writeRun(x, length) - 1;
		else x = writeGlyph(x) - 1;
	}

	function glyphAt(x: number): string {
		return wanted.glyphs[row + x] ?? ' ';
	}

	function styleAt(x: number): Style {
		return wanted.styles[row + x] ?? plain;
	}

	function isChanged(x: number): boolean {
		return x < covered || !isSameCell(wanted, row + x, shown, row + x);
	}

	/** Whether a cell can be written in this style. */
	function isFit(x: number, style: Style): boolean {
		return (glyphAt(x) === ' ' ? isSameOnSpaces : isSameStyle)(style, styleAt(x));
	}

	/** Whether a cell looks as if it had been erased. */
	function isErased(x: number): boolean {
		return glyphAt(x) === ' ' && isSameOnSpaces(styleAt(x), plain);
	}

	function endOfErased(x: number): number {
		let end = x;
		while (end < columns && isErased(end)) end += 1;
		return end;
	}

	function lastChangedBefore(end: number): number {
		let last = end - 1;
		while (!isChanged(last)) last -= 1;
		return last;
	}

	function eraseTail(x: number) {
		const count = lastChangedBefore(columns) - x + 1;
		approach(x);
		dress(x);
		if (count > 3) pen.text += '\u001B[K';
		else write(' '.repeat(count), count);
	}

	/** Blanks a run by erasing, when that is shorter than writing spaces. */
	function eraseRun(x: number): boolean {
		const end = endOfErased(x);
		const count = lastChangedBefore(end) - x + 1;
		const erase = `\u001B[${count}X`;
		if (erase.length >= count) return false;
		let next = end;
		while (next < columns && !isChanged(next)) next += 1;
		const onwards = next < columns ? costOfMove({ x, y }, next, y) : 0;
		const written = next < columns ? costOfMove({ x: x + count, y }, next, y) : 0;
		if (erase.length + onwards >= count + written) return false;
		approach(x);
		dress(x);
		pen.text += erase;
		return true;
	}

	/** How many cells from here on hold the same glyph in the same style and are to be written. */
	function runOf(x: number): number {
		if (!dialect.canRepeat || widthOf(x) !== 1) return 1;
		let last = x;
		for (let at = x + 1; at < columns && isSameCell(wanted, row + x, wanted, row + at); at++) {
			if (isChanged(at)) last = at;
		}
		const count = last - x + 1;
		const bytes = bytesOf(x);
		return bytes * count > bytes + `\u001B[${count - 1}b`.length ? count : 1;
	}

	function writeRun(x: number, count: number): number {
		approach(x);
		dress(x);
		write(`${glyphAt(x)}\u001B[${count - 1}b`, count);
		return x + count;
	}

	function writeGlyph(x: number): number {
		approach(x);
		dress(x);
		let end = x + 1;
		while (end < columns && glyphAt(end) === '') end += 1;
		if (widthOf(x) > 0) write(glyphAt(x), end - x);
		else writeUnsteady(x, end);
		return end;
	}

	/** Terminals disagree on the width of this one: they get blanks to stand on, whatever it covers is
	 *  written after it, and the cursor is told anew where it is. */
	function writeUnsteady(x: number, end: number) {
		pen.text += ' '.repeat(end - x);
		pen.x = unknown;
		moveTo(pen, x, y);
		pen.text += displayable(dialect, glyphAt(x));
		pen.x = unknown;
		covered = Math.min(columns, Math.max(covered, x + 2 * [...glyphAt(x)].length));
	}

	function write(text: string, cells: number) {
		pen.text += displayable(dialect, text);
		pen.x = pen.x + cells < columns ? pen.x + cells : unknown;
	}

	/** Gets to a column, writing over what lies between when that is shorter than to jump. */
	function approach(x: number) {
		const gap = x - pen.x;
		if (pen.y === y && pen.x !== unknown && gap > 0 && gap <= longestGap) {
			const change = changeWithin(pen.x, x);
			if (change !== undefined && costOfGap(pen.x, x) <= costOfMove(pen, x, y)) {
				while (pen.x < x) {
					if (pen.x === change) dress(x);
					write(glyphAt(pen.x), 1);
				}
				return;
			}
		}
		moveTo(pen, x, y);
	}

	/** Where in a gap to change from the style in use to that of its end; undefined when cells in it
	 *  have other styles, or glyphs that are not simply written. */
	function changeWithin(from: number, to: number): number | undefined {
		let change = from;
		while (change < to && widthOf(change) === 1 && isFit(change, pen.style)) change += 1;
		for (let at = change; at < to; at++) {
			if (widthOf(at) !== 1 || !isFit(at, styleAt(to))) return undefined;
		}
		return change;
	}

	function costOfGap(from: number, to: number): number {
		let bytes = 0;
		for (let at = from; at < to; at++) bytes += bytesOf(at);
		return bytes;
	}

	function widthOf(x: number): number {
		const glyph = glyphAt(x);
		return glyph.length === 1 ? plainWidth(glyph.charCodeAt(0)) : 0;
	}

	function bytesOf(x: number): number {
		const unit = glyphAt(x).charCodeAt(0);
		return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
	}

	/** Changes to the style of a cell; for a blank only as far as can be seen, looking ahead. */
	function dress(x: number) {
		if (isFit(x, pen.style)) return;
		if (glyphAt(x) !== ' ') {
			setStyle(pen, styleAt(x), dialect);
			return;
		}
		let ahead = x + 1;
		while (ahead < columns && glyphAt(ahead) === ' ' && isChanged(ahead)) ahead += 1;
		const isUseful = ahead < columns && isChanged(ahead) && isFit(x, styleAt(ahead));
		setStyle(pen, isUseful ? styleAt(ahead) : styleForSpaces(styleAt(x), pen.style), dialect);
	}
}

/** From which column on a row is blank to its end. */
function tailOf(grid: Grid, row: number): number {
	let tail = grid.columns;
	while (
		tail > 0 &&
		grid.glyphs[row + tail - 1] === ' ' &&
		isSameOnSpaces(grid.styles[row + tail - 1] ?? plain, plain)
	) {
		tail -= 1;
	}
	return tail;
}
