import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accountSettings, preferenceSettings } from '../source/accounts/setting-table.ts';
import { commands } from '../source/cli/catalog.ts';
import { environmentMeanings } from '../source/cli/manual/tables.ts';
import { fields } from '../source/fleet/field.ts';
import { bindings } from '../source/keys/bindings.ts';
import { exitCodes } from '../source/shell/command.ts';

// The README is prose around the tables of the program, so what it names must be in them, and the other
// way round.
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function section(title: string): string {
	const [, body = ''] = readme.split(`\n## ${title}\n`);
	const text = body.split('\n## ')[0] ?? '';
	expect(text, `the section ${title}`).not.toBe('');
	return text;
}

const rows = section('Keys')
	.split('\n')
	.filter(line => line.startsWith('| ') && !/^\| (key|-)/.test(line))
	.map(line => line.split(' | ')[0]?.slice(2).trim() ?? '');

// Keys that are written as words, and ranges.
const words: Readonly<Record<string, readonly string[]>> = {
	arrows: ['up', 'down'],
	PgUp: ['pageup'],
	PgDn: ['pagedown'],
	Enter: ['enter'],
	Esc: ['escape'],
	Space: ['space'],
	'Shift-Tab': ['shift-tab'],
	Tab: ['tab'],
	'Ctrl-L': ['ctrl-l'],
	'Ctrl-Z': ['ctrl-z'],
	'Ctrl-C': ['ctrl-c'],
	'`1` to `5`': ['1', '2', '3', '4', '5'],
};

const named = rows.flatMap(row => {
	const spelled = Object.entries(words).filter(([word]) => row.includes(word));
	return [
		...[...row.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''),
		...spelled.flatMap(([, keys]) => keys),
	];
});

const inViews = bindings.filter(({ contexts: places }) =>
	places.some(place =>
		['fleet', 'billing', 'models', 'versions', 'log', 'everywhere'].includes(place),
	),
);
const bound = new Set(inViews.flatMap(({ keys }) => keys));

test('every key that the README names is bound', () => {
	expect(named.length).toBeGreaterThan(40);
	expect(named.filter(key => !bound.has(key))).toEqual([]);
});

test('every binding of the views has one of its keys in the README', () => {
	const known = new Set(named);
	const missing = inViews.filter(
		({ keys }) => keys.length > 0 && !keys.some(key => known.has(key)),
	);
	expect(missing.map(({ action, keys }) => `${action}: ${keys.join(' ')}`)).toEqual([]);
});

test('the environment variables of the README and of the program are the same', () => {
	const inReadme = new Set(readme.match(/\bCROWSNEST_[A-Z_]+\b/g));
	expect([...inReadme].toSorted()).toEqual(
		Object.keys(environmentMeanings)
			.filter(name => name.startsWith('CROWSNEST_'))
			.toSorted(),
	);
	const others = Object.keys(environmentMeanings).flatMap(names => names.split(', '));
	expect(others.filter(name => !readme.includes(`\`${name}\``))).toEqual([]);
});

test('the README lists the fields of the filter', () => {
	const [, list = ''] =
		/fields of a filter are ([^.]+)\./i.exec(readme.replaceAll('\n', ' ')) ?? [];
	const named = [...list.matchAll(/`(\w+)`/g)].map(match => match[1] ?? '');
	expect(named.toSorted()).toEqual(Object.keys(fields).toSorted());
	const examples = [...readme.matchAll(/\b([a-z]+):[<>]?[\w.]+/g)].map(match => match[1] ?? '');
	expect(examples.filter(name => ['http', 'https'].includes(name))).toEqual([]);
});

test('the README names every subcommand, and none that is not there', () => {
	const all = commands.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
	const missing = all.filter(name => !new RegExp(`[\`|\\s]${name}\\b`).test(readme));
	expect(missing).toEqual([]);
	const firsts = new Set(commands.map(({ name }) => name.split(' ')[0]));
	const used = [...readme.matchAll(/(?:`|^|\$\(|\()crowsnest ([a-z]+)/gm)].map(
		match => match[1] ?? '',
	);
	expect(used.length).toBeGreaterThan(10);
	expect(used.filter(name => !firsts.has(name))).toEqual([]);
});

test('the exit codes of the README are those of the program', () => {
	const [, list = ''] = /Exit codes: ([^.]+)\./.exec(readme) ?? [];
	const codes = list.split(', ').map(each => Number(each.split(' ')[0]));
	expect(codes.toSorted((a, b) => a - b)).toEqual(
		Object.values(exitCodes).toSorted((a: number, b: number) => a - b),
	);
});

test('the table of environment variables has a row for each that the program reads', () => {
	const lines = section('Configuration')
		.split('\n')
		.filter(line => line.startsWith('| `'));
	const named = lines.flatMap(line =>
		[...(line.split(' | ')[0] ?? '').matchAll(/`([A-Z_]+)`/g)].map(match => match[1] ?? ''),
	);
	const known = Object.keys(environmentMeanings).flatMap(names => names.split(', '));
	expect(named.toSorted()).toEqual(known.toSorted());
});

test('the section about the configuration names every setting', () => {
	const text = section('Configuration');
	const names = Object.keys({ ...accountSettings, ...preferenceSettings });
	expect(names.filter(name => !text.includes(`\`${name}\``))).toEqual([]);
});
