import {
	type Capabilities,
	type CursorWriter,
	createCursorWriter,
	moveTo,
} from './cursor-writer.ts';
import { createGrid, type Grid } from './grid.ts';
import { paintRow } from './paint-row.ts';
import { findShift, scrollRows } from './scroll.ts';
import { plain, styleChange } from './style.ts';

/** Where the terminal's own cursor is to be seen, if at all. */
export type Caret = { x: number; y: number } | undefined;

export type Painter = {
	/** What to send so that the terminal shows this. */
	paint(wanted: Grid, caret: Caret): string;
	/** From now on nobody knows what the terminal shows. */
	forget(): void;
};

/**
 * Terminals that are known to know `CSI n b`. Others are not sent it: mosh lacks it, and tmux 3.3 loses
 * every character with it that is not ASCII.
 */
export const supportsRepeat = /^(xterm|kitty|wezterm|foot|mintty|ghostty|vte|contour)/i;

/** Terminals show what comes between these two at once. Small frames arrive in one piece anyway. */
const beginUpdate = '\u001B[?2026h';
const endUpdate = '\u001B[?2026l';
const smallFrame = 1000;

const hideCaret = '\u001B[?25l';
const showCaret = '\u001B[?25h';

/** Keeps what the terminal shows, and tells what has to be sent to make it show something else. */
export function createPainter(dialect: () => Capabilities): Painter {
	let pen = createCursorWriter();
	let shown: Grid | undefined;
	let isCaretShown = false;

	return {
		paint(wanted, caret) {
			pen.text = '';
			const isSized = shown?.columns === wanted.columns && shown.rows === wanted.rows;
			const isAtomic = shown && isSized ? change(shown, wanted) : paintWhole(wanted);
			shown = wanted;
			placeCaret(caret);
			return isAtomic ? pen.text : beginUpdate + pen.text + endUpdate;
		},
		forget() {
			shown = undefined;
		},
	};

	/** Either cell by cell, or after shifting rows, whichever is shorter; tells whether all of it will
	 *  be seen at once. */
	function change(from: Grid, wanted: Grid): boolean {
		const moved = findShift(from, wanted);
		const shifted = { ...pen };
		paintRows(pen, from, wanted);
		if (moved) {
			paintRows(shifted, scrollRows(shifted, from, moved), wanted);
			if (shifted.text.length + beginUpdate.length + endUpdate.length < pen.text.length) {
				pen = shifted;
				return false;
			}
		}
		return pen.text.length < smallFrame;
	}

	function paintWhole(wanted: Grid): false {
		pen = {
			text: `${hideCaret}${styleChange(pen.style, plain)}\u001B[m\u001B[H\u001B[J`,
			x: 0,
			y: 0,
			style: plain,
			lacksColumnMoves: dialect().lacksColumnMoves ?? false,
		};
		isCaretShown = false;
		paintRows(pen, createGrid(wanted.columns, wanted.rows), wanted);
		return false;
	}

	function paintRows(pen: CursorWriter, from: Grid, wanted: Grid) {
		for (let y = 0; y < wanted.rows; y++) paintRow(pen, from, wanted, y, dialect());
	}

	function placeCaret(caret: Caret) {
		if (caret) moveTo(pen, caret.x, caret.y);
		if (isCaretShown === (caret !== undefined)) return;
		pen.text += caret ? showCaret : hideCaret;
		isCaretShown = caret !== undefined;
	}
}
