import { expect, test } from 'vitest';
import { keyNameFrom } from '../../source/accounts/key-name.ts';

test.each([
	['x', 'x'],
	['G', 'G'],
	['?', '?'],
	['-', '-'],
	['ä', 'ä'],
	[' ', 'space'],
	['Space', 'space'],
	['Esc', 'esc'],
	['Escape', 'esc'],
	['Return', 'enter'],
	['PgDn', 'pagedown'],
	['F5', 'f5'],
	['Ctrl-L', 'ctrl-l'],
	['ctrl+x', 'ctrl-x'],
	['Control-Alt-Delete', 'ctrl-alt-delete'],
	['shift-alt-up', 'alt-shift-up'],
	['alt--', 'alt--'],
])('%s is %s', (text, name) => {
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
])('%j is no key', text => {
	expect(keyNameFrom(text)).toBeUndefined();
});
