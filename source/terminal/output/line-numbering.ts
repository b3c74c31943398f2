import type { CellLine } from './grid.ts';
import { flagsVisibleOnSpaces, plainStyle, type Style } from './style.ts';

/** A line with a number for each cell. Cells with different numbers look different. */
export type NumberedLine = {
	cells: Int32Array;
	/** One number for every eight cells, for a first and rough comparison. */
	groups: Int32Array;
};

const cellsPerGroup = 8;

/**
 * No screen has more styles than this. The number of a cell is the number of its glyph times this, plus the
 * number of its style.
 */
const maxStyles = 4096;

/**
 * When the table has more glyphs than this, numbering starts again with an empty table, because the table would grow
 * forever.
 */
const maxGlyphs = 10_000;

export type LineNumbering = {
	numbered(line: CellLine): NumberedLine;
	isFull(): boolean;
};

/**
 * Numbers cells so that lines can be compared quickly: cells that look the same have the same number. Frames
 * share most of their lines, so each line is numbered only once. The function is long because its steps share the tables
 * of numbers.
 */
export function createLineNumbering(): LineNumbering {
	const glyphs = new Map<string, number>();
	/** The numbers of the glyphs of one UTF-16 unit below 128, plus one. Most glyphs are of this kind. */
	const asciiNumbers = new Int32Array(128);
	const numbersByLook = new Map<string, number>();
	const onGlyphs = new WeakMap<Style, number>();
	const onSpaces = new WeakMap<Style, number>();
	const lines = new WeakMap<CellLine, NumberedLine>();

	function numberOf(style: Style, isBlank: boolean): number {
		const known = isBlank ? onSpaces : onGlyphs;
		let number = known.get(style);
		if (number !== undefined) return number;
		const key = lookOf(style, isBlank);
		number = numbersByLook.get(key) ?? numbersByLook.size;
		numbersByLook.set(key, number);
		known.set(style, number);
		return number;
	}

	function numberOfGlyph(glyph: string): number {
		let number = glyphs.get(glyph);
		if (number === undefined) {
			number = glyphs.size;
			glyphs.set(glyph, number);
		}
		const unit = glyph.length === 1 ? glyph.charCodeAt(0) : asciiNumbers.length;
		if (unit < asciiNumbers.length) asciiNumbers[unit] = number + 1;
		return number;
	}

	function numbersOf({ glyphs: cells, styles }: CellLine): Int32Array {
		const codes = new Int32Array(cells.length);
		// Neighbours mostly have the same style.
		let style: Style | undefined;
		let [onGlyph, onSpace] = [0, 0];
		for (let at = 0; at < cells.length; at++) {
			const glyph = cells[at] ?? ' ';
			const ofCell = styles[at] ?? plainStyle;
			if (ofCell !== style) {
				style = ofCell;
				onGlyph = numberOf(style, false);
				onSpace = numberOf(style, true);
			}
			const unit = glyph.length === 1 ? glyph.charCodeAt(0) : asciiNumbers.length;
			const known = asciiNumbers[unit] ?? 0;
			const number = known > 0 ? known - 1 : numberOfGlyph(glyph);
			codes[at] = number * maxStyles + (glyph === ' ' ? onSpace : onGlyph);
		}
		return codes;
	}

	return {
		numbered(line) {
			let found = lines.get(line);
			if (found) return found;
			const cells = numbersOf(line);
			found = { cells, groups: groupsOf(cells) };
			lines.set(line, found);
			return found;
		},
		isFull: () => glyphs.size > maxGlyphs,
	};
}

function groupsOf(cells: Int32Array): Int32Array {
	const groups = new Int32Array(Math.ceil(cells.length / cellsPerGroup));
	for (let at = 0; at < cells.length; at++) {
		const group = Math.floor(at / cellsPerGroup);
		groups[group] = Math.imul(groups[group] ?? 0, 31) + (cells[at] ?? 0);
	}
	return groups;
}

/** Returns a text that is equal for styles that look the same, by the rules of `isSameCell`. */
function lookOf({ foreground, background, flags, underline, link }: Style, isBlank: boolean) {
	const isBare = isBlank && link === '' && (flags & flagsVisibleOnSpaces) === 0;
	return isBare ? `${background}` : `${foreground};${background};${flags};${underline};${link}`;
}
