import { expect, test } from 'vitest';
import { bindings } from '../../../source/keys/bindings.ts';
import { helpGroups } from '../../../source/keys/help-groups.ts';
import { initialHelpLook } from '../../../source/screen/help-moves.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import type { View } from '../../../source/screen/view-table.ts';
import { helpText } from '../../../source/wording/views/help-text.ts';
import { theme } from '../../sample-theme.ts';

function linesOf(width: number, view: View = 'fleet', look: Partial<typeof initialHelpLook> = {}) {
	const screen = { ...initialScreen(), view, help: { ...initialHelpLook, ...look } };
	const { sections, title, choices } = helpText({ bindings, screen, width, theme });
	const [block] = sections[0] ?? [];
	const lines = block?.type === 'lines' ? block.lines : [];
	const texts = lines.map(spans => spans.map(([text]) => text).join(''));
	return {
		texts,
		title: title
			.flat()
			.map(([text]) => text)
			.join(''),
		choices,
	};
}

test('the help begins with the signs, and then the keys of the current view in groups side by side', () => {
	const { texts, title } = linesOf(120);
	expect(title).toContain('Keys in the table');
	expect(texts[0]).toMatch(/^ {2}✖ error {2}◐ changing/);
	const go = texts.findIndex(text => /^ Go +Look/.test(text));
	expect(go).toBe(3);
	expect(texts[go + 1]).toMatch(/^ ❯ Enter +open the computer +\/ +filter by words/);
	expect(title).toContain('Ctrl-D scrolls');
	expect(linesOf(120, 'billing').title).toContain('Keys in the billing view');
	expect(linesOf(120, 'billing').texts.slice(0, 14).join()).toContain('open a payment page');
});

test.each([200, 120, 80, 60, 30])(
	'the help of %i columns lists each key of the table once',
	width => {
		const { texts, choices } = linesOf(width);
		for (const text of texts) expect(text.length).toBeLessThanOrEqual(width);
		const listed = choices.map(({ id }) => id.replace('fleet ', ''));
		expect(new Set(listed).size).toBe(listed.length);
		const here = bindings.filter(({ contexts }) =>
			contexts.some(each => each === 'fleet' || each === 'everywhere'),
		);
		const actions = here.filter(({ keys }) => keys.length > 0).map(({ action }) => action);
		expect(listed.toSorted()).toEqual([...new Set(actions)].toSorted());
		// Each width lays out the whole help, which takes time, so only some lines are tested.
		for (const { id, line } of choices.filter((_, at) => at % 9 === 0))
			expect(linesOf(width, 'fleet', { chosenId: id }).texts[line], id).toContain('❯');
	},
);

test('a search finds the keys of every place, but neither the line editor nor each order', () => {
	const found = (filter: string) =>
		linesOf(120, 'fleet', { filter }).choices.map(({ id }) => id.split(' ')[1]);
	expect(found('password command')).toEqual(['passwordCommand']);
	expect(found('erase a letter')).toEqual([]);
	expect(found('order cpu')).toEqual(['order']);
	expect(linesOf(120).texts.join('\n')).not.toContain('password');
});

test.each([200, 120, 80, 60])('the help of %i columns cuts no explanation off', width => {
	const { texts } = linesOf(width);
	expect(texts.filter(text => text.includes('…') && !text.includes('OR …'))).toEqual([]);
	const words = (text: string) => text.split(/\s+/).toSorted().join(' ');
	const shown = words(texts.join(' '));
	const longest = bindings
		.filter(({ contexts, keys }) => contexts.includes('fleet') && keys.length > 0)
		.toSorted((a, b) => b.help.length - a.help.length)
		.slice(0, 5);
	for (const word of longest.flatMap(({ help }) => help.split(' '))) expect(shown).toContain(word);
});

test('a filter finds keys by their effect, their names and their action', () => {
	expect(linesOf(120, 'fleet', { filter: 'invert' }).choices.map(({ id }) => id)).toEqual([
		'fleet markOthers',
	]);
	expect(linesOf(120, 'fleet', { filter: 'shift-down' }).choices).toHaveLength(1);
	expect(linesOf(120, 'fleet', { filter: 'markOthers' }).choices).toHaveLength(1);
	expect(linesOf(120, 'fleet', { filter: 'zzz' }).texts.join()).toContain('No key matches zzz.');
});

test('the names for the configuration take the place of the explanations', () => {
	const { texts } = linesOf(120, 'fleet', { showsNames: true });
	expect(texts.join('\n')).toContain('markOthers');
	expect(texts.join('\n')).not.toContain('half a page down');
});

test('the groups of the help are those that a person sees', () => {
	const { texts } = linesOf(38);
	const titles = texts
		.map(text => text.trim())
		.filter(text => helpGroups.some(each => each === text));
	expect(titles).toEqual([...helpGroups]);
});

test('the first lines of the help name the keys that a narrow footer leaves out', () => {
	const { texts } = linesOf(60);
	expect(texts.slice(0, 12).join('\n')).toMatch(/^ +e +next computer in trouble/m);
});

test.each(['behind', 'estimate'])('a search for “%s” finds the sign', filter => {
	expect(linesOf(120, 'fleet', { filter }).texts[0]).toContain(filter);
});

test('the help names the limits of requests, which the screen does not', () => {
	const usage = { limit: 30, spent: 15 };
	const account = { standings: { create: usage, status: { limit: 60, spent: 4 }, other: usage } };
	const { sections } = helpText({ bindings, screen: initialScreen(), account, width: 120, theme });
	expect(JSON.stringify(sections)).toContain('this minute: reads 15 of 30, statuses 4 of 60');
});

test.each<View>(['fleet', 'log'])('the help in %s lists no action twice', view => {
	const actions = linesOf(120, view).choices.map(({ id }) => id.split(' ')[1]);
	expect(actions.filter((action, at) => actions.indexOf(action) !== at)).toEqual([]);
});

test('a few keys that a filter has found stand in one column, without wrapped explanations', () => {
	const { texts, choices } = linesOf(120, 'fleet', { filter: 'stop' });
	expect(choices.length).toBeGreaterThan(1);
	expect(choices.length).toBeLessThan(9);
	expect(texts.find(text => text.includes('stop computers'))).toMatch(
		/ x +stop computers; files and processes are kept *$/,
	);
	for (const { line } of choices.slice(1)) expect(texts[line]).toMatch(/^ {3}\S/);
});
