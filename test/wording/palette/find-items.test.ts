import { expect, test } from 'vitest';
import { bindings } from '../../../source/keys/bindings.ts';
import { createPaletteFinder } from '../../../source/wording/palette/find-items.ts';
import { findItems, rowsFromNames, screenWithPalette } from './palette-fleet.ts';

const labels = (typed: string, options = {}) => findItems(typed, options).map(({ label }) => label);

const first = (typed: string, options = {}) => findItems(typed, options)[0];

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
	['stp veg', ['Stop vega', 'Stop vega-2']],
	['vega stop', ['Stop vega', 'Stop vega-2']],
])('“%s” finds operations with their target', (typed, expected) => {
	expect(labels(typed).slice(0, expected.length)).toEqual(expected);
	expect(first(typed)?.intent).toMatchObject({ type: 'ask', targets: [expect.anything()] });
	expect(first(typed)?.completion).toBe(expected[0]?.replace(/^./, letter => letter.toLowerCase()));
});

test('whole words come before beginnings of words, and letters in order are found only if nothing has the words', () => {
	const names = ['vegetable', 'vega', 'vista-vega-9', 'v-e-g-a'];
	const computers = findItems('vega', { names }).filter(({ id }) => id.startsWith('computer'));
	expect(computers.map(({ label }) => label)).toEqual([...['vega', 'vista-vega-9']]);
	const short = findItems('veg', { names }).filter(({ id }) => id.startsWith('computer'));
	expect(short.map(({ label }) => label).slice(0, 3)).toEqual([
		'vega',
		'vegetable',
		'vista-vega-9',
	]);
	expect(labels('stp').slice(0, 1)).toEqual(['Stop computers; files and processes are kept']);
	expect(
		labels('st')
			.slice(0, 2)
			.every(label => /^St/.test(label)),
	).toBe(true);
});

test('in a text, an operation works on the computer under its cursor, and stays in the text', () => {
	const [vega] = rowsFromNames(['vega']);
	const under = vega && { id: vega.id, name: 'vega' };
	const inLog = { screen: { view: 'log', palette: { chosenId: undefined, under } } } as const;
	const stop = findItems('stop', inLog).find(({ id }) => id === 'key stop');
	expect(stop).toMatchObject({ note: 'vega', view: undefined, isRefused: false });
	expect(stop?.intent).toMatchObject({ type: 'ask', operation: 'stop', targets: [vega?.id] });
	const copy = findItems('copy id', inLog).find(({ id }) => id === 'key copyId');
	expect(copy).toMatchObject({ note: 'vega', intent: { targets: [vega?.id] } });
});

test('without a computer under the cursor of a text, an operation is refused and says so', () => {
	const marks = new Set(rowsFromNames(['vega']).map(({ id }) => id));
	const screen = { view: 'billing', marks, palette: { chosenId: undefined } } as const;
	expect(first('stop', { screen })).toMatchObject({
		note: 'no computer here',
		isRefused: true,
		intent: { targets: [] },
	});
	expect(labels('', { screen }).some(label => label.startsWith('Stop'))).toBe(false);
	expect(first('stop vega', { screen })).toMatchObject({ label: 'Stop vega', isRefused: false });
});

test('the palette names the keys that work from the view in which it was opened', () => {
	const keyOf = (view: 'fleet' | 'billing' | 'log', typed: string) =>
		first(typed, { screen: { view } })?.key;
	expect(keyOf('fleet', 'order by name')).toBe('o n');
	expect(keyOf('billing', 'order by name')).toBe('1 o n');
	expect(keyOf('fleet', 'create')).toBe('n');
	expect(keyOf('log', 'create')).toBe('1 n');
	expect(keyOf('billing', 'open a payment page')).toBe('o');
	expect(keyOf('fleet', 'open a payment page')).toBe('2 o');
	expect(keyOf('fleet', 'show billing')).toBe('2');
	// The key would stop the computer under the cursor.
	expect(keyOf('fleet', 'stop vega')).toBe('');
});

test('an action on a line is offered only in the view of that line', () => {
	const found = (view: 'fleet' | 'models' | 'log', typed: string) =>
		findItems(typed, { screen: { view } }).map(({ id }) => id);
	expect(found('log', 'cancel not sent')).toContain('key cancelUnsent');
	expect(found('fleet', 'cancel not sent')).not.toContain('key cancelUnsent');
	expect(found('models', 'copy model')).toContain('key copyModel');
	expect(found('log', 'copy model')).not.toContain('key copyModel');
	expect(found('log', 'retry failed')).toContain('key retry');
	expect(found('log', 'mark unmark')).not.toContain('key mark');
	expect(found('fleet', 'mark all')).toContain('key markAll');
	expect(found('log', 'mark all')).not.toContain('key markAll');
	expect(found('log', 'invert')).not.toContain('key markOthers');
});

