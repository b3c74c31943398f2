import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Block } from '../../../source/drawing/section.ts';
import type { Change } from '../../../source/fleet/change.ts';
import type { AccountProfile } from '../../../source/fleet/computers/account-profile.ts';
import type { View } from '../../../source/screen/view-table.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import type { JointAccount } from '../../../source/store/state.ts';
import { createSpareRows, spareLinesOfView } from '../../../source/wording/frame/spare-rows.ts';
import { now } from '../../arbitraries/values.ts';
import { profileOf, rowId } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';
import { readAccount } from './sample-header.ts';

const rowIn = (phase: 'active' | 'error', error?: string): FleetRow => ({
	id: rowId('sb_1'),
	account: 'test',
	computer: {
		id: 'sb_1',
		reading: { id: 'sb_1', name: 'draco', ...(error !== undefined && { error }) },
		phase,
		since: { at: now, isLowerBound: false },
		listed: 'with-status',
		isMissing: false,
	},
	isOutdated: false,
});

const changes = Array.from({ length: 9 }, (_, at): Change => {
	const time = now - (9 - at) * 60_000;
	const name = `norma-${at}`;
	const from = { from: 'creating', to: 'active' };
	return { type: 'statusChanged', id: `sb_${at}`, name, ...from, at: time, notBefore: time };
});

const linesIn = (
	lines: number,
	allRows: readonly FleetRow[] = [rowIn('active')],
	width = 100,
	shownChanges: readonly Change[] = changes,
	reads: JointAccount['reads'] = { list: { answer: { askedAt: now, at: now } } },
	profiles: readonly AccountProfile[] = [profileOf('test')],
) =>
	createSpareRows()({
		profiles,
		account: { ...readAccount, changes: shownChanges, reads },
		own: new Set(),
		allRows,
		runway: null,
		lines,
		width,
		now,
		theme,
	}).map(line => stripVTControlCharacters(line).trimEnd());

test('spare lines show the newest activity first, as much of it as fits', () => {
	const lines = linesIn(6);
	expect(lines).toHaveLength(6);
	expect(lines.slice(0, 3)).toEqual(['', '   Activity', expect.stringContaining('norma-8')]);
	expect(lines.at(-1)).toContain('norma-5');
});

test('a frame in which nothing has changed gets the lines of the frame before', () => {
	const linesOf = createSpareRows();
	const options = {
		account: { ...readAccount, changes },
		own: new Set<string>(),
		allRows: [rowIn('active')],
		runway: null,
		...{ lines: 10, width: 100, now, theme },
	};
	const before = linesOf(options);
	expect(linesOf({ ...options })).toBe(before);
	const changed = [
		{ account: { ...readAccount, changes: changes.slice(1) } },
		{ allRows: [rowIn('error')] },
		{ now: now + 1000 },
		{ lines: 9 },
	];
	for (const each of changed) expect(linesOf({ ...options, ...each })).not.toBe(before);
});

test('problems stand above the activity, in full and with advice', () => {
	const lines = linesIn(10, [rowIn('error', 'image pull failed: disk quota exceeded')]);
	expect(lines[1]).toBe('   Problems');
	expect(lines[2]).toMatch(/^ {3}✖ draco: image pull failed: disk quota exceeded {3}\S+/);
	expect(lines[4]).toBe('   Activity');
	expect(lines).toHaveLength(10);
});

test('with several accounts, a problem names the account of its computer, as the log does', () => {
	const row = rowIn('error', 'image pull failed');
	const rows = [row, { ...row, account: 'lab', id: rowId('sb_2') }];
	const profiles = [profileOf('test'), profileOf('lab')];
	const lines = linesIn(14, rows, 100, changes, undefined, profiles);
	expect(lines[2]).toMatch(/^ {3}✖ test\/draco: image pull failed/);
	expect(lines[3]).toMatch(/^ {3}✖ lab\/draco: image pull failed/);
	expect(linesIn(14, rows, 100, changes, undefined, [profileOf('test')])[2]).toContain('✖ draco:');
});

const brokenAt = (minute: number, error: string): FleetRow => {
	const { computer } = rowIn('error', error);
	const [id, name] = [`sb_${minute}`, `vega-${minute}`];
	const since = { at: now + minute * 60_000, isLowerBound: false };
	return {
		...rowIn('error'),
		id: rowId(id),
		computer: { ...computer, id, reading: { ...computer.reading, id, name }, since },
	};
};

