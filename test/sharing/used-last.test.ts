import { expect, test } from 'vitest';
import { createUsedLast } from '../../source/sharing/used-last.ts';

test('another process counts as used last only when the process that was used last ends', () => {
	const usedLast = createUsedLast(1);
	expect(usedLast.note(2, 200)).toBe(true);
	expect(usedLast.note(3, 100)).toBe(false);
	expect(usedLast.without(3)).toBe(false);
	expect(usedLast.pid()).toBe(2);
	expect(usedLast.without(2)).toBe(true);
	expect(usedLast.pid()).toBe(1);
});
