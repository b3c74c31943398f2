import { expect, test } from 'vitest';
import { environmentFrom } from '../../source/terminal/features/environment.ts';
import {
	disableModesSequence,
	enableModesSequence,
	modesFor,
} from '../../source/terminal/features/modes.ts';

test.each([9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016])(
	'the screen switches off mouse mode %i, which another program may have left on',
	mode => {
		const set = enableModesSequence(modesFor(environmentFrom({ TERM: 'xterm' }), false));
		expect(set).toMatch(new RegExp(`\\x1b\\[\\?([\\d;]*;)?${mode}(;[\\d;]*)?l`));
	},
);

test('the screen switches off the modes of other programs before it enables its own', () => {
	const set = enableModesSequence(modesFor(environmentFrom({ TERM: 'xterm' }), true));
	expect(set.lastIndexOf('1000;1001')).toBeLessThan(set.indexOf('\x1b[?1049h'));
	expect(set.indexOf('\x1b[>4m')).toBeLessThan(set.indexOf('\x1b[m'));
	expect(set.indexOf('\x1b[>0u')).toBeGreaterThan(set.indexOf('\x1b[?1049h'));
	expect(set).toMatch(/\x1b\[\?1000h\x1b\[\?1006h$/);
});

test('the screen does not switch the modes of other programs on again at exit', () => {
	const reset = disableModesSequence(modesFor(environmentFrom({ TERM: 'xterm' }), false));
	expect(reset).not.toMatch(/1;9;|\?1000|\?1h|>4/);
});
