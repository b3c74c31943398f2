import { expect, test } from 'vitest';
import {
	type GlobalId,
	globalIdOf,
	splitGlobalId,
} from '../../../source/fleet/computers/global-id.ts';
import { withOpenPartClosed } from '../../../source/views/look/going-back.ts';
import {
	chosenIds,
	withAllToggled,
	withMarksInverted,
	withRangeMarked,
} from '../../../source/views/look/marks.ts';
import {
	applyMove,
	halfPage,
	type Move,
	mark,
	markOnward,
	openDetail,
	setFilter,
	showView,
	step,
	toggleHelp,
} from '../../../source/views/look/moves.ts';
import { initialScreen, type Screen } from '../../../source/views/look/screen.ts';
import type { Viewport } from '../../../source/views/look/viewport.ts';

const ids = [...'abcdefgh'].map(id => globalIdOf('mine', id));

const viewportOf = (shown: readonly GlobalId[]): Viewport => ({
	ids: shown,
	maxRows: 8,
	maxScroll: () => 0,
	orderableFields: [],
});

const all = viewportOf(ids);

function after(moves: readonly Move[], viewport = all, screen: Screen = initialScreen()) {
	return moves.reduce((state, move) => applyMove(state, move, viewport), screen);
}

const marked = ({ marks }: Screen) =>
	ids
		.filter(id => marks.has(id))
		.map(id => splitGlobalId(id).id)
		.join('');

test('a range goes from the computer that was marked last to the cursor, in both directions', () => {
	const screen = after([step(2), mark, step(2), withRangeMarked]);
	expect(marked(screen)).toBe('cdef');
	expect(marked(after([step(-5), withRangeMarked], all, screen))).toBe('abcdef');
});

test('a range without a beginning marks only the computer under the cursor, and begins there', () => {
	const screen = after([step(3), withRangeMarked]);
	expect(marked(screen)).toBe('d');
	expect(marked(after([step(2), withRangeMarked], all, screen))).toBe('def');
});

test('a range does not begin at a computer that was unmarked, or that the filter hides', () => {
	const unmarked = after([mark, step(-1), mark, step(2), withRangeMarked]);
	expect(marked(unmarked)).toBe('d');
	const filtered = after([step(2), withRangeMarked], viewportOf(ids.slice(4)), after([mark]));
	expect(marked(filtered)).toBe('ah');
});

test('Shift with an arrow marks each row that the cursor leaves or reaches', () => {
	const screen = after([step(2), markOnward(1), markOnward(1)]);
	expect(marked(screen)).toBe('cde');
	expect(marked(after([markOnward(-1)], viewportOf([])))).toBe('');
});

test('marking all shown a second time unmarks them, and leaves hidden marks alone', () => {
	const begun = after([mark]);
	const shown = viewportOf(ids.slice(4, 6));
	const twice = after([withAllToggled], shown, begun);
	expect(marked(twice)).toBe('aef');
	expect(marked(after([withAllToggled], shown, twice))).toBe('a');
	expect(marked(after([withAllToggled], viewportOf([]), twice))).toBe('aef');
});

test('inverting the marks changes only the rows that the filter shows', () => {
	const begun = after([mark, step(3), mark]);
	expect(marked(begun)).toBe('ae');
	expect(marked(after([withMarksInverted], viewportOf(ids.slice(4, 7)), begun))).toBe('afg');
});

test('half a page moves by half of the rows in view, and at least by one', () => {
	expect(after([halfPage(1)]).cursor?.index).toBe(4);
	expect(after([halfPage(1)], { ...all, maxRows: 1 }).cursor?.index).toBe(1);
});

test('closing what is open closes one thing at a time, and clears neither marks nor filter', () => {
	const open = after([mark, setFilter('x'), openDetail, showView('log'), toggleHelp]);
	const states = [1, 2, 3, 4].map(count =>
		after(
			Array<Move>(count).fill(screen => withOpenPartClosed(screen) ?? screen),
			all,
			open,
		),
	);
	expect(
		states.map(({ isHelpOpen, view, isDetailOpen }) => [isHelpOpen, view, isDetailOpen]),
	).toEqual([
		[false, 'log', true],
		[false, 'fleet', true],
		[false, 'fleet', false],
		[false, 'fleet', false],
	]);
	expect(marked(states[3] ?? open)).toBe('a');
	expect(states[3]?.filters.fleet).toBe('x');
});

test('an operation is about the marked computers that exist, and otherwise about the one under the cursor', () => {
	const screen = after([mark, mark]);
	const chosen = (...gone: readonly GlobalId[]) =>
		chosenIds(screen, ids, id => !gone.includes(id)).map(id => splitGlobalId(id).id);
	const [a, b] = ids as [GlobalId, GlobalId];
	expect(chosen()).toEqual(['a', 'b']);
	expect(chosen(a)).toEqual(['b']);
	expect(chosen(a, b)).toEqual(['c']);
});
