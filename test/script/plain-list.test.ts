import { expect, test } from 'vitest';
import {
	computersFrom,
	computersPageFrom,
} from '../../source/platform/decoding/decode-computer.ts';
import { plainTableLines, unreadableLine } from '../../source/script/plain-list.ts';
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

const reason = 'image pull failed: disk quota exceeded on volume vol-7';

/** Prints a list with a computer in error on an output of this width. */
function listWithError(width: number, error: string, usage: { cpu?: number } = {}) {
	const account = accountAfter(
		listRead(1, [
			{ id: 'sb_1', name: 'atlas', status: 'active', cpu: 12, memory: 40, version: '1.4.2' },
			{ id: 'sb_2', name: 'draco', status: 'error', error, version: '1.4.2', ...usage },
			{ id: 'sb_3', name: 'vega', status: 'active', cpu: 12, memory: 40, version: '1.4.2' },
		]),
	);
	const form = { hasUnicode: true, width };
	return plainTableLines([{ account, computers: account.computers.values() }], 1, form);
}

test('the plain list shows the whole reason of an error on a terminal of any usual width', () => {
	for (const usage of [{}, { cpu: 3 }])
		for (let width = 50; width < 200; width += 1) {
			const lines = listWithError(width, reason, usage);
			const [, atlas = '', draco = '', ...below] = lines;
			expect(Math.max(...lines.map(line => line.length)), `${width}`).toBeLessThanOrEqual(width);
			const start = draco.indexOf('image');
			const rest = below.slice(0, -1);
			// The next lines of the reason begin below its first one, and nothing stands before them.
			for (const line of rest) expect(line.search(/\S/)).toBe(start);
			const said = [draco.slice(start).replace(/(?: +(?:3%|1\.4\.2|–|0s))+$/, ''), ...rest].join(
				' ',
			);
			if (width >= 70) expect(said.replace(/ +/g, ' '), `${width}`).toBe(reason);
			expect(below.at(-1)).toMatch(/^vega /);
			if (atlas.includes('1.4.2')) expect(draco.indexOf('1.4.2')).toBe(atlas.indexOf('1.4.2'));
		}
});

test('a very long reason takes at most four lines of a terminal and is whole in a pipe', () => {
	const long = Array.from({ length: 200 }, (_, at) => `cause-${at}`).join(' ');
	const lines = listWithError(80, long);
	expect(lines).toHaveLength(4 + 3);
	expect(lines.at(-2)).toMatch(/ cause-\d+.*…$/);
	const piped = listWithError(Number.POSITIVE_INFINITY, long);
	expect(piped).toHaveLength(4);
	expect(piped[2]).toContain(long);
	expect(piped[1]?.length).toBeLessThan(160);
});

test('records that had the id of another record of their page are counted in one line', async () => {
	const record = { sandbox_id: 'sb_1', status: 'active' };
	// A computer may appear on two pages, if another one was created between the two requests.
	const pages = [[record, record, { ...record, sandbox_id: 'sb_2' }, record], [record]];
	const items = pages.map(page => computersPageFrom(page).items);
	const { computers, ...notes } = await computersFrom(items, { now: () => 1 });
	expect(computers).toHaveLength(2);
	const account = accountAfter({ ...listRead(1, computers), ...notes });
	expect(unreadableLine(account)).toBe(
		'crowsnest: 2 records had the id of another and are not listed\n',
	);
});
