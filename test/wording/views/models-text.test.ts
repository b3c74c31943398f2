import { expect, test } from 'vitest';
import type { Model } from '../../../source/fleet/computers/account.ts';
import type { Reading } from '../../../source/fleet/computers/computer.ts';
import {
	modelFilterMistake,
	modelsMatching,
} from '../../../source/fleet/computers/model-filter.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import {
	modelsInOrder,
	modelsSections,
	modelsTitle,
} from '../../../source/wording/views/models-text.ts';
import {
	createVersionCounter,
	releaseNotesSection,
	versionsSections,
} from '../../../source/wording/views/versions-text.ts';
import { accountAfter, failure, listRead } from '../../arbitraries/sample-facts.ts';
import { now } from '../../arbitraries/values.ts';
import { onlyAccount } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';

const models: readonly Model[] = [
	{ id: 'Gull', owner: 'b', contextWindow: 128_000, inputPrice: 3, outputPrice: 15 },
	{ id: 'auk', inputPrice: 0.075 },
	{ id: 'crow', owner: 'a', contextWindow: 2_000_000, inputPrice: 0.25, outputPrice: 1.25 },
	{ id: 'tern', owner: 'B', contextWindow: 8191, inputPrice: 0, outputPrice: 15 },
];

const ordered = (by: keyof Model, isReversed = false) =>
	modelsInOrder(models, { by, isReversed }).map(({ id }) => id);

test('the models can be ordered by any column, with missing values last in both directions', () => {
	expect(ordered('id')).toEqual(['auk', 'crow', 'Gull', 'tern']);
	expect(ordered('owner')).toEqual(['crow', 'Gull', 'tern', 'auk']);
	expect(ordered('inputPrice')).toEqual(['tern', 'auk', 'crow', 'Gull']);
	expect(ordered('outputPrice', true)).toEqual(['Gull', 'tern', 'crow', 'auk']);
	expect(ordered('contextWindow', true)).toEqual(['crow', 'Gull', 'tern', 'auk']);
});

test('a context size is written with at most three digits and a unit', () => {
	const sizes = [512, 8192, 131_072, 262_144, 400_000, 999_900, 1_048_576, 2_000_000];
	const models = sizes.map((contextWindow, at) => ({ id: `m${at}`, contextWindow }));
	const account = { ...emptyAccount, models };
	const table = modelsSections({ now, width: 100, theme, account, orderings }).flat().at(-1);
	expect(table?.type === 'table' && table.rows.map(row => row[2])).toEqual([
		...['512', '8.19k', '131k', '262k', '400k', '1M', '1.05M', '2M'],
	]);
});

test('the models can be filtered by words, their owner, the size of the context and their prices', () => {
	const idsIn = (filter: string) => modelsMatching(models, filter).map(({ id }) => id);
	expect(idsIn('')).toHaveLength(4);
	expect(idsIn('GULL')).toEqual(['Gull']);
	expect(idsIn('-gull')).toEqual(['auk', 'crow', 'tern']);
	expect(idsIn('owner:b')).toEqual(['Gull', 'tern']);
	expect(idsIn('context:>=128k')).toEqual(['Gull', 'crow']);
	expect(idsIn('input:<0.1')).toEqual(['auk', 'tern']);
	expect(idsIn('output:15 context:<10k')).toEqual(['tern']);
	expect(modelFilterMistake('inputs:<1')?.problem).toBe('No field “inputs”. Did you mean input?');
	const account = { ...emptyAccount, models };
	const filters = { models: 'nothing' };
	const shown = modelsSections({ now, width: 100, theme, account, orderings, filters });
	expect(JSON.stringify(shown)).toContain('No model matches ');
	const some = { now, width: 100, theme, account, orderings, filters: { models: 'owner:b' } };
	expect(JSON.stringify(modelsTitle(some))).toContain('2 of 4');
});

const look = { now, width: 100, theme };
const orderings = { models: { by: 'id', isReversed: false } } as const;

test('the table of models writes all prices with the same number of decimals, and short context sizes', () => {
	const account = { ...emptyAccount, models };
	const table = modelsSections({ ...look, account, orderings })
		.flat()
		.at(-1);
	if (table?.type !== 'table') throw new Error('no table');
	expect(table.columns.map(({ title }) => title)).toEqual([
		...['MODEL▲', 'OWNER', 'CONTEXT', 'INPUT', 'OUTPUT'],
	]);
	expect(table.rows).toEqual([
		['auk', '–', '–', '0.075', '–'],
		['crow', 'a', '2M', '0.250', '1.250'],
		['Gull', 'b', '128k', '3.000', '15.000'],
		['tern', 'B', '8.19k', '0.000', '15.000'],
	]);
	const title = modelsTitle({ ...look, account, orderings })[0].map(([text]) => text);
	expect(title).toEqual(['Models', '  4', '  prices per million tokens']);
});

