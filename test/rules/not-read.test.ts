import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../source/fleet/computers/computer.ts';
import {
	computerFilter,
	type FieldSource,
	sortComputers,
} from '../../source/fleet/computers/fields.ts';

import { filterFrom } from '../../source/fleet/filters/filter.ts';
import { plainTexts } from '../../source/lines/print.ts';
import { textOf } from '../../source/lines/span.ts';
import { countsOf, rowsOf } from '../../source/store/selectors.ts';
import { fleetSummaryOf } from '../../source/store/summarise-fleet.ts';
import { headerLines } from '../../source/views/frame/header.ts';
import { printedScene } from '../../source/views/read-scene.ts';
import { versions as versionsView } from '../../source/views/versions.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { onlyAccount } from '../opened-account.ts';
import { theme } from '../sample-theme.ts';
import { sampleScene } from './sample-scene.ts';

const accountOf = (readings: readonly Reading[]) =>
	accountAfter(
		listRead(now, readings),
		fact(now, { type: 'answered', read: 'release', answer: release }),
	);
const release = { version: '1.4.2', changes: [] };

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
	[['1.4.2', '1.3.9'], '↑ 1 behind', '↑ 1', '1 of 2 behind'],
	[['1.4.2', null], '↑ 0 behind', '↑ 0', 'No computer needs an update'],
	[
		...[['1.4.2', '1.3.9', undefined, undefined], '↑ 1 behind of 2 known', '↑ 1 of 2 known'],
		'1 of 2 known behind',
	],
	[['1.4.2', undefined], '↑ 0 behind of 1 known', '↑ 0 of 1 known', '0 of 1 known behind'],
	[[undefined, undefined], undefined, undefined, 'Versions of 2 not read yet'],
] as const;

test.each(counted)('versions %j count as “%s”', (versions, sentence, narrow, view) => {
	const account = fleetOf(versions as readonly (string | null | undefined)[]);
	const counts = countsOf(rowsOf('test', account));
	const lineIn = (width: number) =>
		textOf(headerLines(sampleScene(account, [width, 24]))[1] ?? []).replaceAll(/ +/g, ' ');
	if (sentence === undefined)
		for (const width of [120, 80, 60]) expect(lineIn(width)).not.toContain('↑');
	else {
		expect(lineIn(120)).toContain(`${sentence} `);
		expect(lineIn(60)).toContain(`${narrow} `);
	}
	const scene = printedScene({ accounts: onlyAccount(account), now, width: 80, theme });
	const text = plainTexts(versionsView.lines(scene)).join('\n');
	expect(text).toContain(view);
	const notRead = versions.filter(version => version === undefined).length;
	if (notRead > 0) {
		expect(text).not.toContain('No computer needs');
		expect(text).toContain(`ersions of ${notRead} not read yet`);
	}
	expect(fleetSummaryOf(account, now)).toMatchObject({
		behind: counts.behind,
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
	source('old', { status: 'active', version: '1.3.9', location: 'eu' }),
	source('new', { status: 'active', version: null }),
	// The list tells the locations of others, so this one has none.
	{ ...source('here', { status: 'active', version: null }), listFields: new Set(['location']) },
] satisfies readonly FieldSource[];

test.each([
	['version:1.4.2', ['quota'], 1],
	['version:<1.4', ['old'], 1],
	['-version:1.4.2', ['none', 'old', 'new', 'here'], 1],
	['-location:us', ['unread', 'none', 'quota', 'old', 'here'], 1],
	['-stage:quota', ['none', 'old', 'new', 'here'], 1],
	['quota', ['quota'], 1],
	['status:error', ['unread', 'none', 'quota'], 0],
] as const)('the filter %s finds %j, and %i are not read yet', (text, found, unread) => {
	const { test: matches, isUnread } = filterFrom(text, computerFilter);
	expect(sources.filter(each => matches(each, now)).map(({ reading }) => reading.id)).toEqual(
		found,
	);
	expect(sources.filter(isUnread).length).toBe(unread);
});

test.each([false, true])(
	'what is not read yet comes last in the order by version (reversed: %s)',
	isReversed => {
		const sorted = sortComputers(sources, { by: 'version', isReversed }, now, {
			computerOf: each => each,
		});
		expect(sorted.slice(0, 2).every(({ reading }) => reading.version)).toBe(true);
	},
);
