import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	type CaretMotion,
	foundLine,
	type HistoryWalk,
	maxHistoryLines,
	recalledLine,
	type TypedLine,
	typedLineFrom,
	withEdit,
	withLineEntered,
} from '../../source/views/look/typed-line.ts';
import { anyGrapheme } from '../arbitraries/characters.ts';

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

const lines = ['status:error', 'atlas', 'cpu:>80'];

/** Walks through the history, and returns the text after each step; null where there is nothing further. */
function walk(directions: readonly (1 | -1)[], draft = 'at') {
	let line: TypedLine = typedLineFrom(draft);
	let recall: HistoryWalk | undefined;
	return directions.map(direction => {
		const next = recalledLine(lines, line, recall, direction);
		if (!next) return null;
		({ line, assist: recall } = next);
		return line.text;
	});
}

test('the history leads to older lines, and back to the line that was typed before', () => {
	expect(walk([-1, -1, -1, -1])).toEqual(['cpu:>80', 'atlas', 'status:error', null]);
	expect(walk([-1, -1, 1, 1, 1])).toEqual(['cpu:>80', 'atlas', 'cpu:>80', 'at', null]);
	expect(walk([1])).toEqual([null]);
	expect(recalledLine([], typedLineFrom('at'), undefined, -1)).toBeUndefined();
});

test('a line that is entered again moves to the end, and an empty line is not kept', () => {
	const histories = { filter: lines };
	expect(withLineEntered(histories, 'filter', ' atlas ')['filter']).toEqual([
		...['status:error', 'cpu:>80', 'atlas'],
	]);
	expect(withLineEntered(histories, 'filter', ' ')).toBe(histories);
	expect(withLineEntered(histories, 'port', '8080')).toEqual({ filter: lines, port: ['8080'] });
});

test('the history of a field has a limit', () => {
	let histories = {};
	for (let at = 0; at < 2 * maxHistoryLines; at += 1)
		histories = withLineEntered(histories, 'port', `${at}`);
	expect(Object.values<readonly string[]>(histories)[0]).toHaveLength(maxHistoryLines);
});

test('a search finds the newest line with the typed text, and then older ones', () => {
	const search = { kind: 'search', draft: typedLineFrom('draft'), typed: 'A' } as const;
	const first = foundLine(lines, search, 0);
	expect(first.line).toEqual({ text: 'atlas', caret: 0 });
	const second = foundLine(lines, first.assist, (first.assist.index ?? 0) + 1);
	expect(second.line.text).toBe('status:error');
	const third = foundLine(lines, second.assist, (second.assist.index ?? 0) + 1);
	expect(third).toMatchObject({ line: { text: 'draft' }, assist: { index: undefined } });
	expect(foundLine(lines, { ...search, typed: '' }, 0).line.text).toBe('draft');
});
