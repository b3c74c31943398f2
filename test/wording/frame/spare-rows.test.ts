import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import { createSpareRows } from '../../../source/wording/frame/spare-rows.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const changes = Array.from({ length: 9 }, (_, at): Change => {
	const time = now - (9 - at) * 60_000;
	const name = `norma-${at}`;
	const from = { from: 'creating', to: 'active' };
	return { type: 'statusChanged', id: `sb_${at}`, name, ...from, at: time, notBefore: time };
});

const linesIn = (lines: number, width = 100, shownChanges: readonly Change[] = changes) =>
	createSpareRows()({ changes: shownChanges, own: new Set(), lines, width, now, theme }).map(line =>
		stripVTControlCharacters(line).trimEnd(),
	);

test('the lines below a short table show the last lines of the log, as many as fit', () => {
	expect(linesIn(4)).toEqual([
		'',
		expect.stringContaining('norma-8: creating → active'),
		expect.stringContaining('norma-7'),
		expect.stringContaining('norma-6'),
	]);
	expect(linesIn(30)).toHaveLength(30);
	expect(linesIn(30).at(-1)).toBe('');
	expect(linesIn(5, 100, []).join('')).toBe('');
});

test('the spare lines do not end with the heading of a day that has no line below it', () => {
	const old = changes.map((change, at) => ({
		...change,
		at: at < 7 ? change.at - 24 * hour : change.at,
	}));
	const shown = linesIn(4, 100, old as readonly Change[]);
	expect(shown).toEqual([
		'',
		expect.stringContaining('norma-8'),
		expect.stringContaining('norma-7'),
		'',
	]);
	expect(linesIn(5, 100, old as readonly Change[]).at(-2)).toContain('─');
});

test('few or narrow spare lines stay empty', () => {
	expect(linesIn(2)).toEqual([]);
	expect(linesIn(10, 40)).toEqual([]);
});

test('no spare line is wider than the table, and there are never more lines than fit', () => {
	const long = changes.map(change => ({ ...change, name: 'x'.repeat(300) }));
	for (let lines = 3; lines < 40; lines += 1) {
		const shown = linesIn(lines, 60, long as readonly Change[]);
		expect(shown).toHaveLength(lines);
		for (const line of shown) expect(theme.ruler.width(line)).toBeLessThanOrEqual(60);
	}
});