test('an operation that the status of its target does not allow is listed after those that it allows', () => {
	const [start, ...others] = findItems('stop l', { names: ['lyra:stopped', 'lyra-2'] });
	expect(start).toMatchObject({ label: 'Stop lyra-2', isRefused: false });
	expect(others[0]).toMatchObject({ label: 'Stop lyra', isRefused: true });
});

test('an operation without a typed target names the computers that it would apply to', () => {
	expect(first('stop')?.note).toBe('atlas');
	const marks = new Set(rowsFromNames(['vega', 'lyra']).map(({ id }) => id));
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
	expect(first('save', { screen })).toMatchObject({
		label: 'Save the filter as …',
		note: 'type a name',
		completion: 'save ',
	});
	expect(first('forget hot', { screen })?.intent).toMatchObject({ action: 'forget', name: 'hot' });
	expect(first('version 1.3', { screen })?.label).toBe('Filter version:1.3');
	expect(first('save x')).toMatchObject({ isRefused: true, note: 'the table has no filter' });
});

test('before anything is typed, what helps the computer under the cursor comes first', () => {
	const labelsFor = (name: string) => {
		const all = labels('', { names: [name] });
		return { first: all.slice(0, 2).map(verbOf), isStartFirst: verbOf(all[0] ?? '') === 'Start' };
	};
	const verbOf = (label: string) => label.split(' ')[0] ?? '';
	expect(labelsFor('draco:error').first).toEqual(['Restart', 'Unpublish']);
	expect(labelsFor('atlas').first).toEqual(['Stop', 'Restart']);
	expect(labelsFor('lyra:stopped').isStartFirst).toBe(true);
	expect(labels('draco', { names: ['draco:error'] }).slice(0, 2)).toEqual([
		'draco',
		'Restart draco',
	]);
});

test('a status finds its filter, its first computer and its marks, in this order', () => {
	const names = ['atlas', 'draco:error', 'fornax:error'];
	const found = findItems('error', { names });
	expect(found.slice(0, 3)).toMatchObject([
		{
			label: 'Filter status:error',
			note: '2 computers',
			intent: { move: { type: 'setFilter', text: 'status:error' } },
			view: 'fleet',
		},
		{ label: 'First computer with status:error', note: 'draco', intent: { type: 'showComputer' } },
		{ label: 'Mark all with status:error', note: '2 computers' },
	]);
	const withoutMarks = bindings.filter(({ action }) => action !== 'markAll');
	expect(labels('error', { names, bindings: withoutMarks }).join()).not.toContain('Mark all');
});

test('columns can be shown and hidden, and all computers of a status marked', () => {
	expect(first('column id')).toMatchObject({ label: 'Show the column ID' });
	expect(first('mark stopped')).toMatchObject({
		note: '1 computer',
		intent: { move: { type: 'markIds', ids: [expect.anything()] } },
	});
});

test('a named filter is renamed by typing its name and the new one', () => {
	const screen = { savedFilters: { hot: 'cpu:>80', cold: 'cpu:<5' } };
	expect(first('rename hot busy ones', { screen })).toMatchObject({
		label: 'Rename the filter hot to busy ones',
		intent: { type: 'savedFilter', action: 'rename', name: 'hot', newName: 'busy ones' },
		isRefused: false,
	});
	expect(first('rename hot', { screen })).toMatchObject({
		note: 'type the new name',
		completion: 'rename hot ',
		isRefused: true,
	});
	expect(first('rename hot cold', { screen })?.isRefused).toBe(true);
	expect(labels('rename warm busy', { screen }).join()).not.toContain('Rename');
});

const share = {
	...{ name: 'share', label: 'Share', note: 'of the rate limits' },
	...{ present: 'full', words: ['full', 'half', 'quarter'], isRefused: false },
};
const theme = {
	...{ name: 'theme', label: 'Theme', note: 'colours' },
	...{ present: 'dark', words: ['dark', 'light'], isRefused: false },
};
const withSettings = { screen: { settings: [share, theme] } };

test('a setting is found by its name and its new value, and shows the present value', () => {
	expect(labels('share', withSettings)).toEqual([
		...['Share: full → half', 'Share: full → quarter', 'Share: full'],
	]);
	const half = first('share half', withSettings);
	expect(half?.intent).toEqual({ type: 'chooseSetting', name: 'share', word: 'half' });
	const marked = (half?.places ?? []).map(place => half?.label[place]).join('');
	expect(marked).toBe('Sharehalf');
	expect(first('half', withSettings)?.label).toBe('Share: full → half');
	expect(labels('setting', withSettings)).toHaveLength(5);
});

