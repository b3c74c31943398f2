import { blankCell, type CellLine } from './cells.ts';
import {
	byteCountOfMove,
	type Capabilities,
	type CursorWriter,
	createCursorWriter,
	displayableText,
	moveTo,
	setStyle,
	unknownPosition,
} from './cursor-writer.ts';
import { createBlankLine, endOfBlank, isBlankCell } from './grid.ts';
import { createRowComparison } from './row-comparison.ts';
import { plainStyle } from './style.ts';
import { styleForSpace } from './style-cache.ts';
import { byteCountOfUnit, plainCharacterWidth } from './text-width.ts';

/** Moving the cursor over more unchanged cells than this never takes more bytes than writing them again. */
const maxRewrittenGap = 10;

export type RowPainter = {
	/** Turns row `y` that the terminal shows into the next one. */
	paint(
		writer: CursorWriter,
		currentLine: CellLine,
		nextLine: CellLine,
		y: number,
		capabilities: Capabilities,
	): void;
};

/**
 * Creates a painter that turns one row into another with as few bytes as possible. Each changed cell is written by one of
 *
 *    erase to the end (`CSI K`)    the rest of the row is blank, or nearly all of it changes
 *    erase n cells (`CSI n X`)     a run of spaces
 *    repeat (`CSI n b`)            a run of one glyph
 *    write the glyph               anything else
 *
 * The cursor reaches the cell by a move or by rewriting the gap, whichever is shorter. The function is long,
 * because its steps use the same row, and objects for each row would cost memory in every frame.
 */
