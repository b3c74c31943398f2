import stringWidth from 'string-width';
import {
	blankCell,
	type CellLine,
	cellOf,
	glyphAt,
	noRareCells,
	type RareCell,
	spaceCell,
	styleAt,
	styleBase,
} from './cells.ts';
import { codesOfChange, isSameStyle, plainStyle, type Style, styleAfter } from './style.ts';
import { sharedStyle } from './style-cache.ts';
import { plainCharacterWidth } from './text-width.ts';

// Links and other OSC sequences, which take no cell. Ink has stripped all sequences other than these and styles.
const oscPattern =
	/\u001B\]8;([^;]*;[^\u0007\u001B\u009C]*)(?:\u0007|\u001B\\|\u009C)|\u001B\].*?(?:\u0007|\u001B\\|\u009C)/sy;

const maxCachedStyles = 1000;

const lineFeed = 0x0a;

/** The lines of a text as cells. */
export type TextCells = {
	lines: CellLine[];
	/** Whether the text has only plain characters, simple styles and line breaks, in which Ink would change nothing. */
	isPlain: boolean;
	/** Whether the text ends without a style, so that what follows reads as if it stood alone. */
	isClosed: boolean;
};

/**
 * Reads styled text as Ink does: a style continues across line breaks until a code ends it. `spaceCellOf` decides which
 * part of its style a space keeps.
 */
export function createTextReader(spaceCellOf = spaceCell): (text: string) => TextCells {
	let segmenter: Intl.Segmenter | undefined;
	const cachedStyles = new WeakMap<Style, Map<string, Style>>();
	// Each line gets a copy of exactly its cells. Arrays that grow with each line would leave garbage behind.
	const cells: number[] = [];
	let rareCells: RareCell[] = [];
	let length = 0;
	let isPlain = true;
	let style = plainStyle;
	/** The numbers of a cell without a glyph and of a space in this style; -1 if the style is rare. */
	let base = 0;
	let space = blankCell;

	/** Parses style codes. The same codes after the same style always give the same object. */
	function styleFrom(style: Style, codes: string): Style {
		let after = cachedStyles.get(style);
		if (after === undefined) {
			after = new Map();
			cachedStyles.set(style, after);
		}
		let next = after.get(codes);
		if (next) return next;
		next = sharedStyle(styleAfter(style, codes));
		if (after.size < maxCachedStyles) after.set(codes, next);
		return next;
	}

	function segmentsOf(text: string): Iterable<{ segment: string }> {
		segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
		return segmenter.segment(text);
	}

	function setStyle(next: Style) {
		if (next === style) return;
		style = isSameStyle(next, plainStyle) ? plainStyle : next;
		space = spaceCellOf(style);
		base = space < 0 ? -1 : styleBase(style);
	}

	function pushCell(glyph: string) {
		const isKnown = glyph === ' ' && space >= 0;
		cells[length] = isKnown ? space : cellOf(glyph, style, rareCells);
		length += 1;
	}

	function endLine(lines: CellLine[]) {
		const hasRareCells = rareCells.length > 0;
		lines.push({
			cells: cells.slice(0, length),
			rareCells: hasRareCells ? rareCells : noRareCells,
		});
		if (hasRareCells) rareCells = [];
		length = 0;
	}

	function pushGlyph(lines: CellLine[], glyph: string) {
		if (glyph === '\n') {
			endLine(lines);
			return;
		}
		if (/^\p{Default_Ignorable_Code_Point}+$/u.test(glyph)) return;
		const width = stringWidth(glyph);
		// A glyph without width, such as a mark without a letter, would change the previous cell.
		pushCell(width === 0 ? ' ' : glyph);
		for (let more = width - 1; more > 0; more--) pushCell('');
	}

	/**
	 * As in Ink, a combining mark right after a sequence combines with the final `m` of the sequence, and is
	 * lost.
	 */
	function pushSegments(lines: CellLine[], text: string, isAfterEscape: boolean) {
		let isFirst = isAfterEscape;
		for (const { segment } of segmentsOf(isAfterEscape ? `m${text}` : text)) {
			if (!isFirst) pushGlyph(lines, segment);
			isFirst = false;
		}
	}

	/** Reads a part of a text without sequences. Most parts are plain; another one is read again, by its segments. */
	function pushText(lines: CellLine[], text: string, from: number, end: number) {
		let start = from;
		let begin = length;
		for (let at = start; at < end; at++) {
			const unit = text.charCodeAt(at);
			if (unit === lineFeed) {
				endLine(lines);
				start = at + 1;
				begin = 0;
				continue;
			}
			const width = plainCharacterWidth(unit);
			if (width === 0) {
				isPlain = false;
				length = begin;
				pushSegments(lines, text.slice(start, end), start === from && from > 0);
				return;
			}
			if (base < 0) {
				pushCell(text.charAt(at));
			} else {
				cells[length] = unit === blankCell ? space : base + unit;
				length += 1;
			}
			if (width === 2) pushCell('');
		}
	}

	return text => {
		const lines: CellLine[] = [];
		length = 0;
		isPlain = true;
		setStyle(plainStyle);
		let start = 0;
		let at = text.indexOf('\u001B');
		while (at >= 0) {
			const end = endOfStyle(text, at);
			if (end === undefined) isPlain = false;
			oscPattern.lastIndex = at;
			const osc = end === undefined ? oscPattern.exec(text) : undefined;
			const next = end ?? (osc ? at + osc[0].length : undefined);
			if (next !== undefined) {
				if (at > start) pushText(lines, text, start, at);
				const link = osc?.[1];
				if (end !== undefined) setStyle(styleFrom(style, text.slice(at + 2, end - 1)));
				else if (link !== undefined) setStyle({ ...style, link: link === ';' ? '' : link });
				start = next;
			}
			at = text.indexOf('\u001B', next ?? at + 1);
		}
		if (start < text.length) pushText(lines, text, start, text.length);
		endLine(lines);
		return { lines, isPlain, isClosed: style === plainStyle };
	};
}

/**
 * Returns the end of the style `CSI … m` that begins here; undefined for any other sequence. Most sequences are styles, and
 * a pattern would create an object for each.
 */
function endOfStyle(text: string, start: number): number | undefined {
	if (text[start + 1] !== '[') return undefined;
	for (let at = start + 2; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		if (unit === 0x6d) return at + 1;
		const isParameter = (unit >= 0x30 && unit <= 0x39) || unit === 0x3b;
		if (!isParameter) return undefined;
	}
	return undefined;
}

/** Converts the line back into text. Each attribute starts and ends with a code of its own. */
export function textOfLine(line: CellLine): string {
	// The parts are joined only once, because V8 keeps a growing string as a tree of its pieces.
	const parts: string[] = [];
	let style = plainStyle;
	for (let at = 0; at < line.cells.length; at++) {
		const next = styleAt(line, at);
		if (next !== style) parts.push(styleSequences(style, next));
		parts.push(glyphAt(line, at));
		style = next;
	}
	parts.push(styleSequences(style, plainStyle));
	return parts.join('');
}

function styleSequences(from: Style, to: Style): string {
	const codes = codesOfChange(from, to).map(code => `\u001B[${code}m`);
	if (from.link !== to.link) codes.push(`\u001B]8;${to.link === '' ? ';' : to.link}\u0007`);
	return codes.join('');
}
