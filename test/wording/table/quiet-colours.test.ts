import { expect, test } from 'vitest';
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
