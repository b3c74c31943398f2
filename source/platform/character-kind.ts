// Controls, halves of surrogate pairs, and invisible characters that change the look of other characters: bidi
// overrides, zero-width characters, tags, variation selectors and fillers.
const invisiblePattern = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const combiningMarkPattern = /\p{M}/u;
const lineBreakPattern = /[\t\n\v\f\r\x85\u2028\u2029]/;

/** The kinds of characters that cleaning distinguishes. */
export const characterKinds = { visible: 1, invisible: 2, mark: 3, lineBreak: 4 } as const;

// Matching a regular expression takes a tenth of a microsecond for each character, which adds up to a second
// for the longest response. So the kind of each character is cached. The system allocates only the used parts
// of this array.
const kindCache = new Uint8Array(0x110000);

export function characterKindOf(codePoint: number): number {
	const kind = kindCache[codePoint] ?? characterKinds.visible;
	if (kind !== 0) return kind;
	const matched = kindByPattern(codePoint);
	kindCache[codePoint] = matched;
	return matched;
}

function kindByPattern(codePoint: number): number {
	const character = String.fromCodePoint(codePoint);
	if (lineBreakPattern.test(character)) return characterKinds.lineBreak;
	if (invisiblePattern.test(character)) return characterKinds.invisible;
	return combiningMarkPattern.test(character) ? characterKinds.mark : characterKinds.visible;
}

/** Whether a character belongs to the one before it, such as an emoji's skin tone or a part of a syllable. */
export function continuesCharacter(codePoint: number): boolean {
	if (characterKindOf(codePoint) === characterKinds.mark) return true;
	const isJamo = codePoint >= 0x1160 && codePoint <= 0x11ff;
	const isExtendedJamo = codePoint >= 0xd7b0 && codePoint <= 0xd7ff;
	return isJamo || isExtendedJamo || (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff);
}

/** Whether the character is half of a flag: two of these letters in a row are shown as one flag. */
export function isFlagHalf(codePoint: number): boolean {
	return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
