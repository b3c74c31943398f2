import { expect, test } from 'vitest';
import { skippedLines, skippedText } from '../../source/operations/refusal.ts';

const newest = 'already on the latest version, 1.4.2';
const skipped = (reason: string, ...names: readonly string[]) =>
	names.map(name => ({ id: `sb_${name}`, name, reason }));

test('names each reason once, with the number of computers that it applies to', () => {
	const all = [
		...skipped(newest, 'atlas', 'borealis'),
		...skipped('in error', 'draco'),
		...skipped(newest, 'cygnus'),
	];
	expect(skippedText(all)).toBe(`atlas and 2 more: ${newest}; draco: in error`);
	expect(skippedLines(all)).toEqual([
		`Skipped 3 (${newest}): atlas, borealis, cygnus`,
		'Skipped draco: in error',
	]);
});

test('writes at most four lines, and counts the rest', () => {
	const all = ['one', 'two', 'three', 'four', 'five'].flatMap(reason =>
		skipped(reason, `${reason}-a`, `${reason}-b`),
	);
	const lines = skippedLines(all);
	expect(lines).toHaveLength(4);
	expect(lines.at(-1)).toBe('… and 4 more for other reasons');
	expect(skippedLines([])).toEqual([]);
});
