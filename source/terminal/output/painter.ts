import {
	type Capabilities,
	type CursorWriter,
	createCursorWriter,
	moveTo,
} from './cursor-writer.ts';
import { createBlankGrid, type Grid } from './grid.ts';
import { createRowPainter } from './paint-row.ts';
import { findRowShift, scrollRows } from './scroll.ts';
import { plainStyle, styleChange } from './style.ts';

/** The position of the terminal's own cursor; undefined when it is hidden. */
export type Caret = { x: number; y: number } | undefined;

export type Painter = {
	/** Returns the sequences that make the terminal show this grid. */
	paint(nextGrid: Grid, caret: Caret): string;
	/** Forgets what the terminal shows, so that the next frame is painted whole. */
	forgetShownGrid(): void;
};

/**
 * Matches the terminals that are known to support `CSI n b`, which repeats a character. Mosh does not, and
 * tmux 3.3 drops repeated characters outside ASCII.
 */
export const repeatingTerminalPattern = /^(xterm|kitty|wezterm|foot|mintty|ghostty|vte|contour)/i;

/**
 * Terminals show everything between these two sequences at once. Frames of fewer characters than
 * `minSynchronisedLength` arrive in one piece without them.
 */
const beginUpdate = '\u001B[?2026h';
const endUpdate = '\u001B[?2026l';
const minSynchronisedLength = 1000;

const hideCaret = '\u001B[?25l';
const showCaret = '\u001B[?25h';

/** Remembers the cells that the terminal shows, and finds the cheapest way to make it show another grid. */
export function createPainter(capabilities: () => Capabilities): Painter {
	let writer = createCursorWriter();
	const rowPainter = createRowPainter();
	let shown: Grid | undefined;
	let isCaretShown = false;

	return {
		paint(wanted, caret) {
			writer.text = '';
			const isSized =
				shown?.columns === wanted.columns && shown.lines.length === wanted.lines.length;
			const isAtomic = shown && isSized ? change(shown, wanted) : paintWhole(wanted);
			shown = wanted;
			placeCaret(caret);
			return isAtomic ? writer.text : beginUpdate + writer.text + endUpdate;
		},
		forgetShownGrid() {
			shown = undefined;
		},
	};

	/**
	 * Paints the changes, with scrolling if that takes fewer bytes. Returns whether the frame needs no
	 * synchronised update.
	 */
	function change(from: Grid, wanted: Grid): boolean {
		const moved = findRowShift(from, wanted);
		if (moved) {
			const shifted = { ...writer };
			paintRows(shifted, scrollRows(shifted, from, moved), wanted);
			const most = shifted.text.length + beginUpdate.length + endUpdate.length;
			// The frame with scrolling is painted first. Painting without scrolling then stops as soon as it takes
			// more bytes.
			if (!paintRows(writer, from, wanted, most)) {
				writer = shifted;
				return false;
			}
		} else {
			paintRows(writer, from, wanted);
		}
		return writer.text.length < minSynchronisedLength;
	}

	function paintWhole(wanted: Grid): false {
		writer = {
			text: `${hideCaret}${styleChange(writer.style, plainStyle)}\u001B[m\u001B[H\u001B[J`,
			x: 0,
			y: 0,
			style: plainStyle,
			cannotMoveToColumn: capabilities().cannotMoveToColumn ?? false,
		};
		isCaretShown = false;
		paintRows(writer, createBlankGrid(wanted.columns, wanted.lines.length), wanted);
		return false;
	}

	/** Paints the changed rows. Stops and returns false when the text is longer than `maxLength`. */
	function paintRows(
		writer: CursorWriter,
		from: Grid,
		wanted: Grid,
		maxLength = Number.POSITIVE_INFINITY,
	): boolean {
		const terminal = capabilities();
		for (let y = 0; y < wanted.lines.length; y++) {
			const before = from.lines[y];
			const line = wanted.lines[y];
			if (!before || !line || before === line) continue;
			rowPainter.paint(writer, before, line, y, terminal);
			if (writer.text.length > maxLength) return false;
		}
		return true;
	}

	function placeCaret(caret: Caret) {
		if (caret) moveTo(writer, caret.x, caret.y);
		if (isCaretShown === (caret !== undefined)) return;
		writer.text += caret ? showCaret : hideCaret;
		isCaretShown = caret !== undefined;
	}
}
