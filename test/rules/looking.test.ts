import { describe, expect, test } from 'vitest';
import { splitGlobalId } from '../../source/fleet/computers/global-id.ts';
import type { Viewport } from '../../source/views/look/cursor.ts';
import {
	type Choice,
	type ChoiceList,
	chosenChoiceOf,
	cursorIndex,
	firstVisibleLine,
	firstVisibleRow,
	withChoiceMoved,
	withChoicePaged,
	withCursorFollowing,
	withCursorKept,
	withTopKept,
} from '../../source/views/look/cursor.ts';
import {
	chosenIds,
	halfPage,
	invertMarks,
	type Move,
	mark,
	markOnward,
	markRange,
	step,
	toEnd,
	toggleAllMarks,
} from '../../source/views/look/moves.ts';
import {
	currentFilter,
	currentOrdering,
	helpOf,
	initialScreen,
	type Screen,
} from '../../source/views/look/screen.ts';
import {
	endScrollPosition,
	isFilterable,
	isOrderable,
	type View,
	views,
} from '../../source/views/look/view-table.ts';
import {
	filterFleet,
	nextView,
	openChoice,
	openDetail,
	openOrderMenu,
	orderBy,
	orderByField,
	reverseOrder,
	setFilter,
	setHelpFilter,
	showView,
	startFilter,
	toggleHelp,
	withOpenPartClosed,
	withTopClosed,
} from '../../source/views/look/views.ts';
import { rowId } from '../opened-account.ts';

// Each letter is a computer.
const idsOf = (names: string) => [...names].map(rowId);

const tableOf = (names: string, more: Partial<Viewport> = {}): Viewport => ({
	ids: idsOf(names),
	maxRows: 4,
	maxScroll: () => 100,
	orderableFields: ['trouble', 'name', 'cpu'],
	...more,
});

const table = tableOf('abcdefgh');

const looked = (moves: readonly Move[], viewport = table, screen: Screen = initialScreen()) =>
	moves.reduce((now, move) => move(now, viewport), screen);

/** The computer under the cursor, and its line in the window. */
function placeIn(screen: Screen, names: string) {
	const viewport = tableOf(names);
	const index = cursorIndex(screen, viewport.ids);
	return [names[index], index - firstVisibleRow(screen, viewport)];
}

describe('the cursor of the table', () => {
	test.each<[what: string, Move, at: number, before: string, then: string, unknown[]]>([
		[
			'an order shows it on its first page',
			orderByField('cpu'),
			6,
			'abcdefgh',
			'hagbfcde',
			['g', 2],
		],
		['an order hides its computer', orderByField('cpu'), 0, 'abcdefgh', 'hgfedcba', ['h', 0]],
		['an order moves it to the end', orderByField('name'), 5, 'abcdefgh', 'hgedcbaf', ['h', 0]],
		['a filter adds rows above that fit', setFilter(''), 1, 'cdefgh', 'abcdefgh', ['d', 3]],
		['a filter adds too many rows above', setFilter(''), 1, 'cdefgh', 'aaaabcdefgh', ['d', 3]],
	])('%s', (_, move, at, before, then, place) => {
		const start = looked([setFilter('x'), step(at)], tableOf(before));
		const moved = move(start, tableOf(before, { idsFor: () => idsOf(then) }));
		const screen = withCursorFollowing(moved, tableOf(then));
		expect(placeIn(screen, then)).toEqual(place);
	});

	test.each<[what: string, readonly Move[], then: string, unknown[]]>([
		['nobody has moved it', [], 'hgfedcba', ['a', 3]],
		['a row appears above it', [toEnd('last'), step(-1)], 'xabcdefgh', ['g', 2]],
		['rows change places', [toEnd('last'), step(-1)], 'hgabcdef', ['g', 1]],
		['trouble appears above the first row', [toEnd('first')], 'yxabcdefgh', ['a', 2]],
		['it is gone', [step(2)], 'abdefgh', ['d', 2]],
	])('follows its computer when %s', (_, moves, then, place) => {
		const shown = withCursorFollowing(initialScreen(), table);
		const screen = withCursorFollowing(looked(moves, table, shown), tableOf(then));
		expect(placeIn(screen, then)).toEqual(place);
	});

	test('keeps the top of the table in sight when nobody watches and the top is in sight', () => {
		expect(withTopKept(looked([step(2)]), table).cursor?.isAtTop).toBe(true);
		expect(withTopKept(looked([toEnd('last')]), table).cursor?.isAtTop).toBe(false);
	});

	test('moves by half of the rows in view, and at least by one', () => {
		expect(looked([halfPage(1)]).cursor?.index).toBe(2);
		expect(looked([halfPage(1)], tableOf('abc', { maxRows: 1 })).cursor?.index).toBe(1);
	});
});

