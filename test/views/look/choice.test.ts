import { expect, test } from 'vitest';
import {
	type Choice,
	type ChoiceList,
	chosenChoiceOf,
	firstVisibleLine,
	withChoiceMoved,
	withCursorKept,
} from '../../../source/views/look/choice.ts';
import { withChoiceOpened } from '../../../source/views/look/going-back.ts';
import { initialScreen, type Screen } from '../../../source/views/look/screen.ts';
import { endScrollPosition } from '../../../source/views/look/view-table.ts';
import { rowId } from '../../opened-account.ts';

// A text of two lines, a table with a title and twenty rows, and five more lines, in a window of ten lines.
const names = Array.from({ length: 20 }, (_, at) => `row ${at}`);
const listOf = (ids: readonly string[]): ChoiceList => ({
	choices: ids.map((id, at) => ({ id, line: at + 3 })),
	windowLines: 9,
});
const list = listOf(names);
const maxScroll = 2 + 21 + 5 - 9;

const screen: Screen = { ...initialScreen(), view: 'versions' };
const moved = (from: Screen, steps: number, within = list) =>
	withChoiceMoved(from, steps, within, maxScroll);
const lineInWindow = (place: Screen, within = list) => {
	const line = chosenChoiceOf(place, within)?.line ?? 0;
	return line - firstVisibleLine(place, within);
};

test('the cursor begins on the first line that can be chosen, and the text begins at its top', () => {
	expect(chosenChoiceOf(screen, list)?.id).toBe('row 0');
	expect(firstVisibleLine(screen, list)).toBe(0);
});

test('each step chooses the next line, and scrolls only when the line would leave the window', () => {
	let place = screen;
	for (const name of names.slice(1)) {
		const before = firstVisibleLine(place, list);
		place = moved(place, 1);
		expect(chosenChoiceOf(place, list)?.id).toBe(name);
		expect(lineInWindow(place)).toBeLessThan(list.windowLines);
		expect(firstVisibleLine(place, list) - before).toBeLessThanOrEqual(1);
	}
	for (const name of names.toReversed().slice(1)) {
		place = moved(place, -1);
		expect(chosenChoiceOf(place, list)?.id).toBe(name);
		expect(lineInWindow(place)).toBeGreaterThanOrEqual(0);
	}
	expect(firstVisibleLine(place, list)).toBe(0);
});

test('beyond the last line that can be chosen, the text scrolls to its end', () => {
	const last = moved(screen, 19);
	expect(chosenChoiceOf(last, list)?.id).toBe('row 19');
	expect(firstVisibleLine(last, list)).toBeLessThan(maxScroll - 1);
	expect(firstVisibleLine(moved(last, 1), list)).toBe(firstVisibleLine(last, list) + 1);
});

test('a jump to an end chooses the line there, and shows that end of the text', () => {
	const end = moved(screen, endScrollPosition);
	expect(chosenChoiceOf(end, list)?.id).toBe('row 19');
	expect(firstVisibleLine(end, list)).toBe(maxScroll);
	const start = moved(end, -endScrollPosition);
	expect(chosenChoiceOf(start, list)?.id).toBe('row 0');
	expect(firstVisibleLine(start, list)).toBe(0);
});

test('the cursor stays on its line, at the same height, when lines appear above it', () => {
	const place = moved(screen, 12);
	const longer = listOf(['new', 'newer', ...names]);
	expect(chosenChoiceOf(place, longer)?.id).toBe('row 12');
	expect(lineInWindow(place, longer)).toBe(lineInWindow(place));
});

test('after a jump to the first line, the cursor stays on top when lines appear', () => {
	const longer = listOf(['new', ...names]);
	expect(chosenChoiceOf(screen, longer)?.id).toBe('new');
	expect(chosenChoiceOf(moved(moved(screen, 3), -1e9), longer)?.id).toBe('new');
	expect(chosenChoiceOf(moved(moved(screen, 3), -3), longer)?.id).toBe('row 0');
});

test('a cursor that is kept stays on its line, and scrolls nothing', () => {
	const kept = withCursorKept(screen, list);
	expect(firstVisibleLine(kept, list)).toBe(0);
	expect(chosenChoiceOf(kept, listOf(['new', ...names]))?.id).toBe('row 0');
	const place = moved(screen, 12);
	expect(firstVisibleLine(withCursorKept(place, list), list)).toBe(firstVisibleLine(place, list));
});

test('when the line under the cursor disappears, the line that took its place is chosen', () => {
	const place = moved(screen, 4);
	expect(chosenChoiceOf(place, listOf(names.toSpliced(4, 1)))?.id).toBe('row 5');
	expect(chosenChoiceOf(place, listOf(names.slice(0, 2)))?.id).toBe('row 1');
	expect(chosenChoiceOf(place, listOf([]))).toBeUndefined();
});

test('if lines are spoken, the line at the reading position is chosen', () => {
	const spoken = { ...list, isSpoken: true };
	expect(chosenChoiceOf({ ...screen, scroll: 2 }, spoken)).toBeUndefined();
	expect(chosenChoiceOf({ ...screen, scroll: 5 }, spoken)?.id).toBe('row 2');
});

const rows = {
	ids: [rowId('a'), rowId('b')],
	maxRows: 10,
	maxScroll: () => 0,
	orderableFields: [],
};

test('a line about computers shows the table with its filter', () => {
	const choice: Choice = {
		id: '1.3.9',
		line: 1,
		opens: { type: 'filter', text: 'version:1.3.9' },
	};
	const shown = withChoiceOpened(screen, choice, rows);
	expect([shown.view, shown.filters.fleet]).toEqual(['fleet', 'version:1.3.9']);
});

test('a line about a computer opens its details, and clears a filter that would hide the computer', () => {
	const open = (id: string) => {
		const opens = { type: 'computer', id: rowId(id), name: id } as const;
		const filtered = { ...screen, filters: { ...screen.filters, fleet: 'b' } };
		return withChoiceOpened(filtered, { id: 'x', line: 0, opens }, rows);
	};
	const shown = open('b');
	expect([shown.view, shown.isDetailOpen, shown.cursor?.id]).toEqual(['fleet', true, rowId('b')]);
	expect(shown.filters.fleet).toBe('b');
	expect([open('c').filters.fleet, open('c').cursor?.id]).toEqual(['', rowId('c')]);
});

test('a line with parts shows them, and hides them the next time', () => {
	const choice: Choice = { id: 'batch', line: 0, opens: { type: 'parts' } };
	const unfolded = withChoiceOpened(screen, choice, rows);
	expect([...unfolded.unfoldedIds]).toEqual(['batch']);
	expect(withChoiceOpened(unfolded, choice, rows).unfoldedIds.size).toBe(0);
});
