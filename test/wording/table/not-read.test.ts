import { describe, expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../../source/fleet/computers/computer.ts';
import type { FieldSource } from '../../../source/fleet/computers/field.ts';
import { countUnread, filterFrom } from '../../../source/fleet/computers/filter.ts';
import { sortComputers } from '../../../source/fleet/computers/ordering.ts';
import { textOf } from '../../../source/lines/span.ts';
import { createTheme } from '../../../source/lines/theme.ts';
import { createCountsSelector, createRowsSelector } from '../../../source/store/selectors.ts';
import { fleetSummaryOf } from '../../../source/store/summarise-fleet.ts';
import { headerLines } from '../../../source/views/frame/header.ts';
import { cellContextOf } from '../../../source/wording/table/cell-context.ts';
import { columns } from '../../../source/wording/table/columns.ts';
import {
	createVersionCounter,
	versionsSections,
} from '../../../source/wording/views/versions-text.ts';
import { accountAfter, fact, listRead } from '../../arbitraries/sample-facts.ts';
import { now } from '../../arbitraries/values.ts';
import { onlyAccount } from '../../opened-account.ts';
import { sampleScene } from '../../rules/sample-scene.ts';
import { theme } from '../../sample-theme.ts';

const accountOf = (readings: readonly Reading[]) =>
	accountAfter(listRead(now, readings), fact(now, { type: 'releaseRead', release }));
const release = { version: '1.4.2', changes: [] };

function cell(name: string, reading: Omit<Reading, 'id'>, others: readonly Reading[] = []) {
	const account = accountOf([{ id: 'sb_1', ...reading }, ...others]);
	const [row] = createRowsSelector('test')(account);
	const column = columns.find(each => each.name === name);
	const operationsState = { isReadOnly: true };
	const shown = (look: typeof theme) =>
		row &&
		column
			?.cellSpans(
				row,
				20,
				cellContextOf({
					account,
					operationsState,
					waitingFor: () => undefined,
					now,
					theme: look,
				}),
			)
			.map(([text]) => text)
			.join('');
	return { text: shown(theme), ascii: shown(ascii) };
}

const ascii = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
const withAll: Reading = {
	id: 'sb_2',
	status: 'active',
	cpu: 1,
	memory: 1,
	storage: 1,
	ports: [],
	address: '10.0.0.9',
	location: 'eu',
};

describe('a cell', () => {
	test.each(['version', 'cpu', 'memory', 'ports', 'address', 'location', 'storage'])(
		'of %s is an ellipsis until somebody has read it',
		name => {
			expect(cell(name, { status: 'active' })).toEqual({ text: '…', ascii: '...' });
			expect(cell(name, { status: 'active', [name]: null }).text).not.toBe('…');
			expect(cell(name, { status: 'creating' }).text).not.toBe('…');
		},
	);

	test.each(['cpu', 'memory', 'ports', 'address', 'location', 'storage'])(
		'of %s is empty if the list has the field for other computers',
		name => expect(cell(name, { status: 'active' }, [withAll]).text).not.toBe('…'),
	);

	test('of the stage says that there is no reason only if the platform gave none', () => {
		expect(cell('stage', { status: 'error' })).toEqual({ text: '…', ascii: '...' });
		expect(cell('stage', { status: 'error', error: null }).text).toBe('no reason given');
		expect(cell('stage', { status: 'error', error: 'disk full' }).text).toBe('disk full');
	});

	test('of the CPU and the version of a stopped computer is an ellipsis only for the version', () => {
		expect(cell('cpu', { status: 'stopped' }).text).toBe('');
		expect(cell('version', { status: 'stopped' }).text).toBe('…');
	});
});

const fleetOf = (versions: readonly (string | null | undefined)[]) =>
	accountOf(
		versions.map((version, at) => ({
			id: `sb_${at}`,
			status: 'active',
			...(version !== undefined && { version }),
		})),
	);

// How many computers are behind, and what the header and the view say.
const counted = [
	[['1.4.2', '1.3.9'], '↑ 1 behind', '↑1', '1 of 2 behind'],
	[['1.4.2', null], '↑ 0 behind', '↑0', 'No computer needs an update'],
	[
		...[['1.4.2', '1.3.9', undefined, undefined], '↑ 1 behind of 2 known', '↑≥1'],
		'1 of 2 known behind',
	],
	[['1.4.2', undefined], '↑ 0 behind of 1 known', '↑…', '0 of 1 known behind'],
	[[undefined, undefined], undefined, undefined, 'Versions of 2 not read yet'],
] as const;

test.each(counted)('versions %j count as “%s”', (versions, sentence, narrow, view) => {
	const account = fleetOf(versions as readonly (string | null | undefined)[]);
	const counts = createCountsSelector()(createRowsSelector('test')(account));
	const lineIn = (width: number) =>
		textOf(headerLines(sampleScene(account, [width, 24]))[1] ?? []).replaceAll(/ +/g, ' ');
	if (sentence === undefined)
		for (const width of [120, 80, 60]) expect(lineIn(width)).not.toContain('↑');
	else {
		expect(lineIn(120)).toContain(`${sentence} `);
		expect(lineIn(60)).toContain(`${narrow} `);
	}
	const text = JSON.stringify(
		versionsSections({
			account,
			accounts: onlyAccount(account),
			countVersions: createVersionCounter(),
			now,
			width: 80,
			theme,
		}),
	);
	expect(text).toContain(view);
	const notRead = versions.filter(version => version === undefined).length;
	if (notRead > 0) {
		expect(text).not.toContain('No computer needs');
		expect(text).toContain(`ersions of ${notRead} not read yet`);
	}
	expect(fleetSummaryOf(account, now)).toMatchObject({
		behind: counts.outdated,
		versionsNotRead: notRead,
	});
});

const source = (id: string, reading: Omit<Reading, 'id'>): FieldSource => ({
	reading: { id, ...reading },
	phase: phaseOf(reading.status),
	since: { at: now, isLowerBound: true },
});
const sources = [
	source('unread', { status: 'error' }),
	source('none', { status: 'error', version: null, error: null }),
	source('quota', { status: 'error', version: '1.4.2', error: 'over quota' }),
	source('old', { status: 'active', version: '1.3.9' }),
];

test.each([
	['version:1.4.2', ['quota'], 1],
	['version:<1.4', ['old'], 1],
	['-version:1.4.2', ['none', 'old'], 1],
	['-stage:quota', ['none', 'old'], 1],
	['quota', ['quota'], 1],
	['status:error', ['unread', 'none', 'quota'], 0],
] as const)('the filter %s finds %j, and %i are not read yet', (text, found, unread) => {
	const { test: matches } = filterFrom(text, { wordsMatch: 'anything' });
	expect(sources.filter(each => matches(each, now)).map(({ reading }) => reading.id)).toEqual(
		found,
	);
	expect(countUnread(text, sources)).toBe(unread);
});

test.each([false, true])(
	'what is not read yet comes last in the order by version (reversed: %s)',
	isReversed => {
		const sorted = sortComputers(sources, { by: 'version', isReversed }, now);
		expect(sorted.slice(0, 2).every(({ reading }) => reading.version)).toBe(true);
	},
);