const [byCpu, byTrouble] = [orderByField('cpu'), orderByField('trouble')];

test.each<[moves: readonly Move[], by: string, isReversed: boolean]>([
	[[], 'trouble', false],
	[[byCpu], 'cpu', true],
	[[byCpu, byCpu], 'cpu', false],
	[[orderByField('uptime')], 'uptime', true],
	[[orderByField('name')], 'name', false],
	[[byCpu, orderByField('status')], 'status', false],
	[[byCpu, byTrouble, byTrouble, reverseOrder], 'trouble', false],
	[[orderBy(1), orderBy(1)], 'cpu', true],
	[[byCpu, orderBy(1)], 'trouble', false],
	[[openOrderMenu, withTopClosed], 'trouble', false],
	[[openOrderMenu, byCpu], 'cpu', true],
])('the order after the moves in row %$', (moves, by, isReversed) => {
	const { orderings, open } = looked(moves);
	expect([orderings.fleet, open]).toEqual([{ by, isReversed }, undefined]);
});

test.each(views)('the view “%s” opens its filter, or else that of the fleet', view => {
	const screen = { ...initialScreen(), view };
	const { open, view: filtered } = looked([startFilter], table, screen);
	expect([open?.kind, filtered]).toEqual(['filter', isFilterable(view) ? view : 'fleet']);
	expect(currentOrdering(screen) !== undefined).toBe(isOrderable(view));
});

describe('marks', () => {
	const marked = ({ marks }: Screen) =>
		idsOf('abcdefgh')
			.filter(id => marks.has(id))
			.map(id => splitGlobalId(id).id)
			.join('');

	test.each<
		[moves: readonly Move[], marks: string, then?: readonly Move[], names?: string, marks2?: string]
	>([
		[[step(2), mark, step(2), markRange], 'cdef', [step(-5), markRange], 'abcdefgh', 'abcdef'],
		[[step(3), markRange], 'd', [step(2), markRange], 'abcdefgh', 'def'],
		// A range begins neither at a computer that was unmarked, nor at one that the filter hides.
		[[mark, step(-1), mark, step(2), markRange], 'd'],
		[[mark], 'a', [step(2), markRange], 'efgh', 'ah'],
		[[step(2), markOnward(1), markOnward(1)], 'cde', [markOnward(-1)], '', 'cde'],
		// What changes all rows leaves hidden marks alone.
		[[mark], 'a', [toggleAllMarks], 'ef', 'aef'],
		[[mark], 'a', [toggleAllMarks, toggleAllMarks], 'ef', 'a'],
		[[mark, step(3), mark], 'ae', [invertMarks], 'efg', 'afg'],
	])('row %$', (moves, marks, then = [], names = 'abcdefgh', marks2 = marks) => {
		const screen = looked(moves);
		expect(marked(screen)).toBe(marks);
		expect(marked(looked(then, tableOf(names), screen))).toBe(marks2);
	});

	test('go down the rows where no map can be drawn, as for the ear', () => {
		const { map } = initialScreen();
		const screen = { ...initialScreen(), map: { ...map, isOpen: true } };
		expect(marked(looked([mark, mark], table, screen))).toBe('ab');
	});

	test('an operation is about those that exist, and otherwise about the computer under the cursor', () => {
		const screen = looked([mark, mark]);
		const chosen = (gone: string) =>
			chosenIds(screen, table.ids, id => !idsOf(gone).includes(id)).map(id => splitGlobalId(id).id);
		expect(['', 'a', 'ab'].map(chosen)).toEqual([['a', 'b'], ['b'], ['c']]);
	});
});

