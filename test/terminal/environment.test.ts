import { expect, test } from 'vitest';
import { environmentFrom, reasonForNoScreen } from '../../source/terminal/features/environment.ts';

test.each([
	[{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 24],
	[{ TERM: 'xterm-direct' }, 24],
	[{ TERM: 'tmux-256color' }, 8],
	[{ TERM: 'xterm' }, 4],
	[{ TERM: 'linux' }, 4],
	[{ TERM: 'vt100' }, 0],
	[{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 0],
	[{ TERM: 'xterm-256color', NO_COLOR: '' }, 8],
] as const)('the environment %o promises %i bits of colour', (env, colours) => {
	expect(environmentFrom(env).colourBits).toBe(colours);
});

test.each([
	[{ TERM: 'xterm' }, true],
	[{ TERM: 'xterm', LANG: 'de_DE.UTF-8' }, true],
	[{ TERM: 'xterm', LANG: 'de_DE.utf8', LC_ALL: 'C' }, false],
	[{ TERM: 'xterm', LANG: 'POSIX' }, false],
	[{ TERM: 'linux', LANG: 'en_US.UTF-8' }, false],
	[{ TERM: 'vt220', LANG: 'en_US.UTF-8' }, false],
] as const)('the answer to whether the environment %o allows Unicode is %s', (env, hasUnicode) => {
	expect(environmentFrom(env).hasUnicode).toBe(hasUnicode);
});

test.each([
	['15;0', 'dark'],
	['0;default;15', 'light'],
	['0;7', 'light'],
	['default', undefined],
] as const)('the variable `COLORFGBG=%s` sets the background to “%s”', (COLORFGBG, background) => {
	expect(environmentFrom({ TERM: 'rxvt', COLORFGBG }).background).toBe(background);
});

test('the preferences of the person override the properties that were detected', () => {
	const env = { TERM: 'xterm-256color', COLORFGBG: '15;0', LANG: 'C.UTF-8' };
	const looks = { background: 'light', hasUnicode: false, hasColours: false } as const;
	expect(environmentFrom(env, looks)).toMatchObject({
		background: 'light',
		hasUnicode: false,
		colourBits: 0,
	});
	expect(environmentFrom({ TERM: 'linux' }, { hasUnicode: true }).hasUnicode).toBe(true);
	expect(environmentFrom({ ...env, NO_COLOR: '1' }, { hasColours: true }).colourBits).toBe(0);
});

test('in nested multiplexers the program detects the innermost one', () => {
	expect(environmentFrom({ TERM: 'screen-256color', TMUX: 'x' }).multiplexer).toBe('tmux');
	expect(environmentFrom({ TERM: 'screen-256color', STY: 'x' }).multiplexer).toBe('screen');
	expect(environmentFrom({ TERM: 'screen' }).multiplexer).toBe('screen');
	expect(environmentFrom({ TERM: 'xterm' }).multiplexer).toBeUndefined();
});

test('the screen is refused with a reason where the input or output is no terminal, or where `TERM` is `dumb` or not set', () => {
	const tty = { isTTY: true };
	expect(reasonForNoScreen({ TERM: 'xterm' }, tty, tty)).toBeUndefined();
	expect(reasonForNoScreen({ TERM: 'xterm' }, tty, {})).toContain('output');
	expect(reasonForNoScreen({ TERM: 'xterm' }, {}, tty)).toContain('input');
	expect(reasonForNoScreen({ TERM: 'dumb' }, tty, tty)).toContain('dumb');
	expect(reasonForNoScreen({}, tty, tty)).toContain('dumb');
});
