import {
	characterKindOf,
	characterKinds,
	continuesCharacter,
	isFlagHalf,
} from './character-kind.ts';
import { removeEscapeSequences } from './escape-sequences.ts';

// Most text consists of these characters and needs no cleaning: Latin, Greek, Cyrillic, kana, Han and Hangul.
const plainPattern =
	/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** The longest kept text, such as an error message, in UTF-16 code units. */
export const maxTextLength = 4_000;

/** The longest kept label, such as a name or a version, in UTF-16 code units. */
export const maxLabelLength = 500;

const maxCombiningMarks = 3;
const spaceCodeUnit = 0x20;

// Cleaning may shorten a text, so this many more code units are read than the result may have.
const extraInputLength = 500;

// All texts are cleaned in this one buffer. A zero marks the end of the text.
const codeUnitBuffer = new Uint16Array(maxTextLength + extraInputLength + 1);
const bufferBytes = Buffer.from(codeUnitBuffer.buffer);

/**
 * Makes text from outside safe for the screen, the title, the clipboard and the log. The result is a single
 * line. It contains nothing that controls the terminal or that makes text look different from what it says.
 */
export function cleanText(text: string, maxLength = maxTextLength): string {
	if (text.length <= maxLength && plainPattern.test(text)) return text.trim();
	return cleanBuffer(
		loadIntoBuffer(text, maxLength + extraInputLength),
		maxLength,
		text.length > maxLength + extraInputLength,
	).trim();
}

/**
 * Makes pasted text, or text from a file, safe for an input field. The result keeps the spaces at both ends,
 * which may be intended, and ends at the first line break, because a line break must never act as Enter.
 */
export function cleanLine(text: string): string {
	return cleanBuffer(firstLineLength(loadIntoBuffer(text, maxTextLength)), maxTextLength, false);
}

/**
 * Copies the beginning of a text into the buffer and removes its escape sequences. Returns the remaining
 * length.
 */
function loadIntoBuffer(text: string, maxLength: number): number {
	const beginning = text.length > maxLength ? text.slice(0, maxLength) : text;
	const length = bufferBytes.write(beginning, 'utf16le') / 2;
	codeUnitBuffer[length] = 0;
	const remainingLength = removeEscapeSequences(codeUnitBuffer, length);
	codeUnitBuffer[remainingLength] = 0;
	return remainingLength;
}

function firstLineLength(length: number): number {
	for (let at = 0; at < length; at += 1) {
		const codeUnit = codeUnitBuffer[at] ?? 0;
		if (codeUnit !== 0x09 && characterKindOf(codeUnit) === characterKinds.lineBreak) return at;
	}
	return length;
}

/**
 * Removes invisible characters and surplus combining marks, and replaces each run of line breaks with a space.
 * Shortens a text that is too long and adds an ellipsis.
 */
function cleanBuffer(length: number, maxLength: number, hasMoreInput: boolean): string {
	const text = codeUnitBuffer;
	let cleanedLength = 0;
	let marksInRow = 0;
	let wasLineBreak = false;
	for (let at = 0; at < length; at += 1) {
		const codeUnit = text[at] ?? 0;
		const isSurrogatePair = codeUnit >= 0xd800 && isSurrogatePairAt(text, at);
		const kind = characterKindOf(isSurrogatePair ? codePointAt(text, at) : codeUnit);
		if (kind === characterKinds.invisible) {
			// An invisible character does not end a run of combining marks.
			wasLineBreak = false;
			if (isSurrogatePair) at += 1;
			continue;
		}
		marksInRow = kind === characterKinds.mark ? marksInRow + 1 : 0;
		const isLineBreak = kind === characterKinds.lineBreak;
		if (marksInRow <= maxCombiningMarks && !(isLineBreak && wasLineBreak)) {
			text[cleanedLength] = isLineBreak ? spaceCodeUnit : codeUnit;
			cleanedLength += 1;
			if (isSurrogatePair) text[cleanedLength++] = text[at + 1] ?? 0;
		}
		wasLineBreak = isLineBreak;
		if (isSurrogatePair) at += 1;
	}
	text[cleanedLength] = 0;
	if (cleanedLength > maxLength) return shortenedText(maxLength - 1);
	return hasMoreInput && cleanedLength > 0
		? shortenedText(cleanedLength - 1)
		: textFromBuffer(cleanedLength);
}

/** Returns at most `maxLength` code units and an ellipsis, without cutting through a character. */
function shortenedText(maxLength: number): string {
	let end = maxLength;
	while (end > 0 && !isCharacterBoundary(end)) end -= 1;
	return `${textFromBuffer(end)}…`;
}

function isCharacterBoundary(position: number): boolean {
	if (isLowSurrogate(codeUnitBuffer[position] ?? 0)) return false;
	const next = codePointAt(codeUnitBuffer, position);
	if (continuesCharacter(next)) return false;
	let flagHalves = 0;
	while (
		isFlagHalf(next) &&
		isFlagHalf(codePointAt(codeUnitBuffer, position - 2 * (flagHalves + 1)))
	)
		flagHalves += 1;
	return flagHalves % 2 === 0;
}

const textFromBuffer = (length: number) => bufferBytes.toString('utf16le', 0, 2 * length);

const isLowSurrogate = (codeUnit: number) => codeUnit >= 0xdc00 && codeUnit <= 0xdfff;

function isSurrogatePairAt(codeUnits: Uint16Array, at: number): boolean {
	return (codeUnits[at] ?? 0) <= 0xdbff && isLowSurrogate(codeUnits[at + 1] ?? 0);
}

function codePointAt(codeUnits: Uint16Array, at: number): number {
	const codeUnit = codeUnits[at] ?? 0;
	if (codeUnit < 0xd800 || !isSurrogatePairAt(codeUnits, at)) return codeUnit;
	return 0x10000 + ((codeUnit - 0xd800) << 10) + ((codeUnits[at + 1] ?? 0) - 0xdc00);
}
