import { describe, expect, test } from 'vitest';
import { splitGlobalId } from '../../source/fleet/computers/global-id.ts';
import {
	type Choice,
	type ChoiceList,
	chosenChoiceOf,
	cursorIndex,
	firstVisibleLine,
	firstVisibleRow,
	type Viewport,
	withChoiceMoved,
	withChoicePaged,
	withCursorFollowing,
	withCursorKept,
	withTopKept,
} from '../../source/views/look/cursor.ts';
import {
	chosenIds,
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
	helpOf,
	initialScreen,
	type Screen,
} from '../../source/views/look/screen.ts';
import {
	endScrollPosition,
	isFilterable,
	type ViewName,
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

const linesOf = (names: string) => idsOf(names).map(id => ({ id }));

const tableOf = (names: string, more: Partial<Viewport> = {}): Viewport => ({
	lines: linesOf(names),
	ids: idsOf(names),
	maxRows: 4,
	maxScroll: () => 100,
	choiceList: () => undefined,
	linesFor: () => linesOf(names),
	mapCells: () => [],
	orderableFields: ['trouble', 'name', 'cpu'],
	...more,
});

const table = tableOf('abcdefgh');

const looked = (moves: readonly Move[], viewport = table, screen: Screen = initialScreen()) =>
	moves.reduce((now, move) => move(now, viewport), screen);

/** The computer under the cursor, and its line in the window. */
function placeIn(screen: Screen, names: string) {
	const viewport = tableOf(names);
	const index = cursorIndex(screen, viewport.lines);
	return [names[index], index - firstVisibleRow(screen, viewport)];
}

test.each<[what: string, Move, at: number, before: string, then: string, unknown[]]>([
	['an order shows it on its first page', orderByField('cpu'), 6, 'abcdefgh', 'hagbfcde', ['g', 2]],
	['an order hides its computer', orderByField('cpu'), 0, 'abcdefgh', 'hgfedcba', ['h', 0]],
	['an order moves it to the end', orderByField('name'), 5, 'abcdefgh', 'hgedcbaf', ['h', 0]],
	['a filter adds rows above that fit', setFilter(''), 1, 'cdefgh', 'abcdefgh', ['d', 3]],
	['a filter adds too many rows above', setFilter(''), 1, 'cdefgh', 'aaaabcdefgh', ['d', 3]],
])('the cursor is in sight when %s', (_, move, at, before, then, place) => {
	const start = looked([setFilter('x'), step(at)], tableOf(before));
	const moved = move(start, tableOf(before, { linesFor: () => linesOf(then) }));
	expect(placeIn(withCursorFollowing(moved, tableOf(then)), then)).toEqual(place);
});

test.each<[what: string, moves: readonly Move[], then: string, place: unknown[]]>([
	['nobody has moved it', [], 'hgfedcba', ['a', 3]],
	['a row appears above it', [toEnd('last'), step(-1)], 'xabcdefgh', ['g', 2]],
	['rows change places', [toEnd('last'), step(-1)], 'hgabcdef', ['g', 1]],
	['trouble appears above the first row', [toEnd('first')], 'yxabcdefgh', ['a', 2]],
	['it is gone', [step(2)], 'abdefgh', ['d', 2]],
])('the cursor follows its computer when %s', (_, moves, then, place) => {
	const shown = withCursorFollowing(initialScreen(), table);
	const screen = withCursorFollowing(looked(moves, table, shown), tableOf(then));
	expect(placeIn(screen, then)).toEqual(place);
});

test('the top of the table stays in sight when nobody watches and the top is in sight', () => {
	expect(withTopKept(looked([step(2)]), table).cursor?.isAtTop).toBe(true);
	expect(withTopKept(looked([toEnd('last')]), table).cursor?.isAtTop).toBe(false);
});

const [byCpu, byTrouble] = [orderByField('cpu'), orderByField('trouble')];

test.each<[ViewName, moves: readonly Move[], by: string, isReversed: boolean]>([
	['fleet', [], 'trouble', false],
	['fleet', [byCpu], 'cpu', true],
	['fleet', [byCpu, byCpu], 'cpu', false],
	['fleet', [orderByField('name')], 'name', false],
	['fleet', [byCpu, byTrouble, byTrouble, reverseOrder], 'trouble', false],
	['fleet', [orderBy(1), orderBy(1)], 'cpu', true],
	['fleet', [byCpu, orderBy(1)], 'trouble', false],
	['fleet', [openOrderMenu, withTopClosed], 'trouble', false],
	['fleet', [openOrderMenu, byCpu], 'cpu', true],
	['models', [orderBy(1)], 'owner', false],
	['models', [orderBy(-1)], 'outputPrice', false],
	['models', [orderBy(-1), reverseOrder], 'outputPrice', true],
	['models', [orderBy(-1), orderBy(1)], 'id', false],
])('in “%s”, the order after the moves in row %$', (view, moves, by, isReversed) => {
	const { orderings, open } = looked(moves, table, { ...initialScreen(), view });
	expect({ ...orderings, open }).toMatchObject({ [view]: { by, isReversed }, open: undefined });
});

test.each(views)('the view “%s” opens its filter, or else that of the fleet', view => {
	const { open, view: filtered } = looked([startFilter], table, { ...initialScreen(), view });
	expect([open?.kind, filtered]).toEqual(['filter', isFilterable(view) ? view : 'fleet']);
});

const marked = ({ marks }: Screen) =>
	[...marks]
		.map(id => splitGlobalId(id).id)
		.sort()
		.join('');

test.each<
	[moves: readonly Move[], marks: string, then?: readonly Move[], names?: string, marks2?: string]
>([
	[[step(2), mark, step(2), markRange], 'cdef', [step(-5), markRange], 'abcdefgh', 'abcdef'],
	[[step(3), markRange], 'd', [step(2), markRange], 'abcdefgh', 'def'],
	// A range begins neither at a computer that is not marked any more, nor at one that the filter hides.
	[[mark, withTopClosed, step(2), markRange], 'd'],
	[[mark, step(-1), mark, step(2), markRange], 'd'],
	[[mark], 'a', [step(2), markRange], 'efgh', 'ah'],
	[[step(2), markOnward(1), markOnward(1)], 'cde', [markOnward(-1)], '', 'cde'],
	// What changes all rows leaves hidden marks alone.
	[[mark], 'a', [toggleAllMarks], 'ef', 'aef'],
	[[mark], 'a', [toggleAllMarks, toggleAllMarks], 'ef', 'a'],
	[[mark, step(3), mark], 'ae', [invertMarks], 'efg', 'afg'],
])('the marks of row %$', (moves, marks, then = [], names = 'abcdefgh', marks2 = marks) => {
	const screen = looked(moves);
	expect(marked(screen)).toBe(marks);
	expect(marked(looked(then, tableOf(names), screen))).toBe(marks2);
});

test('an operation is about the marked computers that exist, or else about that under the cursor', () => {
	const screen = looked([mark, mark]);
	const chosen = (gone: string) =>
		chosenIds(screen, table.lines, id => !idsOf(gone).includes(id)).map(id => splitGlobalId(id).id);
	expect(['', 'a', 'ab'].map(chosen)).toEqual([['a', 'b'], ['b'], ['c']]);
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
	])('after the steps %j is on “%s”, below the line %i of the text', (steps, chosen, first) =>
		expect(placeOf(moved(...steps))).toEqual([chosen, first]),
	);

	test.each<[string, Screen, ids: readonly string[], chosen: string | undefined, first: number]>([
		['keeps its height when lines appear', moved(12), ['new', 'newer', ...rows], 'row 12', 9],
		['is on top until it is moved', start, ['new', ...rows], 'new', 0],
		['is on top after a jump there', moved(3, -1e9), ['new', ...rows], 'new', 0],
		['stays on the first line that it reached', moved(3, -3), ['new', ...rows], 'row 0', 1],
		['stays on a line that is kept', withCursorKept(start, list), ['new', ...rows], 'row 0', 1],
		['takes the line in place of one that is gone', moved(4), rows.toSpliced(4, 1), 'row 5', 0],
		['takes the last line of a shorter list', moved(4), rows.slice(0, 2), 'row 1', 0],
		['is nowhere in an empty list', moved(4), [], undefined, 0],
	])('%s', (_, screen, ids, chosen, first) =>
		expect(placeOf(screen, listOf(ids))).toEqual([chosen, first]),
	);

	test('is the reading position where lines are spoken', () => {
		const spoken = { ...list, isSpoken: true };
		expect([2, 5].map(scroll => chosenChoiceOf({ ...start, scroll }, spoken)?.id)).toEqual([
			...[undefined, 'row 2'],
		]);
	});

	// Three choices a line, and a heading after each fourth line.
	const choices = Array.from({ length: 120 }, (_, at) => {
		const row = Math.floor(at / 3);
		return { id: `row ${at}`, line: row + Math.floor(row / 4) };
	});
	const lastLine = choices.at(-1)?.line ?? 0;
	const long: ChoiceList = { choices, windowLines: 8 };
	const lastScroll = lastLine + 1 - long.windowLines;

	test.each([
		['steps', 1, withChoiceMoved],
		['pages', 30, withChoicePaged],
	] as const)('reaches both ends of a long list in %s, and is always in sight', (_, most, go) => {
		let screen = start;
		const lines = [1, -1].map(direction => {
			for (let count = 0; count < choices.length; count += 1) {
				const before = chosenChoiceOf(screen, long)?.line ?? 0;
				screen = go(screen, direction * most, long, lastScroll);
				const line = chosenChoiceOf(screen, long)?.line ?? 0;
				const height = line - firstVisibleLine(screen, long);
				expect(height >= 0 && height < long.windowLines).toBe(true);
				expect(Math.abs(line - before)).toBeLessThan(long.windowLines);
			}
			return chosenChoiceOf(screen, long)?.line;
		});
		expect(lines).toEqual([lastLine, 0]);
	});
});

