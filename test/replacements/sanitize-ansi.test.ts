import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainlyStyled } from '../../source/terminal/output/text-width.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { runs } from '../properties/runs.ts';
import { styledText } from '../properties/styled-text.ts';
import { loadBoth } from './both.ts';

const { original, replaced } = await loadBoth<{ default: (text: string) => string }>(
	'ink/build/sanitize-ansi.js',
);

const piece = fc.oneof(
	fc.string({ unit: anyCharacter, maxLength: 4 }),
	fc.constantFrom(
		'\u001B[1m',
		'\u001B[m',
		'\u001B[38;5;7m',
		'\u001B[38:5:7m',
		'\u001B[;31m',
		'\u001B[2J',
		'\u001B]0;title\u0007',
		'\u009B31m',
		'\u0300',
		'10:30',
	),
	styledText({ maxLength: 6, hasLines: true }),
);

test('the replacement of sanitize-ansi sanitizes texts like the original', () => {
	let plain = 0;
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 5 }), pieces => {
			const text = pieces.join('');
			if (isPlainlyStyled(text)) plain += 1;
			expect(replaced.default(text)).toBe(original.default(text));
		}),
		runs(400),
	);
	expect(plain).toBeGreaterThan(50);
});

test('the replacement of sanitize-ansi does not skip a style that Ink would rewrite', () => {
	expect(isPlainlyStyled('\u001B[38:5:7mred')).toBe(false);
	expect(replaced.default('\u001B[38:5:7mred')).toBe('\u001B[38;5;7mred');
});
