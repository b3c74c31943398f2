import { expect, test } from 'vitest';
import { createUsedLast } from '../../source/sharing/used-last.ts';

test('only the end of the process that was used last chooses another one', () => {
	const usedLast = createUsedLast(1);
	expect(usedLast.note(2, 200)).toBe(true);
	expect(usedLast.note(3, 100)).toBe(false);
	expect(usedLast.without(3)).toBe(false);
	expect(usedLast.pid()).toBe(2);
	expect(usedLast.without(2)).toBe(true);
	expect(usedLast.pid()).toBe(1);
});
