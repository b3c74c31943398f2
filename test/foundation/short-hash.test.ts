import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortHash } from '../../source/foundation/short-hash.ts';

// Includes characters of one to four bytes, and halves of surrogate pairs.
const anyText = fc
	.array(fc.constantFrom('a', '\0', 'é', '世', '😀', '\ud83d', '\ude00'), { maxLength: 300 })
	.map(parts => parts.join(''));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a short hash is the beginning of the SHA-256 hash of any text', () => {
	fc.assert(
		fc.property(anyText, fc.nat(64), (text, length) => {
			expect(shortHash(text, length)).toBe(sha256(text).slice(0, length));
		}),
	);
});

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])(
	'the short hash of %i letters fills its last block correctly',
	count => {
		const text = 'a'.repeat(count);
		expect(shortHash(text, 64)).toBe(sha256(text));
	},
);
