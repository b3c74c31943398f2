import { expect, test } from 'vitest';
import { plainTableLines } from '../../source/script/plain-list.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';

const linesOf = (longest: string) => {
	const account = accountAfter(
		listRead(1, [
			{ id: 'sb_1', name: 'atlas', status: 'active' },
			{ id: 'sb_2', name: longest, status: 'active' },
		]),
	);
	const paper = { hasUnicode: true, width: Number.POSITIVE_INFINITY };
	return plainTableLines([{ account, computers: account.computers.values() }], 1, paper);
};

test('the plain list cuts a name of 4,000 letters, and does not pad other lines to its width', () => {
	const name = 'z'.repeat(4_000);
	const [titles = '', atlas = '', long = ''] = linesOf(name);
	expect(long).toMatch(/^z{199}… +. Active/);
	expect(long).toContain('Active');
	expect(Math.max(titles.length, atlas.length)).toBeLessThanOrEqual(160);
	expect(atlas.indexOf('Active') - 2).toBe(titles.indexOf('STATUS'));
});

test('the plain list aligns its columns for names of up to 40 cells', () => {
	const [, atlas = '', long = ''] = linesOf('z'.repeat(40));
	expect(atlas.indexOf('Active')).toBe(long.indexOf('Active'));
});
