import { expect, test } from 'vitest';
import { withChoiceMoved } from '../../../source/views/look/choice.ts';
import { initialScreen } from '../../../source/views/look/screen.ts';

const choices = Array.from({ length: 30 }, (_, at) => ({ id: `key ${at}`, line: 1 + at }));
const list = { choices, windowLines: 9 };
const start = { ...initialScreen(), isHelpOpen: true };
const maxScroll = 22;

function after(...steps: readonly number[]) {
	const { scroll, listCursors } = steps.reduce(
		(screen, count) => withChoiceMoved(screen, count, list, maxScroll),
		start,
	);
	return { scroll, chosen: listCursors.help?.id };
}

test('a page moves the text of the help as far as its cursor', () => {
	expect(after(8)).toEqual({ scroll: 8, chosen: 'key 8' });
	expect(after(8, 8)).toEqual({ scroll: 16, chosen: 'key 16' });
	expect(after(8, 8, 8)).toEqual({ scroll: 22, chosen: 'key 24' });
	expect(after(8, 8, -8)).toEqual({ scroll: 8, chosen: 'key 8' });
});

test('a single step scrolls the help only to keep its cursor in sight', () => {
	expect(after(1, 1)).toEqual({ scroll: 0, chosen: 'key 2' });
	expect(after(8, 1)).toEqual({ scroll: 8, chosen: 'key 9' });
});
