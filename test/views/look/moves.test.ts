import { describe, expect, test } from 'vitest';
import {
	cursorIndex,
	firstVisibleRow,
	withCursorFollowing,
	withTopKept,
} from '../../../source/views/look/cursor.ts';
import { withTopClosed } from '../../../source/views/look/going-back.ts';
import {
	applyMove,
	type Move,
	openOrderMenu,
	orderBy,
	orderByField,
	reverseOrder,
	setFilter,
	step,
	toEnd,
} from '../../../source/views/look/moves.ts';
import { initialScreen, type Screen } from '../../../source/views/look/screen.ts';
import type { Viewport } from '../../../source/views/look/viewport.ts';
import { rowId } from '../../opened-account.ts';

const viewportOf = (names: string, maxRows = 4): Viewport => ({
	ids: [...names].map(rowId),
	maxRows,
	maxScroll: () => 0,
	orderableFields: ['trouble', 'name', 'cpu'],
});

const screenAfter = (
	moves: readonly Move[],
	viewport: Viewport,
	screen: Screen = initialScreen(),
) => moves.reduce((each, move) => applyMove(each, move, viewport), screen);

const orderAfter = (...moves: readonly Move[]) =>
	screenAfter(moves, viewportOf('abc')).orderings.fleet;

/** A table of four lines. After the order or the filter changes, its rows are in this order. */
const changingTo = (before: string, after: string): Viewport => ({
	...viewportOf(before),
	idsFor: () => [...after].map(rowId),
});

/** The name under the cursor, and the line that it is in. */
function placeAfter(cursorAt: number, move: Move, before: string, after: string) {
	const start = screenAfter([step(cursorAt)], viewportOf(before));
	const screen = applyMove(start, move, changingTo(before, after));
	const viewport = viewportOf(after);
	const index = cursorIndex(screen, viewport.ids);
	return { name: after[index], line: index - firstVisibleRow(screen, viewport) };
}

describe('the cursor', () => {
	const byCpu = orderByField('cpu');

	test('stays on its computer in a new order that shows it on its first page', () => {
		expect(placeAfter(6, byCpu, 'abcdefgh', 'hagbfcde')).toEqual({ name: 'g', line: 2 });
	});

	test('goes to the first row of a new order that hides its computer behind the first page', () => {
		expect(placeAfter(0, byCpu, 'abcdefgh', 'hgfedcba')).toEqual({ name: 'h', line: 0 });
		const byName = orderByField('name');
		expect(placeAfter(5, byName, 'abcdefgh', 'hgedcbaf')).toEqual({ name: 'h', line: 0 });
	});

	test('shows the rows above it when a filter is cleared, if they fit', () => {
		const clear = setFilter('');
		const filtered = screenAfter([setFilter('x'), step(1)], viewportOf('cdefgh'));
		const lineIn = (after: string) => {
			const screen = applyMove(filtered, clear, changingTo('cdefgh', after));
			const viewport = viewportOf(after);
			const index = cursorIndex(screen, viewport.ids);
			expect(after[index]).toBe('d');
			return index - firstVisibleRow(screen, viewport);
		};
		expect(lineIn('abcdefgh')).toBe(3);
		expect(lineIn('abcefghd'), 'too far below').toBe(3);
		expect(lineIn('aaaabcdefgh'), 'the line that it had').toBe(1);
	});
});

describe('the order of the table', () => {
	test('begins with trouble', () => {
		expect(initialScreen().orderings.fleet).toEqual({ by: 'trouble', isReversed: false });
	});

	test('begins with the largest numbers, and with the first texts', () => {
		expect(orderAfter(orderByField('cpu')).isReversed).toBe(true);
		expect(orderAfter(orderByField('uptime')).isReversed).toBe(true);
		expect(orderAfter(orderByField('name')).isReversed).toBe(false);
		const right = orderBy(1);
		expect(orderAfter(right, right)).toEqual({ by: 'cpu', isReversed: true });
	});

	test('is one field and its direction: an earlier order leaves nothing behind, and trouble is never last', () => {
		const cpu = orderByField('cpu');
		const status = orderByField('status');
		const trouble = orderByField('trouble');
		expect(orderAfter(cpu, status)).toEqual({ by: 'status', isReversed: false });
		expect(orderAfter(cpu, trouble, trouble, reverseOrder)).toEqual({
			by: 'trouble',
			isReversed: false,
		});
	});

	test('is reversed when its field is chosen again', () => {
		const cpu = orderByField('cpu');
		expect(orderAfter(cpu, cpu)).toMatchObject({ by: 'cpu', isReversed: false });
	});

	test('closes its menu when a field is chosen, and with Esc', () => {
		const viewport = viewportOf('abc');
		const open = screenAfter([openOrderMenu], viewport);
		expect(open.isOrderMenuOpen).toBe(true);
		const chosen = screenAfter([orderByField('cpu')], viewport, open);
		expect(chosen.isOrderMenuOpen).toBe(false);
		const closed = screenAfter([withTopClosed], viewport, open);
		expect([closed.isOrderMenuOpen, closed.orderings.fleet.by]).toEqual([false, 'trouble']);
	});
});

describe('the cursor', () => {
	const nameAt = (screen: Screen, names: string) =>
		names[cursorIndex(screen, viewportOf(names).ids)];

	test('stays on its computer when the order changes, also from the first row', () => {
		const viewport = viewportOf('abcdefgh');
		const shown = withCursorFollowing(initialScreen(), viewport);
		const ordered = screenAfter([reverseOrder], viewport, shown);
		const followed = withCursorFollowing(ordered, viewportOf('hgfedcba'));
		expect(nameAt(followed, 'hgfedcba')).toBe('a');
	});

	test('keeps its line when computers above it change places', () => {
		const moved = screenAfter([toEnd('last'), step(-1)], viewportOf('abcdefgh'));
		const before =
			cursorIndex(moved, viewportOf('abcdefgh').ids) -
			firstVisibleRow(moved, viewportOf('abcdefgh'));
		const shuffled = viewportOf('hgabcdef');
		const followed = withCursorFollowing(moved, viewportOf('xabcdefgh'));
		const line =
			cursorIndex(followed, viewportOf('xabcdefgh').ids) -
			firstVisibleRow(followed, viewportOf('xabcdefgh'));
		expect(nameAt(followed, 'xabcdefgh')).toBe('g');
		expect(line).toBe(before);
		expect(nameAt(withCursorFollowing(moved, shuffled), 'hgabcdef')).toBe('g');
	});

	test('lets new trouble appear above it while it is on the first row', () => {
		const first = screenAfter([toEnd('first')], viewportOf('abcdefgh'));
		let screen = first;
		for (const names of ['xabcdefgh', 'yxabcdefgh']) {
			screen = withCursorFollowing(screen, viewportOf(names));
			expect(firstVisibleRow(screen, viewportOf(names))).toBe(0);
			expect(nameAt(screen, names)).toBe('a');
		}
		const many = viewportOf('uvwxyabcdefgh');
		expect(firstVisibleRow(withCursorFollowing(screen, many), many)).toBe(2);
	});

	test('keeps the top of the table in sight when nobody watches and the top is in sight', () => {
		const viewport = viewportOf('abcdefgh');
		const moved = screenAfter([step(2)], viewport);
		expect(withTopKept(moved, viewport).cursor?.isAtTop).toBe(true);
		const scrolled = screenAfter([toEnd('last')], viewport);
		expect(withTopKept(scrolled, viewport).cursor?.isAtTop).toBe(false);
	});
});
