import stringWidth from 'string-width';
import { codesOfChange, isSameStyle, plain, type Style, styleAfter } from './style.ts';
import { plainWidth } from './text-width.ts';

/** One line of text as cells. A glyph of two cells is followed by an empty one. */
export type CellLine = { readonly glyphs: readonly string[]; readonly styles: readonly Style[] };

type Growing = { glyphs: string[]; styles: Style[] };

// Styles, links, and the other operating system commands, which take no place. Nothing else of the
// kind gets this far: Ink strips it.
const sequence =
	/\u001B\[([\d;]*)m|\u001B\]8;([^;]*;[^\u0007\u001B\u009C]*)(?:\u0007|\u001B\\|\u009C)|\u001B\].*?(?:\u0007|\u001B\\|\u009C)/gs;

const mostKnown = 1000;

/** Reads styled text the way Ink does, each style going on through line breaks until it is ended. */
export function createTextReader() {
	let segmenter: Intl.Segmenter | undefined;
	const known = new Map<string, Style>();

	/** Most styles begin where there was none, and are a few. The same codes give the same object. */
	function styleFrom(style: Style, codes: string): Style {
		if (style !== plain) return styleAfter(style, codes);
		let next = known.get(codes);
		if (next) return next;
		next = styleAfter(style, codes);
		if (known.size < mostKnown) known.set(codes, next);
		return next;
	}

	function segmentsOf(text: string): Iterable<{ segment: string }> {
		segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
		return segmenter.segment(text);
	}

	/** A mark right after an escape sequence joins with that sequence's last letter, and is lost. */
	function pushSegments(lines: Growing[], text: string, style: Style, isAfterEscape: boolean) {
		let isFirst = isAfterEscape;
		for (const { segment } of segmentsOf(isAfterEscape ? `m${text}` : text)) {
			if (!isFirst) pushGlyph(lines, segment, style);
			isFirst = false;
		}
	}

	function pushText(lines: Growing[], text: string, style: Style, isAfterEscape: boolean) {
		if (!isPlain(text)) {
			pushSegments(lines, text, style, isAfterEscape);
			return;
		}
		let line = lines.at(-1) ?? newLine(lines);
		for (let at = 0; at < text.length; at++) {
			const unit = text.charCodeAt(at);
			if (unit === 0x0a) {
				line = newLine(lines);
				continue;
			}
			const width = plainWidth(unit);
			line.glyphs.push(text.charAt(at));
			line.styles.push(style);
			if (width === 2) {
				line.glyphs.push('');
				line.styles.push(style);
			}
		}
	}

	return (text: string): CellLine[] => {
		const lines: Growing[] = [{ glyphs: [], styles: [] }];
		let style = plain;
		let start = 0;
		for (const match of text.includes('\u001B') ? text.matchAll(sequence) : []) {
			if (match.index > start) pushText(lines, text.slice(start, match.index), style, start > 0);
			const [whole, codes, link] = match;
			if (codes !== undefined) style = styleFrom(style, codes);
			else if (link !== undefined) style = { ...style, link: link === ';' ? '' : link };
			if (isSameStyle(style, plain)) style = plain;
			start = match.index + whole.length;
		}
		if (start < text.length) pushText(lines, text.slice(start), style, start > 0);
		return lines;
	};
}

function newLine(lines: Growing[]): Growing {
	const line: Growing = { glyphs: [], styles: [] };
	lines.push(line);
	return line;
}

function pushGlyph(lines: Growing[], glyph: string, style: Style) {
	if (glyph === '\n') {
		newLine(lines);
		return;
	}
	if (/^\p{Default_Ignorable_Code_Point}+$/u.test(glyph)) return;
	const line = lines.at(-1) ?? newLine(lines);
	const width = stringWidth(glyph);
	// A mark without a letter and the like would go to the cell before it.
	line.glyphs.push(width === 0 ? ' ' : glyph);
	line.styles.push(style);
	for (let more = width - 1; more > 0; more--) {
		line.glyphs.push('');
		line.styles.push(style);
	}
}

function isPlain(text: string): boolean {
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		if (plainWidth(unit) === 0 && unit !== 0x0a) return false;
	}
	return true;
}

/** The line as text again. Each attribute is set and ended on its own, as whoever restyles such a
 *  text expects. */
export function textOfLine({ glyphs, styles }: CellLine): string {
	// Joined at the end: a text that grows a letter at a time is kept as a tree of its letters.
	const parts: string[] = [];
	let style = plain;
	for (let at = 0; at < glyphs.length; at++) {
		const next = styles[at] ?? plain;
		if (next !== style) parts.push(sequencesOf(style, next));
		parts.push(glyphs[at] ?? '');
		style = next;
	}
	parts.push(sequencesOf(style, plain));
	return parts.join('');
}

function sequencesOf(from: Style, to: Style): string {
	const codes = codesOfChange(from, to).map(code => `\u001B[${code}m`);
	if (from.link !== to.link) codes.push(`\u001B]8;${to.link === '' ? ';' : to.link}\u0007`);
	return codes.join('');
}
