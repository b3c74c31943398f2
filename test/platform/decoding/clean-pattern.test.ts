import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine, cleanText } from '../../../source/platform/decoding/clean.ts';
import { anyCharacter } from '../../arbitraries/characters.ts';

// These regular expressions define what cleaning means. The program does not use them, because they are too slow
// for a response that consists of characters to remove.
const sequences =
	/(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[\x20-\x2f]*[\x30-\x7e]/g;
const lineEnd = /[\n\v\f\r\x85\u2028\u2029]/;
const breaks = /[\t\n\v\f\r\x85\u2028\u2029]+/g;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const stacked = /(\p{M}{3})\p{M}+/gu;

const byPattern = (text: string) =>
	text.replace(sequences, '').replace(breaks, ' ').replace(unseen, '').replace(stacked, '$1');

const pieces =
	'\x1b [ ] P X \\ ( # 0 1 ; ? m ~ \x07 \x9b \x9c \x9d \x90 \x98 \x9e \x85 \x80 \x00 \x7f \t \n \r \u2028 a ö é 京 \u0301 \u0302 \u0488 \u202e \u200b \ufe0f \u00ad \ud83d \ude00 \u{1f600} \u{e0041} \u{e0100} \u{1d165} \u3164'.split(
		' ',
	);
const nasty = fc
	.array(
		fc.oneof(
			{ weight: 8, arbitrary: fc.constantFrom(...pieces, ' ') },
			fc.string({ unit: anyCharacter }),
		),
		{
			maxLength: 40,
		},
	)
	.map(parts => parts.join(''));

test('the client cleans any text to the same result as the slow regular expressions', () => {
	fc.assert(
		fc.property(nasty, text => {
			expect(cleanText(text)).toBe(byPattern(text).trim());
			const [line = ''] = text.replace(sequences, '').split(lineEnd);
			expect(cleanLine(text)).toBe(byPattern(line));
		}),
		{ numRuns: 500, seed: 7 },
	);
});

test('the client keeps or removes each Unicode character as the slow regular expressions do', () => {
	const wrong: string[] = [];
	for (let codePoint = 0; codePoint < 0x110000; codePoint += 1) {
		// The Unicode planes 4 to 13 contain only unassigned characters, so the test skips them.
		if (codePoint === 0x40000) codePoint = 0xe0000;
		if (codePoint === 0xe1000) break;
		const text = `a${String.fromCodePoint(codePoint)}b`;
		if (cleanText(text) !== byPattern(text)) wrong.push(codePoint.toString(16));
	}
	expect(wrong).toEqual([]);
});
