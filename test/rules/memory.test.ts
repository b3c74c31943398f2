import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GlobalId, globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { createMemory, restoredFilter, withLines, withPins } from '../../source/monitor/memory.ts';
import { temporaryFolder } from '../journal/state-directory.ts';

function memoryIn(folder = temporaryFolder()) {
	const path = join(folder, 'mine.json');
	return { ...createMemory(path), folder, path };
}

const saved = {
	filter: 'status:active',
	ordering: { by: 'cpu', isReversed: true } as const,
	columns: ['name', 'cpu', 'of a newer version'],
	pins: [globalIdOf('work', 'sb_1')],
	map: { isOpen: true, grouping: 'version', colouring: 'location' } as const,
	lines: { 'filter fleet': ['atlas', 'status:error'], port: ['8080'] },
	filters: { hot: 'cpu:>80' },
	settings: { share: { word: 'half', over: 'full', chosenAt: 5 } },
	profiles: ['work'],
	addedProfiles: ['lab'],
	isWelcomed: true,
};

test('the next start has what was saved, in a file that nobody else can read', () => {
	const memory = memoryIn();
	expect(memory.read()).toEqual({});
	memory.update(() => saved);
	expect(createMemory(memory.path).read()).toEqual(saved);
	expect(statSync(memory.path).mode & 0o777).toBe(0o600);
});

test('each pane changes only what was changed in it', () => {
	const memory = memoryIn();
	const other = createMemory(memory.path);
	memory.update(before => ({ ...before, filter: 'atlas' }));
	other.update(before => ({ ...before, isWelcomed: true }));
	expect(memory.read()).toEqual({ filter: 'atlas', isWelcomed: true });
});

test.each(['', 'null', '[]', '{', '{"version":2,"filter":"atlas"}', '{"filter":"atlas"}'])(
	'nothing is remembered from a file that contains %j',
	text => {
		const memory = memoryIn();
		writeFileSync(memory.path, text, { mode: 0o600 });
		expect(memory.read()).toEqual({});
	},
);

test.each([
	['a filter', { filter: 7 }],
	['an order', { ordering: { by: 'colour', isReversed: true } }],
	['pins', { pins: [7] }],
	['columns', { columns: ['name', 7] }],
	['lines', { lines: { port: [null] } }],
	['named filters', { filters: { hot: 7 } }],
	['settings', { settings: { share: { word: 7 } } }],
	['profiles', { profiles: 'work' }],
])('%s that cannot be read leave the rest alone', (_, damaged) => {
	const memory = memoryIn();
	writeFileSync(memory.path, JSON.stringify({ version: 1, ...saved, ...damaged }), { mode: 0o600 });
	expect(memory.read()).toEqual({ ...saved, [Object.keys(damaged)[0] ?? '']: undefined });
});

test('what is restored is plain text in one line', () => {
	const memory = memoryIn();
	const hostile = '\u001b[31mstatus:active\u001b[0m\nname:atlas';
	memory.update(() => ({ filter: hostile, columns: [hostile], lines: { port: [hostile] } }));
	expect(JSON.stringify(memory.read())).not.toMatch(/\\u00|\\n/);
});

test('nothing is saved in a folder that others can use, and nothing fails', () => {
	const memory = memoryIn();
	chmodSync(memory.folder, 0o755);
	memory.update(() => saved);
	expect(readdirSync(memory.folder)).toEqual([]);
	const inFile = createMemory(join(memory.path, 'below', 'a file'));
	writeFileSync(memory.path, '');
	expect(() => inFile.update(() => saved)).not.toThrow();
});

test('a saved filter that is not valid any more is dropped as a whole', () => {
	expect(restoredFilter('status:active')).toEqual({ filter: 'status:active' });
	const { filter, notice } = restoredFilter('statu:active atlas');
	expect(filter).toBe('');
	expect(notice).toMatch(/^Dropped the saved filter “statu:active atlas”: ./);
});

test('the lines of two panes are kept, those of the pane that saves last', () => {
	const before = { lineHistories: { port: ['1', '2'] }, savedFilters: { hot: 'cpu:>80' } };
	const one = { lineHistories: { port: ['1', '2', '3'] }, savedFilters: { hot: 'x', cold: 'y' } };
	const other = { lineHistories: { port: ['2', '1'] }, savedFilters: {} };
	const start = { lines: before.lineHistories, filters: before.savedFilters };
	const afterOne = withLines(start, before, one);
	expect(afterOne).toEqual({ lines: { port: ['1', '2', '3'] }, filters: { hot: 'x', cold: 'y' } });
	const afterBoth = withLines(afterOne, before, other);
	expect(afterBoth).toEqual({ lines: { port: ['3', '2', '1'] }, filters: { cold: 'y' } });
});

test('a pane adds and removes its own pins, and leaves those of other panes', () => {
	const [a, b, c] = ['a', 'b', 'c'].map(id => globalIdOf('work', id)) as [
		GlobalId,
		GlobalId,
		GlobalId,
	];
	expect(withPins({ pins: [a, c] }, new Set([a]), new Set([b])).pins).toEqual([c, b]);
});