describe('the cursor of a list', () => {
	// Two lines and a title, twenty rows, and five more lines, in a window of nine.
	const rows = Array.from({ length: 20 }, (_, at) => `row ${at}`);
	const listOf = (ids: readonly string[]): ChoiceList => ({
		choices: ids.map((id, at) => ({ id, line: at + 3 })),
		windowLines: 9,
	});
	const list = listOf(rows);
	const maxScroll = 19;
	const start: Screen = { ...initialScreen(), view: 'versions' };
	const moved = (...steps: readonly number[]) =>
		steps.reduce((screen, count) => withChoiceMoved(screen, count, list, maxScroll), start);
	const placeOf = (screen: Screen, within = list) => [
		chosenChoiceOf(screen, within)?.id,
		firstVisibleLine(screen, within),
	];

	test.each<[steps: readonly number[], chosen: string, first: number]>([
		[[], 'row 0', 0],
		[[5], 'row 5', 0],
		[[6], 'row 6', 1],
		[[12, -5], 'row 7', 7],
		[[19, -19], 'row 0', 0],
		[[19], 'row 19', 14],
		[[19, 1], 'row 19', 15],
		[[endScrollPosition], 'row 19', maxScroll],
		[[endScrollPosition, -endScrollPosition], 'row 0', 0],
	])('after the steps %j is on “%s”, below the line %i of the text', (steps, chosen, first) => {
		expect(placeOf(moved(...steps))).toEqual([chosen, first]);
	});

	test('stays in sight on each of its ways, which scroll one line at a time', () => {
		let screen = start;
		for (const count of [...rows.map(() => 1), ...rows.map(() => -1)]) {
			const before = firstVisibleLine(screen, list);
			screen = withChoiceMoved(screen, count, list, maxScroll);
			const line = (chosenChoiceOf(screen, list)?.line ?? 0) - firstVisibleLine(screen, list);
			expect(line).toBeGreaterThanOrEqual(0);
			expect(line).toBeLessThan(list.windowLines);
			if (chosenChoiceOf(screen, list)?.id !== 'row 0')
				expect(Math.abs(firstVisibleLine(screen, list) - before)).toBeLessThanOrEqual(1);
		}
	});

	test.each<
		[what: string, Screen, ids: readonly string[], chosen: string | undefined, first: number]
	>([
		['keeps its height when lines appear', moved(12), ['new', 'newer', ...rows], 'row 12', 9],
		['is on top until it is moved', start, ['new', ...rows], 'new', 0],
		['is on top after a jump there', moved(3, -1e9), ['new', ...rows], 'new', 0],
		['stays on the first line that it reached', moved(3, -3), ['new', ...rows], 'row 0', 1],
		['stays on a line that is kept', withCursorKept(start, list), ['new', ...rows], 'row 0', 1],
		['takes the line in place of one that is gone', moved(4), rows.toSpliced(4, 1), 'row 5', 0],
		['takes the last line of a shorter list', moved(4), rows.slice(0, 2), 'row 1', 0],
		['is nowhere in an empty list', moved(4), [], undefined, 0],
	])('%s', (_, screen, ids, chosen, first) => {
		expect(placeOf(screen, listOf(ids))).toEqual([chosen, first]);
	});

	test('is the reading position where lines are spoken', () => {
		const spoken = { ...list, isSpoken: true };
		expect(chosenChoiceOf({ ...start, scroll: 2 }, spoken)).toBeUndefined();
		expect(chosenChoiceOf({ ...start, scroll: 5 }, spoken)?.id).toBe('row 2');
	});

	test('is moved by pages as far as the text, also past headings and where several choices share a line', () => {
		// Three choices a line, and a heading after each fourth line.
		const choices = Array.from({ length: 120 }, (_, at) => {
			const row = Math.floor(at / 3);
			return { id: `row ${at}`, line: row + Math.floor(row / 4) };
		});
		const all: ChoiceList = { choices, windowLines: 8 };
		const lastScroll = (choices.at(-1)?.line ?? 0) + 1 - all.windowLines;
		let screen = start;
		const page = (direction: 1 | -1) => {
			screen = withChoicePaged(screen, direction * 30, all, lastScroll);
			const line = chosenChoiceOf(screen, all)?.line ?? 0;
			const first = firstVisibleLine(screen, all);
			expect(line >= first && line < first + all.windowLines).toBe(true);
			return line;
		};
		const lastLine = choices.at(-1)?.line ?? 0;
		for (let before = 0; before < lastLine; ) {
			const line = page(1);
			expect(line).toBeGreaterThan(before);
			expect(line).toBeLessThan(before + all.windowLines);
			before = line;
		}
		for (let before = lastLine; before > 0; ) {
			const line = page(-1);
			expect(line).toBeLessThan(before);
			expect(line).toBeGreaterThan(before - all.windowLines);
			before = line;
		}
	});
});

