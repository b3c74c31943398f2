import { expect, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { actions } from '../../source/monitor/actions/table.ts';
import { findPaletteItems, matchText, wordsIn } from '../../source/monitor/palette.ts';
import { initialScreen } from '../../source/views/look/screen.ts';
import { dialogEntryFor, typedLineFrom } from '../../source/views/look/typed-line.ts';
import type { ActionContext } from '../../source/views/scene.ts';
import { testAccount } from '../opened-account.ts';
import { fleet } from '../operations/ask-question.ts';
import { sampleScene } from './sample-scene.ts';

test.each([
	['sto', 'Stop computers', [0, 1, 2]],
	['computers', 'Stop computers', [5, 6, 7, 8, 9, 10, 11, 12, 13]],
	['port pub', 'Publish a port', [10, 11, 12, 13, 0, 1, 2]],
	['ltair', 'altair-2', [1, 2, 3, 4, 5]],
	['shbil', 'Show billing', [0, 1, 5, 6, 7]],
	['rstrt cmp', 'Restart computers', [0, 2, 3, 5, 6, 8, 10, 11]],
	['xyzzy', 'Stop computers', undefined],
	['top', 'Stop computers', [1, 2, 3]],
	['tpo', 'Stop computers', undefined],
])('“%s” finds “%s” by its letters %j', (typed, text, places) => {
	expect(matchText(text, wordsIn(typed))?.places).toEqual(places);
});

test('better matches come first: the beginning, a word, the beginning of a word, a part, the letters', () => {
	const texts = ['Stop', 'Never stop', 'Never stopped', 'Nonstop', 'Start on top'];
	const scores = texts.map(text => matchText(text, wordsIn('stop'))?.score ?? 0);
	expect(scores).toEqual(scores.toSorted((a, b) => b - a));
	expect(new Set(scores.map(Math.floor)).size).toBe(texts.length);
});

const theme = { name: 'theme', label: 'Theme', note: '', present: 'dark', isRefused: false };

function found(text: string, canChange = true, savedFilters = {}) {
	const entry = { ...dialogEntryFor(undefined, 'palette'), line: typedLineFrom(text) };
	const settings = [{ ...theme, words: ['dark', 'light'] }];
	const screen = {
		...initialScreen(),
		savedFilters,
		entry,
		settings,
		palette: { chosenId: undefined },
	};
	return findPaletteItems(sampleScene(fleet, [120, 36], { screen, canChange })).items;
}

const labelsFor = (...asked: Parameters<typeof found>) => found(...asked).map(({ label }) => label);

test.each([
	['stop atlas', 'Stop atlas', 'active'],
	['atlas stop', 'Stop atlas', 'active'],
	['box 1', 'box 1', 'sb_1 · active'],
	['save hot', 'Save the filter as hot', 'the table has no filter'],
	['status:stopped', 'Filter status:stopped', '1 computer'],
	['bill', 'Show billing: credits, plans, payment page', undefined],
	['quit', 'Quit', undefined],
	['publish atlas', 'Publish atlas', 'active'],
	['first stopped', 'First computer with status:stopped', 'box 3'],
	['pin atlas', 'Pin atlas', 'active'],
	['copyId atlas', 'Copy id atlas', 'active'],
	['copy address atlas', 'Copy address atlas', 'active'],
	['check atlas', 'Check ports atlas', 'active'],
	['hide cpu', 'Hide the column CPU', 'CPU use in percent'],
])('“%s” finds “%s” first', (text, label, note) => {
	const [first] = found(text);
	expect(first?.label).toBe(label);
	if (note !== undefined) expect(first?.note).toBe(note);
});

test('a saved filter comes before anything else with its name', () => {
	expect(found('stop', true, { stop: 'status:active' })[0]?.label).toBe('stop (filter)');
});

test('signs alone find nothing, and no letter suggests no computer', () => {
	expect(found('…')).toEqual([]);
	expect(found('').some(({ id }) => id.startsWith('computer'))).toBe(false);
});

test('one letter finds only the computers whose names begin with it', () => {
	expect(labelsFor('a')).toContain('atlas');
	expect(labelsFor('t')).not.toContain('atlas');
});

test('a value finds the change to it, and not the change from it', () => {
	expect(labelsFor('theme light')).toContain('Theme: dark → light');
	expect(labelsFor('theme dark')).toContain('Theme: dark');
	expect(labelsFor('theme dark')).not.toContain('Theme: dark → light');
	expect(labelsFor('setting')).toEqual(expect.arrayContaining(['Theme: dark → light']));
});

test('what is refused is found, but not offered before anything is typed', () => {
	const isStop = (label: string) => label.startsWith('Stop');
	expect(labelsFor('', true).some(isStop)).toBe(true);
	expect(labelsFor('', false).some(isStop)).toBe(false);
	expect(found('stop', false)[0]).toMatchObject({ id: 'key stop', isUnlikely: true });
});

test('guesses are left out where anything has the typed words', () => {
	expect(labelsFor('showthe').some(label => label.startsWith('Show the column'))).toBe(true);
	expect(labelsFor('sto').some(label => label.startsWith('Stop computers'))).toBe(true);
	expect(labelsFor('sto').filter(label => !/sto/i.test(label))).toEqual([]);
});

test('in a text view, an operation works on the computer of the line under the cursor, and on no other', () => {
	const targets: unknown[] = [];
	const stops = actions.filter(({ id }) => id === 'stop');
	const spied = stops.map(action => ({
		...action,
		refusal: undefined,
		run: (context: ActionContext) => targets.push(context.targets),
	}));
	const entry = { ...dialogEntryFor(undefined, 'palette'), line: typedLineFrom('stop comp') };
	const id = globalIdOf(testAccount, 'sb_2');
	// Marks in the table do not matter here, although box 3 is stopped already.
	const marks = new Set([globalIdOf(testAccount, 'sb_3')]);
	for (const under of [{ id, name: 'box 2' }, undefined]) {
		const open = { kind: 'palette', under } as const;
		const screen = { ...initialScreen(), view: 'log', marks, entry, open } as const;
		const scene = sampleScene(fleet, [120, 36], { screen, actions: spied });
		const [item] = findPaletteItems(scene).items;
		expect(item?.note).toBe(under?.name ?? 'no computer here');
		expect(item?.isUnlikely).toBe(under === undefined);
		item?.run({} as ActionContext);
	}
	expect(targets).toEqual([[id], []]);
});