describe('going back', () => {
	const log: Screen = {
		...initialScreen(),
		view: 'log',
		scroll: 2,
		listCursors: { log: { id: 'entry-7', index: 7, line: 5 } },
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
		const { view, scroll, listCursors } = log;
		expect(returned).toMatchObject({ view, scroll, listCursors, isDetailOpen: false });
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
		const returned = looked([back, back], table, detail);
		expect(returned).toMatchObject({ view: 'versions', filters: { fleet: '' } });
	});

	test.each([
		['a view', showView('billing')],
		['the next view', nextView(1)],
		['computers with a status', filterFleet('status:active')],
		['a filter', setFilter('vega')],
	])('is forgotten when a person chooses %s', (_, move) =>
		expect(looked([move], table, opened(b)).viewsBehind).toEqual([]),
	);

	const all: Screen = {
		...looked([mark, openDetail], table),
		map: { ...initialScreen().map, isOpen: true },
		filters: { ...initialScreen().filters, fleet: 'status:error' },
	};
	test('with Esc undoes one step at a time: the details, the marks, the filter, the map', () => {
		const open = ({ isDetailOpen, marks, filters, map }: Screen) =>
			[isDetailOpen, marks.size > 0, filters.fleet !== '', map.isOpen].map(Number).join('');
		const steps = [0, 1, 2, 3, 4].map(count => open(looked(Array(count).fill(back), table, all)));
		expect(steps).toEqual(['1111', '0111', '0011', '0001', '0000']);
	});

	test('in the help ends the search, and then closes the help', () => {
		const searched = looked([toggleHelp, setHelpFilter('mark')]);
		const opens = [0, 1, 2].map(count => looked(Array(count).fill(back), table, searched).open);
		expect(opens.map(open => open && helpOf({ open }).filter)).toEqual(['mark', '', undefined]);
	});

	test('clears the filter of a view before it leaves the view, and each view has its own', () => {
		const filtered = looked([setFilter('you')], table, { ...initialScreen(), view: 'log' });
		expect(currentFilter(filtered)).toBe('you');
		expect(currentFilter(looked([showView('fleet')], table, filtered))).toBe('');
		const screens = [1, 2].map(count => looked(Array(count).fill(back), table, filtered));
		expect(screens.map(screen => [screen.view, currentFilter(screen)])).toEqual([
			...[
				['log', ''],
				['fleet', ''],
			],
		]);
	});
});