describe('going back', () => {
	const cursor = { id: 'entry-7', index: 7, line: 5 };
	const log: Screen = {
		...initialScreen(),
		view: 'log',
		scroll: 2,
		listCursors: { log: cursor },
		filters: { ...initialScreen().filters, fleet: 'status:error' },
	};
	const opened = (opens: Choice['opens'], from = log, viewport = table) =>
		openChoice({ id: 'entry-7', line: 7, opens })(from, viewport);
	const b = { type: 'computer', id: rowId('b'), name: 'b' } as const;
	const close: Move = screen => withOpenPartClosed(screen) ?? screen;
	const back: Move = withTopClosed;

	test.each([
		['Esc', back],
		['q', close],
	])('%s leads from the details of a line back to that line, and then to the table', (_, move) => {
		const detail = opened(b);
		expect(detail).toMatchObject({ view: 'fleet', isDetailOpen: true, cursor: { id: b.id } });
		const returned = looked([move], table, detail);
		expect(returned).toMatchObject({ view: 'log', scroll: 2, isDetailOpen: false });
		expect(returned.listCursors.log).toEqual(cursor);
		const home = looked([move], table, returned);
		expect(home).toMatchObject({ view: 'fleet', viewsBehind: [], isDetailOpen: false });
		expect(withOpenPartClosed(home)).toBeUndefined();
	});

	test('restores the filter that opening a hidden computer cleared', () => {
		const shown = opened(b, log, tableOf('cd'));
		expect([shown.filters.fleet, shown.cursor?.id]).toEqual(['', b.id]);
		expect(looked([back], table, shown).filters.fleet).toBe('status:error');
		expect(opened(b).filters.fleet).toBe('status:error');
	});

	test('from the computers of a version closes details first, and then shows the versions', () => {
		const versions: Screen = { ...initialScreen(), view: 'versions' };
		const computers = opened({ type: 'filter', text: 'version:1.3.9' }, versions);
		expect(computers).toMatchObject({ view: 'fleet', filters: { fleet: 'version:1.3.9' } });
		const detail = looked([openDetail], table, computers);
		expect(looked([back], table, detail)).toMatchObject({ view: 'fleet', isDetailOpen: false });
		expect(looked([back, back], table, detail)).toMatchObject({
			view: 'versions',
			filters: { fleet: '' },
		});
	});

	test.each([
		['a view', showView('billing')],
		['the next view', nextView(1)],
		['computers with a status', filterFleet('status:active')],
		['a filter', setFilter('vega')],
	])('is forgotten when a person chooses %s', (_, move) => {
		expect(looked([move], table, opened(b)).viewsBehind).toEqual([]);
	});

	test('a line with parts shows them, and hides them the next time', () => {
		const unfolded = opened({ type: 'parts' });
		expect([...unfolded.unfoldedIds]).toEqual(['entry-7']);
		expect(opened({ type: 'parts' }, unfolded).unfoldedIds.size).toBe(0);
	});

	const all: Screen = {
		...looked([mark, openDetail], table),
		map: { ...initialScreen().map, isOpen: true },
		filters: { ...initialScreen().filters, fleet: 'status:error' },
	};
	const openParts = ({ open, view, isDetailOpen, marks, filters, map }: Screen) =>
		Object.entries({
			help: open?.kind === 'help',
			[view]: view !== 'fleet',
			details: isDetailOpen,
			marks: marks.size > 0,
			filter: filters.fleet !== '',
			map: map.isOpen,
		}).flatMap(([name, is]) => (is ? name : []));

	test('with Esc undoes one step at a time: the details, the marks, the filter, the map', () => {
		expect(
			[1, 2, 3, 4].map(count => openParts(looked(Array(count).fill(back), table, all))),
		).toEqual([['marks', 'filter', 'map'], ['filter', 'map'], ['map'], []]);
	});

	test('with q closes one thing at a time, and leaves marks, filter and map', () => {
		const open = looked([showView('log'), toggleHelp], table, all);
		const left = ['marks', 'filter', 'map'];
		expect(
			[1, 2, 3, 4].map(count => openParts(looked(Array(count).fill(close), table, open))),
		).toEqual([['log', 'details', ...left], ['details', ...left], left, left]);
	});

	test('in the help ends the search, and then closes the help', () => {
		const searched = looked([toggleHelp, setHelpFilter('mark')]);
		const steps = [0, 1, 2].map(count => looked(Array(count).fill(back), table, searched).open);
		expect(steps.map(open => open && helpOf({ open }).filter)).toEqual(['mark', '', undefined]);
	});

	test('clears the filter of a view before it leaves the view, and each view has its own', () => {
		const filtered = looked([setFilter('you')], table, { ...initialScreen(), view: 'log' });
		expect(currentFilter(filtered)).toBe('you');
		expect(currentFilter(looked([showView('fleet')], table, filtered))).toBe('');
		const steps = [1, 2].map(count => looked(Array(count).fill(back), table, filtered));
		expect(steps.map(screen => [screen.view, currentFilter(screen)])).toEqual([
			['log', ''],
			['fleet', ''],
		]);
	});
});

test.each<[View, by: string, step: 1 | -1, next: string]>([
	['models', 'id', 1, 'owner'],
	['models', 'id', -1, 'outputPrice'],
	['models', 'outputPrice', 1, 'id'],
	['fleet', 'cpu', 1, 'trouble'],
])(
	'in the view “%s”, the order after “%s” in the direction %i is “%s”',
	(view, by, direction, next) => {
		const screen = { ...initialScreen(), view };
		const orderings = { ...screen.orderings, [view]: { by, isReversed: true } };
		const moved = looked([orderBy(direction)], table, { ...screen, orderings });
		expect(currentOrdering(moved)).toEqual({ by: next, isReversed: false });
	},
);