test('the newest problems come first, and the last line says how many more there are', () => {
	const rows = Array.from({ length: 14 }, (_, minute) => brokenAt(minute, 'image pull failed'));
	expect(linesIn(14, rows).slice(1, 7)).toEqual([
		'   Problems',
		expect.stringMatching(/^ {3}✖ vega-13: image pull failed {3}The image did not load/),
		'   ✖ vega-12: image pull failed',
		'   ✖ vega-11: image pull failed',
		'   ✖ vega-10: image pull failed',
		'     and 10 more in error',
	]);
	expect(linesIn(14, rows.slice(0, 5)).slice(2, 7).join()).not.toContain('more');
	expect(linesIn(6, rows)[2]).toMatch(/14 in error, the newest is vega-13: image pull failed$/);
});

test('advice is given once for each reason', () => {
	const rows = [brokenAt(3, 'image pull failed'), brokenAt(2, 'no host'), brokenAt(1, 'no host')];
	const [first, second, third] = linesIn(14, rows).slice(2);
	expect(first).toContain('The image did not load');
	expect(second).toContain('The location has no free machine');
	expect(third).toBe('   ✖ vega-1: no host');
});

test('the spare lines begin below the table, and say so when nothing has happened yet', () => {
	const lines = linesIn(30);
	expect(lines).toHaveLength(30);
	expect(lines[1]).toBe('   Activity');
	expect(lines.at(-1)).toBe('');
	expect(linesIn(4, undefined, 100, [])).toEqual([
		...['', '   Activity', expect.stringContaining('Nothing has changed yet.'), ''],
	]);
	// The lines of the table say that the list is being read, or that a password is needed for it.
	expect(linesIn(4, undefined, 100, [], {}).join('')).toBe('');
});

test('few or narrow spare lines stay empty', () => {
	expect(linesIn(3)).toEqual([]);
	expect(linesIn(10, [], 40)).toEqual([]);
});

test('no spare line is wider than the table, and there are never more lines than fit', () => {
	const rows = Array.from({ length: 30 }, () => rowIn('error', 'x'.repeat(300)));
	for (let lines = 0; lines < 40; lines += 1) {
		const shown = linesIn(lines, rows, 60);
		expect(shown.length).toBeLessThanOrEqual(Math.max(0, lines));
		for (const line of shown) expect(theme.ruler.width(line)).toBeLessThanOrEqual(60);
	}
});

const linesBlock = (count: number): Block => ({
	type: 'lines',
	lines: Array.from({ length: count }, () => [['line']]),
});

test('a view leaves a fixed share of its lines to the activity, as long as it needs few of them itself', () => {
	const spareIn = (view: View, count: number, size = { lines: 54, width: 200 }) =>
		spareLinesOfView({ view, isHelpOpen: false }, [[linesBlock(count)]], size);
	// The position does not change while a filter hides lines.
	for (const count of [0, 1, 8, 26]) expect(spareIn('models', count)).toBe(27);
	expect(spareIn('models', 27)).toBe(18);
	expect(spareIn('models', 40)).toBe(13);
	expect(spareIn('models', 41)).toBe(0);
	for (let count = 0; count < 60; count += 1)
		expect(1 + count + spareIn('models', count)).toBeLessThanOrEqual(Math.max(54, 1 + count));
	// Too few lines would be a heading with hardly anything below it.
	expect(spareIn('jobs', 2, { lines: 10, width: 80 })).toBe(0);
	expect(spareIn('jobs', 2, { lines: 12, width: 80 })).toBe(6);
	expect(spareIn('models', 9, { lines: 18, width: 80 })).toBe(6);
	expect(spareIn('jobs', 2, { lines: 17, width: 80 })).toBe(8);
	expect(spareIn('jobs', 2, { lines: 17, width: 40 })).toBe(0);
	// The log is the activity, and the output grows.
	for (const view of ['log', 'output'] as const) expect(spareIn(view, 1)).toBe(0);
	const help = { view: 'models', isHelpOpen: true } as const;
	expect(spareLinesOfView(help, [[linesBlock(1)]], { lines: 54, width: 200 })).toBe(0);
});

test('the blank lines between the sections of a view stay where activity follows them', () => {
	const sections = [[linesBlock(10)], [linesBlock(10)], [linesBlock(4)]];
	const at = (lines: number) =>
		spareLinesOfView({ view: 'billing', isHelpOpen: false }, sections, { lines, width: 120 });
	expect(at(54)).toBe(27);
	expect(at(53)).toBe(26);
	expect(at(52)).toBe(17);
});
