// Controls, halves of surrogate pairs, and invisible characters that change the look of other characters: bidi
// overrides, zero-width characters, tags, variation selectors and fillers.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const mark = /\p{M}/u;
const lineBreak = /[\t\n\v\f\r\x85\u2028\u2029]/;

/** How cleaning treats a character. */
export const kinds = { kept: 1, unseen: 2, mark: 3, lineBreak: 4 } as const;

// Matching a regular expression takes a tenth of a microsecond for each character, which adds up to a second
// for the longest response. So the kind of each character is cached. The system allocates only the used parts
// of this array.
const known = new Uint8Array(0x110000);

export function kindOf(codePoint: number): number {
	const kind = known[codePoint] ?? kinds.kept;
	if (kind !== 0) return kind;
	const matched = kindByPattern(codePoint);
	known[codePoint] = matched;
	return matched;
}

function kindByPattern(codePoint: number): number {
	const character = String.fromCodePoint(codePoint);
	if (lineBreak.test(character)) return kinds.lineBreak;
	if (unseen.test(character)) return kinds.unseen;
	return mark.test(character) ? kinds.mark : kinds.kept;
}

/** Whether a character belongs to the one before it, such as an emoji's skin tone or a part of a syllable. */
export function continues(codePoint: number): boolean {
	if (kindOf(codePoint) === kinds.mark) return true;
	const isJamo = codePoint >= 0x1160 && codePoint <= 0x11ff;
	const isExtendedJamo = codePoint >= 0xd7b0 && codePoint <= 0xd7ff;
	return isJamo || isExtendedJamo || (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff);
}

/** Two of these letters together make a flag. */
export function isFlagHalf(codePoint: number): boolean {
	return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
