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
