import fc from 'fast-check';
import type measure from 'string-width';
import { expect, test } from 'vitest';
import {
	createWidthMeasurer,
	plainCharacterWidth,
	plainTextWidth,
} from '../../source/terminal/output/text-width.ts';
import { anyCharacter, anyGrapheme } from '../arbitraries/characters.ts';
import { runs } from '../properties/runs.ts';
import { styledText } from '../properties/styled-text.ts';
import { loadBoth } from './both.ts';

const { original, replaced } = await loadBoth<{ default: typeof measure }>('string-width/index.js');
const { default: stringWidth } = original;

test('the replacement of string-width gives every plain character the same width as the original', () => {
	const wrong: string[] = [];
	for (let unit = 0; unit < 0x10000; unit++) {
		const width = plainCharacterWidth(unit);
		const character = String.fromCharCode(unit);
		if (width !== 0 && width !== stringWidth(character)) wrong.push(`U+${unit.toString(16)}`);
	}
	expect(wrong).toEqual([]);
});

test('every plain character is a grapheme of its own, between any other plain characters', () => {
	const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	const plain = fc
		.integer({ min: 0x20, max: 0xffff })
		.filter(unit => plainCharacterWidth(unit) > 0);
	fc.assert(
		fc.property(fc.array(plain, { maxLength: 40 }), units => {
			const text = String.fromCharCode(...units);
			expect([...segmenter.segment(text)].length).toBe(units.length);
		}),
		runs(300),
	);
});

test('the replacement of string-width gives every text the same width as the original, also when the width comes from the cache', () => {
	const width = createWidthMeasurer(stringWidth, 10);
	const anyText = fc.oneof(
		fc.string({ unit: anyCharacter }),
		fc.string({ unit: anyGrapheme }),
		styledText({ maxLength: 30, hasLines: true }),
	);
	let plain = 0;
	fc.assert(
		fc.property(anyText, text => {
			if (plainTextWidth(text) >= 0) plain += 1;
			expect(width(text)).toBe(stringWidth(text));
			expect(width(text)).toBe(stringWidth(text));
			expect(replaced.default(text)).toBe(stringWidth(text));
		}),
		runs(300),
	);
	expect(plain).toBeGreaterThan(50);
});

test('the replacement of string-width measures a text with options like the original', () => {
	const text = styledText({ maxLength: 12, hasLines: true });
	const options = fc.record(
		{ ambiguousIsNarrow: fc.boolean(), countAnsiEscapeCodes: fc.boolean() },
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(text, options, (text, options) => {
			expect(replaced.default(text, options)).toBe(stringWidth(text, options));
		}),
		runs(100),
	);
	expect(replaced.default('●', { ambiguousIsNarrow: false })).toBe(2);
	expect(replaced.default('●')).toBe(1);
});
