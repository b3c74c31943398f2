import { expect, test } from 'vitest';
import {
	foundLine,
	type HistoryWalk,
	maxHistoryLines,
	recalledLine,
	type TypedLine,
	typedLineFrom,
	withLineEntered,
} from '../../../source/views/look/typed-line.ts';

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
