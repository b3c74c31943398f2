// Most text consists of these characters and needs no cleaning: Latin, Greek, Cyrillic, kana, Han and Hangul.
const plainPattern =
	/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** The longest kept text, such as an error message, in UTF-16 code units. */
export const maxTextLength = 4_000;

/** The longest kept label, such as a name or a version, in UTF-16 code units. */
export const maxLabelLength = 500;

const maxCombiningMarks = 3;
const spaceCodeUnit = 0x20;

// Cleaning may shorten a text, so this number of code units is read beyond the allowed length.
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

/** The kinds of characters that cleaning distinguishes. */
const characterKinds = { visible: 1, invisible: 2, mark: 3, lineBreak: 4 } as const;

// Matching a regular expression takes a tenth of a microsecond for each character, which adds up to a second
// for the longest response. So the kind of each character is cached. The system allocates only the used parts
// of this array.
let kindCache: Uint8Array | undefined;

function characterKindOf(codePoint: number): number {
	kindCache ??= new Uint8Array(0x110000);
	const kind = kindCache[codePoint] ?? characterKinds.visible;
	if (kind !== 0) return kind;
	const matched = kindByPattern(codePoint);
	kindCache[codePoint] = matched;
	return matched;
}

// V8 makes the patterns when they are first needed. Most starts need none, and making them takes a third of a millisecond.
function kindByPattern(codePoint: number): number {
	const character = String.fromCodePoint(codePoint);
	if (/[\t\n\v\f\r\x85\u2028\u2029]/.test(character)) return characterKinds.lineBreak;
	// Controls, halves of surrogate pairs, and invisible characters that change the look of other characters: bidi
	// overrides, zero-width characters, tags, variation selectors and fillers.
	const isInvisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(
		character,
	);
	if (isInvisible) return characterKinds.invisible;
	return /\p{M}/u.test(character) ? characterKinds.mark : characterKinds.visible;
}

/** Whether a character belongs to the one before it, such as an emoji's skin tone or a part of a syllable. */
function continuesCharacter(codePoint: number): boolean {
	if (characterKindOf(codePoint) === characterKinds.mark) return true;
	const isJamo = codePoint >= 0x1160 && codePoint <= 0x11ff;
	const isExtendedJamo = codePoint >= 0xd7b0 && codePoint <= 0xd7ff;
	return isJamo || isExtendedJamo || (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff);
}

/** Whether the character is half of a flag: two of these letters in a row are shown as one flag. */
function isFlagHalf(codePoint: number): boolean {
	return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}

const [esc, bell, backslash] = [0x1b, 0x07, 0x5c];
const [bracket, csi, stringTerminator] = [0x5b, 0x9b, 0x9c];
// The beginnings of OSC, DCS, SOS, PM and APC strings in both spellings: the character that follows an escape
// character, and the C1 control character that replaces both.
const stringStarts = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);
const c1StringStarts = new Set([0x9d, 0x90, 0x98, 0x9e, 0x9f]);

/**
 * Removes escape sequences with their contents from the first `length` code units, in place. The code unit
 * after those must be zero. Returns the remaining length.
 */
function removeEscapeSequences(codeUnits: Uint16Array, length: number): number {
	let remainingLength = 0;
	for (let at = 0; at < length; ) {
		const unit = codeUnits[at] ?? 0;
		const canStartSequence = unit === esc || (unit >= 0x90 && unit <= 0x9f);
		const end = canStartSequence ? sequenceEnd(codeUnits, at, length) : at;
		if (end === at) {
			codeUnits[remainingLength] = unit;
			remainingLength += 1;
			at += 1;
		} else {
			at = end;
		}
	}
	return remainingLength;
}

/** Returns the end of the sequence at this position, or the position itself if no sequence begins there. */
function sequenceEnd(codeUnits: Uint16Array, at: number, length: number): number {
	const unit = codeUnits[at] ?? 0;
	if (unit === csi) return controlEnd(codeUnits, at + 1) ?? at;
	if (c1StringStarts.has(unit)) return stringEndAfter(codeUnits, at + 1, length);
	if (unit !== esc) return at;
	const next = codeUnits[at + 1] ?? 0;
	if (stringStarts.has(next)) return stringEndAfter(codeUnits, at + 2, length);
	if (next === bracket) return controlEnd(codeUnits, at + 2) ?? at + 2;
	const final = skipRange(codeUnits, at + 1, 0x20, 0x2f);
	return isInRange(codeUnits, final, 0x30, 0x7e) ? final + 1 : at;
}

/** Finds the end of a control sequence: parameters, intermediate characters and a final character. */
function controlEnd(codeUnits: Uint16Array, at: number): number | undefined {
	const final = skipRange(codeUnits, skipRange(codeUnits, at, 0x30, 0x3f), 0x20, 0x2f);
	return isInRange(codeUnits, final, 0x40, 0x7e) ? final + 1 : undefined;
}

// A string without a terminator ends with the text. Otherwise a hostile text could force a new search to its
// end for every escape character.
function stringEndAfter(codeUnits: Uint16Array, at: number, length: number): number {
	for (let end = at; end < length; end += 1) {
		const unit = codeUnits[end];
		if (unit === bell || unit === stringTerminator) return end + 1;
		if (unit === esc) return codeUnits[end + 1] === backslash ? end + 2 : end;
	}
	return length;
}

function skipRange(codeUnits: Uint16Array, from: number, low: number, high: number): number {
	let at = from;
	while (isInRange(codeUnits, at, low, high)) at += 1;
	return at;
}

function isInRange(codeUnits: Uint16Array, at: number, low: number, high: number): boolean {
	const unit = codeUnits[at] ?? 0;
	return unit >= low && unit <= high;
}
