import { expect, test } from 'vitest';
import { keyLine } from '../../../source/wording/dialogs/key-line.ts';
import { theme } from '../../sample-theme.ts';

const textOf = (hints: readonly string[], width: number) =>
	keyLine(hints, width, theme)
		.map(([text]) => text)
		.join('');

test('the keys of a question lose their effects before the key that refuses is left out', () => {
	const hints = ['Enter stops', 'Esc goes back', 'Ctrl-Y copies the command'];
	expect(textOf(hints, 60)).toBe('Enter stops · Esc goes back · Ctrl-Y copies the command');
	expect(textOf(hints, 40)).toBe('Enter stops · Esc goes back');
	expect(textOf(hints, 26)).toBe('Enter stops · Esc');
	expect(textOf(['Enter opens'], 26)).toBe('Enter opens');
});

test('the time of sending stands at the end of the keys, and stays longer than the key that copies', () => {
	const hints = ['y stops', 'n cancels', 'Esc goes back', 'c copies the command'];
	const textIn = (width: number) =>
		keyLine(hints, width, theme, 'sent after 4 s')
			.map(([text]) => text)
			.join('');
	expect(textIn(76)).toBe(
		'y stops · n cancels · Esc goes back · c copies the command · sent after 4 s',
	);
	expect(textIn(74)).toBe('y stops · n cancels · Esc goes back · sent after 4 s');
	expect(textIn(50)).toBe('y stops · n cancels · sent after 4 s');
	expect(textIn(30)).toBe('y stops · n cancels');
});
