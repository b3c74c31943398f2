import { describe, expect, test } from 'vitest';
import { effectAt, withKeyOverrides } from '../../source/monitor/actions/dispatcher.ts';
import { actions } from '../../source/monitor/actions/table.ts';
import { fieldPlaces, helpHeadings, type Place, places } from '../../source/views/keys.ts';
import type { Action } from '../../source/views/scene.ts';
import { openMonitor } from '../driver/monitor.ts';

const own = (action: string, ...keys: readonly string[]) => ({ action, keys });
const rebound = (...overrides: readonly ReturnType<typeof own>[]) =>
	withKeyOverrides(actions, overrides);

const greeting: Action = {
	id: 'greet',
	keys: ['Z'],
	where: ['fleet'],
	group: 'Look',
	help: 'say hello',
	hint: { group: 'look', rank: 0, drop: 0, text: () => 'hello' },
	run: ({ key, say }) => say(`Hello from ${key}`),
};

test('a key is one row: its key works, and footer, help, palette and configuration know it', async () => {
	const monitor = await openMonitor({ actions: withKeyOverrides([...actions, greeting], []) });
	await monitor.see('Z hello');
	await monitor.press('Z').see('Hello from Z');
	await monitor.press('?', '/', 'hello').see(/Z +say hello/);
	await monitor.press('escape', 'escape', ':', 'hello').see(/Say hello +Z/);
	await monitor.press('enter').see('Hello from enter');
	const [last] = withKeyOverrides([...actions, greeting], [own('greet', 'f8')]).slice(-1);
	expect(last?.keys).toEqual(['f8']);
});

test('no two actions have the same name, and each has a heading in the help', () => {
	const ids = actions.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const headings = helpHeadings.map(([place]) => place);
	for (const { id, where } of actions)
		expect(
			where.some(place => headings.includes(place)),
			id,
		).toBe(true);
});

test.each([
	['fleet', 'q', 'quit'],
	['log', 'q', 'close'],
	['map', 'x', 'stop'],
	['map', 'l', 'cellRightOrSignIn'],
	['log', '2', 'billing'],
	['filter', 'q', 'edit'],
	['filter', 'space', 'edit'],
	['filter', '東', 'edit'],
	['filter', 'ctrl-c', 'quitAnywhere'],
	['output', 'ctrl-c', 'endCommands'],
	['filter', 'pagedown', undefined],
	['fleet', 'Z', undefined],
] as const)('in the place “%s” the key “%s” is the action “%s”', (place, key, id) => {
	expect(effectAt(actions, place, key)?.id).toBe(id);
});

test.each([
	['in one place', greeting],
	['everywhere', { ...greeting, where: ['everywhere'] as const }],
])('a table that binds a key twice %s is refused', (_, second) => {
	expect(() => withKeyOverrides([greeting, second], [])).toThrow(
		'the key Z is bound twice in fleet',
	);
});

describe('the configuration', () => {
	test('gives an action other keys, or none', () => {
		const table = rebound(own('stop', 'ctrl-x'), own('quit'));
		const dispatch = (key: string, place: Place) => effectAt(table, place, key);
		const ids = ['ctrl-x', 'x', 'q', 'ctrl-c'].map(key => dispatch(key, 'fleet')?.id);
		expect(ids).toEqual(['stop', undefined, undefined, 'quitAnywhere']);
	});

	test('is followed by the sentences that name a key, and an action without one is not named', async () => {
		const keys = [own('lock', 'H'), own('palette', 'd'), own('filter'), own('readNow', 'ctrl-t')];
		const monitor = await openMonitor({ actions: rebound(...keys, own('delete')) });
		await monitor.paste('x').see(/a paste needs a text field$/m);
		await monitor.press('e', 'F').see(/draco is in error: r restarts it$/m);
		await monitor.press('d', 'status error', 'enter', 'd', 'save hot', 'enter');
		await monitor.see('Saved the filter status:error as hot. d and hot apply it');
		await monitor.press('H').see('Locked. Still watching; H unlocks');
		monitor.simulator.setFaults([{ target: '*', kind: 'reset' }]);
		await monitor.pass(60_000, 5_000).see('(Ctrl-T tries now)');
	});

	const inDialogs = actions.filter(({ edit, where }) => edit || where.includes('question'));

	test.each(inDialogs)('can set another key for “$id”, but keeps fixed keys', action => {
		const table = rebound(own(action.id, 'f9'));
		const dispatch = (key: string, place: Place) => effectAt(table, place, key);
		for (const place of places.filter(each => action.where.includes(each))) {
			expect(dispatch('f9', place)?.id).toBe(action.id);
			for (const key of action.keys) {
				const isFixed = action.fixedKeys?.includes(key) ?? false;
				expect(dispatch(key, place) !== undefined, `${key} in ${place}`).toBe(isFixed);
			}
		}
	});

	test('never takes a letter from a text field, nor Esc from going back', () => {
		const table = rebound(own('redraw', 'U'), own('back', 'h'));
		const dispatch = (key: string, place: Place) => effectAt(table, place, key);
		for (const place of fieldPlaces) {
			for (const text of ['U', 'h'])
				expect(dispatch(text, place)?.edit).toEqual({ type: 'insert', text });
		}
		expect(dispatch('U', 'fleet')?.id).toBe('redraw');
		for (const key of ['h', 'escape']) expect(dispatch(key, 'fleet')?.id).toBe('back');
	});

	test.each([
		[own('halt', 'x'), 'there is no action halt; use one of'],
		[own('stop', 's'), 'the key s is bound twice in fleet: to start and stop'],
		[own('stop', 'escape'), 'the key escape is bound twice in fleet: to stop and back'],
		[own('eraseWord', 'w'), 'the key w of eraseWord types a letter in text fields'],
		[own('yes', 'enter'), 'Enter alone never says yes to a question'],
		[own('no', 'y'), 'the key y is bound twice in question'],
		[own('eraseToEnd', 'ctrl-u'), 'the key ctrl-u is bound twice in filter'],
	])('is refused with %j', (override, message) => {
		expect(() => rebound(override)).toThrow(message);
	});
});
