import { expect, test } from 'vitest';
import { environmentFrom } from '../../source/terminal/features/environment.ts';
import {
	canRestoreTitle,
	cleanForTerminal,
	clipboardSequence,
	notificationSequence,
	titleSequence,
} from '../../source/terminal/features/escape-sequences.ts';

const xterm = environmentFrom({ TERM: 'xterm-256color' });
const tmux = environmentFrom({ TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0' });
const screen = environmentFrom({ TERM: 'screen.xterm-256color', STY: '1.pts' });
const linux = environmentFrom({ TERM: 'linux' });

test('a text from outside cannot end its escape sequence and begin another one', () => {
	const evil = 'a\u0007\u001B]52;c;ZXZpbA==\u0007\u009Bb\n\u001B\\c';
	expect(cleanForTerminal(evil)).toBe('a ]52;c;ZXZpbA== b \\c');
	expect(titleSequence(evil)).toBe('\u001B]2;a ]52;c;ZXZpbA== b \\c\u0007');
});

test.each([
	['kitty(0.39.1)', '\u001B]99;;draco failed\u0007\u0007'],
	['foot(1.16)', '\u001B]777;notify;crowsnest;draco failed\u0007\u0007'],
	['VTE(7600)', '\u001B]777;notify;crowsnest;draco failed\u0007\u0007'],
	['WezTerm 2024', '\u001B]9;draco failed\u0007\u0007'],
	['xterm-256color', '\u001B]9;draco failed\u0007\u0007'],
])(
	'a notification on the terminal “%s” uses the sequence of that terminal and the bell',
	(name, sequence) => {
		expect(notificationSequence('draco failed', name, xterm)).toBe(sequence);
	},
);

test('a notification text that begins with a number is not read as another terminal command', () => {
	expect(notificationSequence('4;1;50', 'iTerm2 3.5', xterm)).toBe(
		'\u001B]9;crowsnest: 4;1;50\u0007\u0007',
	);
});

test('a notification inside tmux is wrapped with doubled escapes', () => {
	expect(notificationSequence('failed', 'iTerm2', tmux)).toBe(
		'\u001BPtmux;\u001B\u001B]9;failed\u0007\u001B\\\u0007',
	);
});

test('a notification only rings the bell on a terminal without notifications', () => {
	expect(notificationSequence('failed', 'linux', linux)).toBe('\u0007');
});

test('copied text is sent twice inside tmux, in short pieces inside GNU screen, and never on the Linux console', () => {
	const content = Buffer.from('sb_atlas01').toString('base64');
	const plain = `\u001B]52;c;${content}\u0007`;
	expect(clipboardSequence('sb_atlas01', xterm)).toBe(plain);
	expect(clipboardSequence('sb_atlas01', tmux)).toBe(`${plain}\u001BPtmux;\u001B${plain}\u001B\\`);
	expect(clipboardSequence('sb_atlas01', linux)).toBe('');

	const long = clipboardSequence('x'.repeat(1000), screen);
	const pieces = [...long.matchAll(/\u001BP([^\u001B]*(?:\u001B\][^\u001B]*)?)\u001B\\/g)];
	expect(pieces.map(([, piece]) => piece).join('')).toBe(
		clipboardSequence('x'.repeat(1000), xterm),
	);
	expect(Math.max(...pieces.map(([piece]) => piece.length))).toBeLessThan(256);
});

test('text longer than a terminal accepts is not copied', () => {
	expect(clipboardSequence('x'.repeat(100_000), xterm)).toBe('');
});

test('the title is set only on terminals that can restore the previous title', () => {
	expect([xterm, tmux, screen, linux].map(canRestoreTitle)).toEqual([true, true, false, false]);
});
