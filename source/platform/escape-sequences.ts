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
export function removeEscapeSequences(codeUnits: Uint16Array, length: number): number {
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
