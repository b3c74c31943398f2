import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	type CaretMotion,
	type TypedLine,
	typedLineFrom,
	withEdit,
} from '../../../source/views/look/typed-line.ts';
import { anyGrapheme } from '../../arbitraries/characters.ts';

/** Writes a line as its text with the caret in it, such as `at|las`. */
const shown = ({ text, caret }: TypedLine) => `${text.slice(0, caret)}|${text.slice(caret)}`;

function lineFrom(drawn: string): TypedLine {
	const caret = drawn.indexOf('|');
	return { text: drawn.replace('|', ''), caret };
}

test.each<[from: string, to: CaretMotion, moved: string, erased: string]>([
	['one two| three', 'left', 'one tw|o three', 'one tw| three'],
	['one two| three', 'right', 'one two |three', 'one two|three'],
	['one two| three', 'wordLeft', 'one |two three', 'one | three'],
	['one two| three', 'wordRight', 'one two three|', 'one two|'],
	['one two| three', 'lineStart', '|one two three', '| three'],
	['one two| three', 'lineEnd', 'one two three|', 'one two|'],
	['one two  |', 'wordLeft', 'one |two  ', 'one |'],
	['|one', 'left', '|one', '|one'],
	['one|', 'right', 'one|', 'one|'],
	['a👩‍👩‍👧|b', 'left', 'a|👩‍👩‍👧b', 'a|b'],
	['a|👩‍👩‍👧b', 'right', 'a👩‍👩‍👧|b', 'a|b'],
])(
	'in “%s”, the caret motion “%s” leads to “%s”, and erasing by the same motion leads to “%s”',
	(from, to, moved, erased) => {
		expect(shown(withEdit(lineFrom(from), { type: 'move', to }))).toBe(moved);
		expect(shown(withEdit(lineFrom(from), { type: 'erase', to }))).toBe(erased);
	},
);

test('text is inserted at the caret, which then stands after it', () => {
	for (const type of ['insert', 'paste'] as const)
		expect(shown(withEdit(lineFrom('at|s'), { type, text: 'la' }))).toBe('atla|s');
});

test('the caret never leaves the text, and no edit divides a character', () => {
	const motion = fc.constantFrom<CaretMotion>(
		'left',
		'right',
		'wordLeft',
		'wordRight',
		'lineStart',
		'lineEnd',
	);
	const edit = fc.oneof(
		fc.record({ type: fc.constantFrom('move' as const, 'erase' as const), to: motion }),
		fc.record({ type: fc.constant('insert' as const), text: fc.string({ unit: anyGrapheme }) }),
	);
	fc.assert(
		fc.property(fc.string({ unit: anyGrapheme }), fc.array(edit), (text, edits) => {
			const { text: after, caret } = edits.reduce(withEdit, typedLineFrom(text));
			expect(caret).toBeGreaterThanOrEqual(0);
			expect(caret).toBeLessThanOrEqual(after.length);
			expect(after.slice(0, caret)).not.toMatch(/\p{Surrogate}/u);
			expect(after).not.toMatch(/\p{Surrogate}/u);
		}),
	);
});
