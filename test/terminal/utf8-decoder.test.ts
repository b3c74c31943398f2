import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUtf8Decoder } from '../../source/terminal/process/tty.ts';
import { anyCharacter } from '../arbitraries/characters.ts';

test('UTF-8 is decoded to the same text however its bytes are split into pieces', () => {
	const text = fc.string({ unit: anyCharacter });
	fc.assert(
		fc.property(text, fc.array(fc.nat(40)), (text, cuts) => {
			const decode = createUtf8Decoder();
			const bytes = new TextEncoder().encode(text);
			const ends = [...cuts.sort((a, b) => a - b), bytes.length];
			const pieces = ends.map((end, at) => decode(bytes.slice(ends[at - 1] ?? 0, end)));
			expect(pieces.join('')).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
		}),
		{ numRuns: 300 },
	);
});

test.each([
	['an 8-bit introducer', [0x9b, 0x78], '\u009Bx'],
	['a letter of Latin-1', [0xe9, 0x78], '\uFFFDx'],
	['a character that is cut off by an escape', [0xe2, 0x94, 0x1b], '\uFFFD\u001B'],
	['a slash with more bytes than it needs', [0xe0, 0x80, 0xaf], '\uFFFD'],
	['half of a surrogate pair', [0xed, 0xa0, 0x80], '\uFFFD'],
	['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80], '\uFFFD'],
	['a byte that begins nothing', [0xff, 0xc0, 0x41], '\uFFFD\uFFFDA'],
])('%s is decoded to characters that are never read as keys', (_, bytes, text) => {
	expect(createUtf8Decoder()(Uint8Array.from(bytes))).toBe(text);
});
