import { continues, isFlagHalf, kindOf, kinds } from './character-kind.ts';
import { removeSequences } from './escape-sequences.ts';

// Most text consists of these characters and needs no cleaning: Latin, Greek, Cyrillic, kana, Han and Hangul.
const plain =
	/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** The longest kept text, such as an error message, in UTF-16 code units. */
export const longestText = 4_000;

/** The longest kept label, such as a name or a version, in UTF-16 code units. */
export const longestLabel = 500;

const mostMarks = 3;
const space = 0x20;

// Cleaning shortens a text, so it reads this much more than the result may hold.
const spare = 500;

// All texts are cleaned in this one buffer. A zero marks the end of the text.
const units = new Uint16Array(longestText + spare + 1);
const unitBytes = Buffer.from(units.buffer);

/**
 * Makes text from outside safe for the screen, the title, the clipboard and the log. The result is a single
 * line. It contains nothing that controls the terminal or that makes text look different from what it says.
 */
export function cleanText(text: string, most = longestText): string {
	if (text.length <= most && plain.test(text)) return text.trim();
	return cleaned(load(text, most + spare), most, text.length > most + spare).trim();
}

/**
 * Makes pasted text, or text from a file, safe for an input field. The result keeps the spaces at both ends,
 * which may be intended, and ends at the first line break, because a line break must never act as Enter.
 */
export function cleanLine(text: string): string {
	return cleaned(firstLine(load(text, longestText)), longestText, false);
}

/**
 * Copies the beginning of a text into the buffer and removes its escape sequences. Returns the remaining
 * length.
 */
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
 * Removes invisible characters and surplus combining marks, and replaces each run of line breaks with a space.
 * Shortens a text that is too long and adds an ellipsis.
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
			// An invisible character does not end a run of combining marks.
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

/** Returns at most `maxLength` code units and an ellipsis, without cutting through a character. */
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