export function createRowPainter(): RowPainter {
	let writer = createCursorWriter();
	let nextLine = createBlankLine(0);
	let y = 0;
	let capabilities: Capabilities;
	const row = createRowComparison();
	const { glyphAt, unitAt, styleAt, isChanged, isFit } = row;

	return {
		paint(toWriter, currentLine, next, line, terminal) {
			writer = toWriter;
			nextLine = next;
			y = line;
			capabilities = terminal;
			row.begin(currentLine, next);
			paintFrom(0, true);
		},
	};

	function paintFrom(start: number, canEraseAhead: boolean) {
		const columns = row.columns();
		for (let x = start; x < columns; x++) {
			if (!isChanged(x)) continue;
			if (x >= row.tail()) {
				eraseTail(x);
				return;
			}
			while (x > 0 && unitAt(x) === 0) x -= 1;
			const isBlank = isBlankCell(nextLine, x);
			if (canEraseAhead && isBlank && !row.isCovered(x) && row.isMostlyChanged(x)) {
				paintRest(x);
				return;
			}
			const length = runOf(x);
			if (isBlank && eraseRun(x)) x = endOfBlank(nextLine, x) - 1;
			else if (length > 1) x = writeRun(x, length) - 1;
			else x = writeGlyphs(x) - 1;
		}
	}

	/** Paints the rest of the row over its cells and over erased cells, and keeps the shorter result. */
	function paintRest(x: number) {
		const erasing = writer;
		const over = { ...writer };
		writer = over;
		paintFrom(x, false);
		writer = erasing;
		row.uncover();
		approach(x);
		setStyle(writer, plainStyle, capabilities);
		writer.text += '\u001B[K';
		row.compareWithBlank(x);
		paintFrom(x, false);
		if (over.text.length <= writer.text.length) Object.assign(writer, over);
	}

	function eraseTail(x: number) {
		const count = row.lastChangedBefore(row.columns()) - x + 1;
		approach(x);
		setStyleAt(x);
		if (count > 3) writer.text += '\u001B[K';
		else write(' '.repeat(count), count);
	}

	/** Erases a run of spaces if that is shorter than writing them. Returns whether it erased them. */
	function eraseRun(x: number): boolean {
		const columns = row.columns();
		const end = endOfBlank(nextLine, x);
		const count = row.lastChangedBefore(end) - x + 1;
		const erase = `\u001B[${count}X`;
		if (erase.length >= count) return false;
		let next = end;
		while (next < columns && !isChanged(next)) next += 1;
		const onwards = next < columns ? byteCountOfMove(writer, next, y, x) : 0;
		const written = next < columns ? byteCountOfMove(writer, next, y, x + count) : 0;
		if (erase.length + onwards >= count + written) return false;
		approach(x);
		setStyleAt(x);
		writer.text += erase;
		return true;
	}

	/**
	 * Returns how many equal cells begin in column `x`, up to the last changed one; 1 if repeating would not save
	 * bytes.
	 */
	function runOf(x: number): number {
		if (!capabilities.canRepeatCharacters || plainCharacterWidth(unitAt(x)) !== 1) return 1;
		const count = row.equalCellsFrom(x);
		const bytes = byteCountOfUnit(unitAt(x));
		return bytes * count > bytes + `\u001B[${count - 1}b`.length ? count : 1;
	}

	function writeRun(x: number, count: number): number {
		approach(x);
		setStyleAt(x);
		write(`${glyphAt(x)}\u001B[${count - 1}b`, count);
		return x + count;
	}

	/** Writes the glyph in column `x`, and those after it that need nothing else. Returns the end of what was written. */
	function writeGlyphs(x: number): number {
		approach(x);
		setStyleAt(x);
		let end = x + 1;
		while (end < row.columns() && unitAt(end) === 0) end += 1;
		let text = glyphAt(x);
		if (plainCharacterWidth(unitAt(x)) === 0) {
			writeAmbiguousWidth(x, end);
			return end;
		}
		// A space may have been written in another style that looks the same on it.
		const style = text === ' ' ? undefined : styleAt(x);
		while (style !== undefined && row.canFollow(end, style)) {
			text += glyphAt(end);
			end += 1;
		}
		write(text, end - x);
		return end;
	}

	/**
	 * Paints a glyph on whose width terminals disagree. So its cells are cleared first, the cells that it may cover
	 * are written again, and the cursor is moved explicitly.
	 */
	function writeAmbiguousWidth(x: number, end: number) {
		writer.text += ' '.repeat(end - x);
		writer.x = unknownPosition;
		moveTo(writer, x, y);
		writer.text += displayableText(capabilities, glyphAt(x));
		writer.x = unknownPosition;
		row.coverUpTo(x + 2 * [...glyphAt(x)].length);
	}

	function write(text: string, cells: number) {
		writer.text += displayableText(capabilities, text);
		writer.x = writer.x + cells < row.columns() ? writer.x + cells : unknownPosition;
	}

	/** Moves the cursor to a column, or rewrites the cells before that column if this takes fewer bytes. */
	function approach(x: number) {
		const gap = x - writer.x;
		if (writer.y === y && writer.x !== unknownPosition && gap > 0 && gap <= maxRewrittenGap) {
			const change = changeWithin(writer.x, x);
			if (change !== undefined && costOfGap(writer.x, x) <= byteCountOfMove(writer, x, y)) {
				while (writer.x < x) {
					if (writer.x === change) setStyle(writer, styleAt(x), capabilities);
					write(glyphAt(writer.x), 1);
				}
				return;
			}
		}
		moveTo(writer, x, y);
	}

	/**
	 * Finds the column in a gap where the current style changes to the style of the gap's end. Returns
	 * undefined when the gap has other styles, or glyphs of ambiguous width.
	 */
	function changeWithin(from: number, to: number): number | undefined {
		let change = from;
		while (change < to && plainCharacterWidth(unitAt(change)) === 1 && isFit(change, writer.style))
			change += 1;
		for (let at = change; at < to; at++) {
			if (plainCharacterWidth(unitAt(at)) !== 1 || !isFit(at, styleAt(to))) return undefined;
		}
		return change;
	}

	function costOfGap(from: number, to: number): number {
		let bytes = 0;
		for (let at = from; at < to; at++) bytes += byteCountOfUnit(unitAt(at));
		return bytes;
	}

	/**
	 * Sets the style for the cell in column `x`. A space shows only a part of its style, so the style of the
	 * next glyph may serve for both.
	 */
	function setStyleAt(x: number) {
		if (isFit(x, writer.style)) return;
		if (unitAt(x) !== blankCell) {
			setStyle(writer, styleAt(x), capabilities);
			return;
		}
		const columns = row.columns();
		let ahead = x + 1;
		while (ahead < columns && unitAt(ahead) === blankCell && isChanged(ahead)) ahead += 1;
		const isUseful = ahead < columns && isChanged(ahead) && isFit(x, styleAt(ahead));
		setStyle(
			writer,
			isUseful ? styleAt(ahead) : styleForSpace(styleAt(x), writer.style),
			capabilities,
		);
	}
}
