import { expect, test } from 'vitest';
import { bindings } from '../../../source/keys/bindings.ts';
import { createPaletteFinder } from '../../../source/wording/palette/find-items.ts';
import { itemsFound, rowsNamed, screenWith } from './palette-fleet.ts';

const labels = (typed: string, options = {}) =>
	itemsFound(typed, options).map(({ label }) => label);

const first = (typed: string, options = {}) => itemsFound(typed, options)[0];

test('a name finds its computer first, then longer names', () => {
	expect(labels('vega').slice(0, 2)).toEqual(['vega', 'vega-2']);
	expect(first('vega')).toMatchObject({ note: 'active', intent: { type: 'showComputer' } });
	expect(labels('v2')[0]).toBe('vega-2');
});

test('the best name is followed by what can be done to that computer', () => {
	expect(labels('lyra').slice(0, 3)).toEqual(['lyra', 'Start lyra', 'Unpublish lyra']);
});

test.each([
	['stop ve', ['Stop vega', 'Stop vega-2']],
	['resta vg', ['Restart vega', 'Restart vega-2']],
	['delete lyra', ['Delete lyra']],
])('“%s” finds operations with their target', (typed, expected) => {
	expect(labels(typed).slice(0, expected.length)).toEqual(expected);
	expect(first(typed)?.intent).toMatchObject({ type: 'ask', targets: [expect.anything()] });
	expect(first(typed)?.completion).toBe(expected[0]?.replace(/^./, letter => letter.toLowerCase()));
});

test('an operation that the status of its target does not allow is listed after those that it allows', () => {
	const [start, ...others] = itemsFound('stop l', { names: ['lyra:stopped', 'lyra-2'] });
	expect(start).toMatchObject({ label: 'Stop lyra-2', isRefused: false });
	expect(others[0]).toMatchObject({ label: 'Stop lyra', isRefused: true });
});

test('an operation without a typed target names what it would apply to', () => {
	expect(first('stop')?.note).toBe('atlas');
	const marks = new Set(rowsNamed(['vega', 'lyra']).map(({ id }) => id));
	expect(first('stop', { screen: { marks } })?.note).toBe('vega and 1 more');
});

test('named filters are applied, saved and forgotten by their names', () => {
	const screen = {
		savedFilters: { hot: 'cpu:>80' },
		filters: { fleet: 'status:error', models: '', log: '' },
		lineHistories: { 'filter fleet': ['version:1.3'] },
	};
	expect(first('hot', { screen })).toMatchObject({
		note: 'cpu:>80',
		intent: { move: { type: 'setFilter', text: 'cpu:>80' } },
	});
	expect(first('save broken', { screen })).toMatchObject({
		note: 'status:error',
		intent: { type: 'savedFilter', action: 'save', name: 'broken' },
	});
	expect(first('forget hot', { screen })?.intent).toMatchObject({ action: 'forget', name: 'hot' });
	expect(first('version 1.3', { screen })?.label).toBe('Filter version:1.3');
	expect(first('save x')).toMatchObject({ isRefused: true, note: 'the table has no filter' });
});

test('columns can be shown and hidden, and all computers of a status marked', () => {
	expect(first('column id')).toMatchObject({ label: 'Show the column ID' });
	expect(first('mark stopped')).toMatchObject({
		note: '1 computer',
		intent: { move: { type: 'markIds', ids: [expect.anything()] } },
	});
});

test('the letters that match have their places in the label', () => {
	const { label = '', places = [] } = first('stop v2') ?? {};
	expect(label).toBe('Stop vega-2');
	expect(places.map(at => label[at]).join('')).toBe('Stopv2');
});

test('the choice stays on its line when other lines come and go, and is lost with it', () => {
	const find = createPaletteFinder();
	const indexAmong = (names: readonly string[], chosenId: string) => {
		const rows = rowsNamed(names);
		const visibleRows = { allRows: rows, ids: [] };
		const screen = screenWith('vega', { palette: { chosenId } });
		const { items, index } = find({ bindings, accounts: [], screen, visibleRows });
		return items[index]?.label;
	};
	const [, second] = itemsFound('vega');
	const id = second?.id ?? '';
	expect(second?.label).toBe('vega-2');
	expect(indexAmong(['vega', 'vega-1', 'vega-2'], id)).toBe('vega-2');
	expect(indexAmong(['vega', 'vega-1'], id)).toBeUndefined();
});

test('a letter looks at each of ten thousand names once, and nothing is found again while nothing changes', () => {
	let looks = 0;
	const rows = rowsNamed(Array.from({ length: 10_000 }, (_, at) => `star-${at}`)).map(row => {
		const { computer } = row;
		const reading = {
			...computer.reading,
			get name() {
				looks += 1;
				return computer.reading.name ?? '';
			},
		};
		return { ...row, computer: { ...computer, reading } };
	});
	const find = createPaletteFinder();
	const options = { bindings, accounts: [], visibleRows: { allRows: rows, ids: [] } };
	find({ ...options, screen: screenWith('') });
	looks = 0;
	const screen = screenWith('stop star-77');
	const { items } = find({ ...options, screen });
	expect(items[0]?.label).toBe('Stop star-77');
	expect(items.length).toBeLessThan(500);
	expect(looks).toBeLessThanOrEqual(2 * rows.length);
	looks = 0;
	expect(find({ ...options, screen }).items).toBe(items);
	expect(looks).toBe(0);
});