test('the name of a setting does not find a text that only has its letters', () => {
	expect(labels('theme', withSettings)).not.toEqual([]);
	expect(labels('theme', withSettings).every(label => label.startsWith('Theme: '))).toBe(true);
	expect(labels('thcme', withSettings), 'only letters').toContain('Hide the column MEM');
});

test('an operation that the computer under the cursor does not accept says why', () => {
	const unpublish = (ports: readonly { port: number }[] | null) =>
		findItems('unpublish', { names: ['vega'], withReading: { ports } }).find(
			({ id }) => id === 'key unpublish',
		);
	expect(unpublish([])).toMatchObject({ note: 'no port is published', isRefused: true });
	expect(unpublish([{ port: 8080 }])).toMatchObject({ note: 'vega', isRefused: false });
	expect(unpublish(null)).toMatchObject({ note: 'vega', isRefused: false });
});

test('the present value of a setting is never offered as a change to another value', () => {
	expect(first('theme dark', withSettings)).toMatchObject({ label: 'Theme: dark', note: 'now' });
	expect(labels('theme dark', withSettings)).toHaveLength(1);
	expect(labels('share', { screen: { settings: [theme] } })).toEqual([]);
});

test('the letters that match have their places in the label', () => {
	const { label = '', places = [] } = first('stop v2') ?? {};
	expect(label).toBe('Stop vega-2');
	expect(places.map(at => label[at]).join('')).toBe('Stopv2');
});

test('the choice stays on its line when other lines appear or disappear, and is lost when its line disappears', () => {
	const find = createPaletteFinder();
	const indexAmong = (names: readonly string[], chosenId: string) => {
		const rows = rowsFromNames(names);
		const visibleRows = { orderedRows: rows, rows: [], ids: [] };
		const screen = screenWithPalette('vega', { palette: { chosenId } });
		const { items, index } = find({ bindings, accounts: [], screen, visibleRows });
		return items[index]?.label;
	};
	const [, second] = findItems('vega');
	const id = second?.id ?? '';
	expect(second?.label).toBe('vega-2');
	expect(indexAmong(['vega', 'vega-1', 'vega-2'], id)).toBe('vega-2');
	expect(indexAmong(['vega', 'vega-1'], id)).toBeUndefined();
});

test('each typed letter looks once at each of ten thousand names, and nothing is searched again while nothing changes', () => {
	let looks = 0;
	const rows = rowsFromNames(Array.from({ length: 10_000 }, (_, at) => `star-${at}`)).map(row => {
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
	const options = { bindings, accounts: [], visibleRows: { orderedRows: rows, rows: [], ids: [] } };
	find({ ...options, screen: screenWithPalette('') });
	looks = 0;
	const screen = screenWithPalette('stop star-77');
	const { items } = find({ ...options, screen });
	expect(items[0]?.label).toBe('Stop star-77');
	expect(items.length).toBeLessThan(500);
	// The computer under the cursor is read two more times.
	expect(looks).toBeLessThanOrEqual(2 * rows.length + 2);
	looks = 0;
	expect(find({ ...options, screen }).items).toBe(items);
	expect(looks).toBe(0);
});

test('the first computer with a status is the first that the table shows', () => {
	const note = (options: Parameters<typeof findItems>[1]) =>
		findItems('first active', options).find(({ id }) => id === 'first active')?.note;
	expect(note({ names: ['vega', 'atlas'] })).toBe('vega');
	expect(note({ names: ['vega', 'atlas'], shownNames: ['atlas'] })).toBe('atlas');
	expect(note({ names: ['vega', 'atlas'], shownNames: [] })).toBe('vega');
});

test('a name suggests only what its computer accepts, and what helps it before what erases it', () => {
	const suggested = labels('draco', { names: ['draco:error'] });
	expect(suggested.filter(label => label.endsWith(' draco'))).toEqual([
		...['Restart draco', 'Unpublish draco', 'Start draco', 'Delete draco'],
	]);
	expect(first('stop draco', { names: ['draco:error'] })).toMatchObject({
		note: 'in error, only a restart may help',
		isRefused: true,
	});
});

test.each([
	['cost', 'key billing'],
	['why', 'key open'],
	['history', 'key log'],
	['upgrade', 'key versions'],
])('“%s” finds what a person means by it, though the label does not say it', (typed, id) => {
	expect(findItems(typed).map(item => item.id)).toContain(id);
});
