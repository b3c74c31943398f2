import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { type Reading, readingFields } from '../../../source/fleet/computers/computer.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import { emptyUsage } from '../../../source/store/usage-history.ts';
import { columns } from '../../../source/wording/table/columns.ts';
import { now } from '../../arbitraries/values.ts';
import { rowId } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';

const rowOf = (
	reading: Partial<Reading>,
	phase: FleetRow['computer']['phase'] = 'active',
): FleetRow => ({
	id: rowId('sb_1'),
	account: 'test',
	computer: {
		id: 'sb_1',
		reading: { id: 'sb_1', ...reading },
		phase,
		since: { at: now, isLowerBound: false },
		listed: 'with-status',
		isMissing: false,
	},
	isOutdated: true,
});

const cellOf = (name: string, row: FleetRow, look = theme) =>
	columns
		.find(column => column.name === name)
		?.cellSpans(row, 14, {
			now,
			latestVersion: '1.4.2',
			lastReadAtOf: () => now,
			ageOf: () => 'fresh',
			statusAgeOf: () => undefined,
			isOlderThanRow: () => false,
			waitingFor: () => undefined,
			canChange: true,
			changes: [],
			usage: emptyUsage,
			listFields: new Set(readingFields),
			theme: look,
		});

test('a usual status has a coloured dot and a plain word, and any other status is coloured as a whole', () => {
	expect(cellOf('status', rowOf({}))).toEqual([['●', 'good'], [' Active']]);
	expect(cellOf('status', rowOf({}, 'stopped'))).toEqual([['○', 'faint'], [' Stopped 0s']]);
	expect(cellOf('status', rowOf({}, 'error'))).toEqual([['✖ Error 0s', 'bad']]);
});

test.each([
	[12, '12%', undefined],
	[80, '80%', undefined],
	[81, '▲81%', 'busy'],
	[95, '▲95%', 'busy'],
	[96, '!96%', 'bad'],
	[100, '!100', 'bad'],
])('a share of %d percent is written as “%s”, in the colour %s', (cpu, text, tone) => {
	for (const name of ['cpu', 'memory', 'storage'])
		expect(cellOf(name, rowOf({ cpu, memory: cpu, storage: cpu }))).toEqual([
			tone === undefined ? [text] : [text, tone],
		]);
});

test('an outdated version stands out as a whole', () => {
	expect(cellOf('version', rowOf({ version: '1.3.9' }))).toEqual([['1.3.9 ↑', 'accent']]);
});

test('the arrow of a change is written with two characters in ASCII, and measured as such', () => {
	const ascii = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
	const text = 'active → stopped';
	expect(ascii.paint(undefined, text)).toBe('active -> stopped');
	expect(ascii.ruler.width(text)).toBe('active -> stopped'.length);
	expect(theme.ruler.width(text)).toBe(text.length);
});
