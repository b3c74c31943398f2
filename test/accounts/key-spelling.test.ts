import { expect, test } from 'vitest';
import { configFrom } from '../../source/accounts/config-text.ts';
import { keyNameFrom } from '../../source/accounts/key-spelling.ts';

test.each([
	['x', 'x'],
	['G', 'G'],
	['?', '?'],
	['-', '-'],
	['ä', 'ä'],
	[' ', 'space'],
	['Space', 'space'],
	['Esc', 'escape'],
	['Escape', 'escape'],
	['Return', 'enter'],
	['PgDn', 'pagedown'],
	['page up', 'pageup'],
	['Page-Down', 'pagedown'],
	['Del', 'delete'],
	['Ins', 'insert'],
	['F5', 'f5'],
	['Ctrl-L', 'ctrl-l'],
	['ctrl+x', 'ctrl-x'],
	['C-c', 'ctrl-c'],
	['M-m', 'alt-m'],
	['^X', 'ctrl-x'],
	['^', '^'],
	['Ctrl-Space', 'ctrl-space'],
	['shift-g', 'G'],
	['S-Tab', 'shift-tab'],
	['Alt-Ctrl-X', 'ctrl-alt-x'],
	['Control-Alt-Delete', 'ctrl-alt-delete'],
	['shift-alt-up', 'alt-shift-up'],
	['alt--', 'alt--'],
])('a binding in the configuration to “%s” means the key “%s” of the keyboard', (text, name) => {
	expect(keyNameFrom(text)).toBe(name);
});

test.each([
	'',
	'xx',
	'f13',
	'f0',
	'ctrl',
	'ctrl-',
	'ctrl-ctrl-x',
	'hyper-x',
	'\u001b',
	'\u200b',
	'constructor',
	'ctrl-constructor',
])('the configuration reader refuses the text %j, which is not a key', text => {
	expect(keyNameFrom(text)).toBeUndefined();
});

const refusalOf = (keys: unknown) =>
	configFrom(`keys.stop = ${JSON.stringify(keys)}`).problems.map(({ message }) => message);

test.each([
	...['ctrl-i', 'ctrl-m', 'ctrl-h', 'ctrl-j', 'ctrl-[', 'ctrl-1', 'ctrl-shift-l', 'alt-shift-x'],
	...['shift-enter', 'shift-space', 'ctrl-enter', 'ctrl-backspace', 'alt-esc', 'shift-1'],
])(
	'the configuration reader refuses the key “%s”, because a terminal sends it as another key',
	key => {
		expect(refusalOf(key)).toEqual([
			expect.stringMatching(
				/^keys\.stop must be a key .*; terminals do not distinguish ".*" from other keys$/,
			),
		]);
	},
);

test('the message about a wrong key names the key, and never suggests a key that would be refused', () => {
	const [message = ''] = refusalOf(['x', 'hyper-x']);
	expect(message).toMatch(/; "hyper-x" is not a key$/);
	const offered = [...message.matchAll(/"([^"]+)"/g)].map(([, key = '']) => key).slice(0, -1);
	expect(offered.length).toBeGreaterThan(3);
	expect(offered.map(keyNameFrom)).toEqual(offered);
	expect(refusalOf(7)).toEqual([expect.stringMatching(/or a list of them$/)]);
});

test('the configuration reader ignores a second spelling of a key that is configured twice', () => {
	const { config } = configFrom('keys.stop = ["Esc", "escape", "PgUp", "pageup"]');
	expect(config.keys).toMatchObject([{ action: 'stop', keys: ['escape', 'pageup'] }]);
});
