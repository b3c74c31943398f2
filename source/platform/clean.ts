import { continues, isFlagHalf, kindOf, kinds } from './character-kind.ts';
import { removeSequences } from './escape-sequences.ts';

// Most text needs no cleaning: Latin, Greek, Cyrillic, kana, Han and Hangul.
const plain =
	/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** The most code units of a text, such as the reason for an error. */
export const longestText = 4_000;

/** The most code units of a name, a version or another text of a few words. */
export const longestLabel = 500;

const mostMarks = 3;
const space = 0x20;

// A text that is too long may be short enough when it is clean, so cleaning takes some more of it.
const spare = 500;

// Cleaning only removes characters, so it works in place.
// A zero ends it.
const units = new Uint16Array(longestText + spare + 1);
const unitBytes = Buffer.from(units.buffer);

/**
 * Makes a text from outside safe for the screen, the title, the clipboard and the log. The result is one
 * line without anything that a terminal obeys or that looks different from how it reads.
 */
export function cleanText(text: string, most = longestText): string {
	if (text.length <= most && plain.test(text)) return text.trim();
	return cleaned(load(text, most + spare), most, text.length > most + spare).trim();
}

/**
 * Makes a paste, or a text from a file, safe for a line that a person is typing. It keeps the spaces at
 * both ends, which may be meant, and only the first line: a line break must never act as Enter.
 */
export function cleanLine(text: string): string {
	return cleaned(firstLine(load(text, longestText)), longestText, false);
}

/** Puts the beginning of a text, without its escape sequences, where it is cleaned. Returns its length. */
function load(text: string, most: number): number {
	const bounded = text.length > most ? text.slice(0, most) : text;
	const length = unitBytes.write(bounded, 'utf16le') / 2;
	units[length] = 0;
	const left = removeSequences(units, length);
	units[left] = 0;
	return left;
}

function firstLine(length: number): number {
	for (let at = 0; at < length; at += 1) {
		const unit = units[at] ?? 0;
		if (unit !== 0x09 && kindOf(unit) === kinds.lineBreak) return at;
	}
	return length;
}

/**
 * Removes invisible characters and marks that pile up, and puts a space for each run of line breaks. A
 * text that is too long ends between two characters, and with an ellipsis.
 */
function cleaned(length: number, most: number, isTooLong: boolean): string {
	const text = units;
	let left = 0;
	let marks = 0;
	let wasBreak = false;
	for (let at = 0; at < length; at += 1) {
		const unit = text[at] ?? 0;
		const isPair = unit >= 0xd800 && isPairAt(text, at);
		const kind = kindOf(isPair ? codePointAt(text, at) : unit);
		if (kind === kinds.unseen) {
			// An invisible character does not separate the marks around it.
			wasBreak = false;
			if (isPair) at += 1;
			continue;
		}
		marks = kind === kinds.mark ? marks + 1 : 0;
		const isBreak = kind === kinds.lineBreak;
		if (marks <= mostMarks && !(isBreak && wasBreak)) {
			text[left] = isBreak ? space : unit;
			left += 1;
			if (isPair) text[left++] = text[at + 1] ?? 0;
		}
		wasBreak = isBreak;
		if (isPair) at += 1;
	}
	text[left] = 0;
	if (left > most) return shortened(most - 1);
	return isTooLong && left > 0 ? shortened(left - 1) : textOf(left);
}

/** The cleaned text up to the last border between two characters that is not after `most`. */
function shortened(most: number): string {
	let end = most;
	while (end > 0 && !isBorder(end)) end -= 1;
	return `${textOf(end)}…`;
}

function isBorder(at: number): boolean {
	if (isLowSurrogate(units[at] ?? 0)) return false;
	const next = codePointAt(units, at);
	if (continues(next)) return false;
	let halves = 0;
	while (isFlagHalf(next) && isFlagHalf(codePointAt(units, at - 2 * (halves + 1)))) halves += 1;
	return halves % 2 === 0;
}

const textOf = (length: number) => unitBytes.toString('utf16le', 0, 2 * length);

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

function isPairAt(text: Uint16Array, at: number): boolean {
	return (text[at] ?? 0) <= 0xdbff && isLowSurrogate(text[at + 1] ?? 0);
}

function codePointAt(text: Uint16Array, at: number): number {
	const unit = text[at] ?? 0;
	if (unit < 0xd800 || !isPairAt(text, at)) return unit;
	return 0x10000 + ((unit - 0xd800) << 10) + ((text[at + 1] ?? 0) - 0xdc00);
}
