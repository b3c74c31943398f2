import { expect, test } from 'vitest';
import { globalIdOf } from '../../../source/fleet/computers/global-id.ts';
import type { Choice } from '../../../source/views/look/choice.ts';
import {
	withChoiceOpened,
	withOpenPartClosed,
	withTopClosed,
} from '../../../source/views/look/going-back.ts';
import {
	applyMove,
	filterFleet,
	type Move,
	nextView,
	openDetail,
	setFilter,
	showView,
} from '../../../source/views/look/moves.ts';
import { initialScreen, type Screen } from '../../../source/views/look/screen.ts';

const vega = globalIdOf('mine', 'sb_vega');
const shown = {
	ids: [vega],
	maxRows: 10,
	maxScroll: () => 100,
	orderableFields: [] as const,
};

const after = (screen: Screen, ...moves: readonly Move[]) =>
	moves.reduce((now, move) => applyMove(now, move, shown), screen);

const logLine: Choice = {
	id: 'entry-7',
	line: 7,
	opens: { type: 'computer', id: vega, name: 'vega' },
};

const cursor = { id: 'entry-7', index: 7, line: 5 };

/** The log with its cursor on the eighth line, reached from the table under a filter. */
const log: Screen = {
	...initialScreen(),
	view: 'log',
	scroll: 2,
	listCursors: { log: cursor },
	filters: { ...initialScreen().filters, fleet: 'status:error' },
};

const close: Move = screen => withOpenPartClosed(screen) ?? screen;
const back: Move = withTopClosed;

test.each([
	['Esc', back],
	['q', close],
])('%s leads from the details of a line back to that line, and then to the table', (_, move) => {
	const opened = withChoiceOpened(log, logLine, shown);
	expect(opened).toMatchObject({ view: 'fleet', isDetailOpen: true, cursor: { id: vega } });
	const returned = after(opened, move);
	expect(returned).toMatchObject({ view: 'log', scroll: 2, isDetailOpen: false });
	expect(returned.listCursors.log).toEqual(cursor);
	const home = after(returned, move);
	expect(home).toMatchObject({ view: 'fleet', viewsBehind: [], isDetailOpen: false });
	expect(withOpenPartClosed(home)).toBeUndefined();
});

test('going back restores the filter that opening a hidden computer cleared', () => {
	const opened = withChoiceOpened(log, logLine, { ...shown, ids: [] });
	expect(opened.filters.fleet).toBe('');
	expect(after(opened, back).filters.fleet).toBe('status:error');
});

test('going back from the computers of a version closes details first, and then shows the versions', () => {
	const versions: Screen = { ...initialScreen(), view: 'versions' };
	const line: Choice = { id: '1.3.9', line: 1, opens: { type: 'filter', text: 'version:1.3.9' } };
	const table = withChoiceOpened(versions, line, shown);
	const detail = after(table, openDetail);
	expect(after(detail, back)).toMatchObject({ view: 'fleet', isDetailOpen: false });
	expect(after(detail, back, back)).toMatchObject({ view: 'versions', filters: { fleet: '' } });
});

test.each([
	['a view', showView('billing')],
	['the next view', nextView(1)],
	['computers with a status', filterFleet('status:active')],
	['a filter', setFilter('vega')],
])('choosing %s forgets the way back', (_, move) => {
	const opened = withChoiceOpened(log, logLine, shown);
	expect(after(opened, move).viewsBehind).toEqual([]);
});

test('one step of looking is undone at a time: the details, the marks, the filter, the map', () => {
	const initial = initialScreen();
	const looked: Screen = {
		...initial,
		...{ isDetailOpen: true, marks: new Set([vega]), map: { ...initial.map, isOpen: true } },
		filters: { ...initial.filters, fleet: 'status:error' },
	};
	const leftAfter = (count: number) => {
		const { isDetailOpen, marks, filters, map } = after(looked, ...Array(count).fill(back));
		const left = { details: isDetailOpen, marks: marks.size > 0, filter: filters.fleet !== '' };
		return Object.entries({ ...left, map: map.isOpen }).flatMap(([name, is]) => (is ? name : []));
	};
	expect([1, 2, 3, 4].map(leftAfter)).toEqual([
		['marks', 'filter', 'map'],
		['filter', 'map'],
		['map'],
		[],
	]);
});