test('the view of models says if the models have not been read, cannot be read or do not exist', () => {
	const shown = (more: Partial<typeof emptyAccount>) =>
		JSON.stringify(modelsSections({ ...look, account: { ...emptyAccount, ...more }, orderings }));
	const failing = {
		failure,
		firstAskedAt: now,
		firstFailedAt: now,
		lastFailedAt: now,
		attempts: 1,
	};
	expect(shown({})).toContain('"waiting"');
	expect(shown({ reads: { models: { failing } } })).toContain(
		'Cannot read the list of models: internal error',
	);
	expect(shown({ models: [] })).toContain('offers no models');
});

const computer = (id: number, version: string | null, status = 'active'): Reading => ({
	id: `sb_${id}`,
	status,
	version,
});

const fleet = accountAfter(
	listRead(now, [
		computer(1, '1.3.9'),
		computer(2, '1.10.0'),
		computer(3, null),
		computer(4, '1.10.0'),
		computer(5, '1.9.2'),
		computer(6, ''),
		computer(7, '1.2.0', 'archived'),
	]),
);

test('computers are counted by version, newest first and unknown last, without archived computers', () => {
	expect(createVersionCounter()([{ state: fleet }])).toEqual([
		{ version: '1.10.0', count: 2 },
		{ version: '1.9.2', count: 1 },
		{ version: '1.3.9', count: 1 },
		{ version: null, count: 2 },
	]);
	expect(createVersionCounter()([])).toEqual([]);
});

test('the view of versions shows the latest version, its notes, how many computers are behind, and a bar for each version', () => {
	const release = {
		version: '1.10.0',
		channel: 'stable',
		title: 'Faster starts',
		changes: [{ type: 'fixed', text: 'the disk' }],
	};
	const account = { ...fleet, release };
	const countVersions = createVersionCounter();
	const sections = versionsSections({
		...look,
		account,
		accounts: onlyAccount(account),
		countVersions,
	});
	const words = JSON.stringify(sections);
	for (const each of ['1.10.0', 'stable', 'New in 1.10.0', 'Faster starts', 'fixed: the disk']) {
		expect(words).toContain(each);
	}
	expect(releaseNotesSection({ version: '1.10.0', changes: [] }, 80, theme)).toEqual([]);
	const [[head, table] = []] = sections;
	expect(JSON.stringify(head)).toContain('2 of 6 behind');
	expect(JSON.stringify(head)).toContain('2 unknown');
	if (table?.type !== 'table') throw new Error('no table');
	expect(table.rows.map(row => row.slice(0, 2))).toEqual([
		['1.10.0', '2'],
		['1.9.2 ↑', '1'],
		['1.3.9 ↑', '1'],
		['unknown', '2'],
	]);
	const bar = table.columns[2]?.draw?.(table.rows[0]?.[2] ?? '', 12, theme);
	expect(bar).toBe('━━━━────────');
});

test('the view of versions names the computers of the version under the cursor, as far as they fit', () => {
	const countVersions = createVersionCounter();
	const accounts = onlyAccount(fleet);
	const namesAt = (id: string, width = look.width) => {
		const viewCursors = { versions: { id, line: 0, index: 0 } };
		const sections = versionsSections({
			...{ ...look, account: fleet, accounts, countVersions, viewCursors, width },
		});
		return JSON.stringify(sections.flat().findLast(({ type }) => type === 'lines'));
	};
	expect(namesAt('1.9.2')).toContain('[" 1.9.2: ","faint"],["sb_5"]');
	expect(namesAt('unknown')).toContain('unknown: ');
	expect(namesAt('1.10.0')).not.toContain('…');
	expect(namesAt('1.10.0', 18)).toContain('…');
});

test('the view of versions shows the running versions before the latest version has been read', () => {
	const countVersions = createVersionCounter();
	const [latest, counts] = versionsSections({
		...look,
		account: fleet,
		accounts: onlyAccount(fleet),
		countVersions,
	});
	expect(latest).toEqual([{ type: 'waiting', text: 'Reading the latest version' }]);
	expect(counts?.[0]?.type).toBe('table');
});
