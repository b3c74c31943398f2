import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accountSettings } from '../source/accounts/account-setting-table.ts';
import { profileSettings, programSettings } from '../source/accounts/config-table.ts';
import { hookSettings, hookVariables } from '../source/accounts/hook-settings.ts';
import { preferenceSettings } from '../source/accounts/setting-table.ts';
import { commands } from '../source/cli/catalog.ts';
import { environmentMeanings } from '../source/cli/manual/page.ts';
import { fields } from '../source/fleet/computers/field.ts';
import { commandVariables } from '../source/fleet/operations/own-command.ts';
import { bindings } from '../source/keys/bindings.ts';
import { views } from '../source/screen/view-table.ts';
import { exitCodes } from '../source/shell/command.ts';

// The README names keys, settings, commands and variables. These tests compare it with the tables of the
// program in both directions.
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

// The README writes these keys as words or as ranges.
const keysOfWords: Readonly<Record<string, readonly string[]>> = {
	arrows: ['up', 'down', 'left', 'right'],
	PgUp: ['pageup'],
	PgDn: ['pagedown'],
	Enter: ['enter'],
	Esc: ['escape'],
	Space: ['space'],
	'Shift-Tab': ['shift-tab'],
	Tab: ['tab'],
	'Ctrl-D': ['ctrl-d'],
	'Ctrl-U': ['ctrl-u'],
	'Shift-Down': ['shift-down'],
	'Shift-Up': ['shift-up'],
	'Ctrl-L': ['ctrl-l'],
	'Ctrl-Z': ['ctrl-z'],
	'Ctrl-C': ['ctrl-c'],
	'`1` to `5`': ['1', '2', '3', '4', '5'],
};

const keysInReadme = rows.flatMap(row => {
	const spelled = Object.entries(keysOfWords).filter(([word]) => row.includes(word));
	return [
		...[...row.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''),
		...spelled.flatMap(([, keys]) => keys),
	];
});

const viewBindings = bindings.filter(({ contexts }) =>
	contexts.some(context => [...views, 'map', 'everywhere'].some(each => each === context)),
);
const bound = new Set(viewBindings.flatMap(({ keys }) => keys));

test('every key that the README names has a binding', () => {
	expect(keysInReadme.length).toBeGreaterThan(40);
	expect(keysInReadme.filter(key => !bound.has(key))).toEqual([]);
});

test('the README names at least one key of every binding of the views', () => {
	const known = new Set(keysInReadme);
	const missing = viewBindings.filter(
		({ keys }) => keys.length > 0 && !keys.some(key => known.has(key)),
	);
	expect(missing.map(({ action, keys }) => `${action}: ${keys.join(' ')}`)).toEqual([]);
});

test('the README names the same environment variables as the program reads', () => {
	const inReadme = new Set(readme.match(/\bCROWSNEST_[A-Z_]+\b/g));
	expect([...inReadme].toSorted()).toEqual(
		Object.keys({ ...environmentMeanings, ...hookVariables, ...commandVariables })
			.filter(name => name.startsWith('CROWSNEST_'))
			.toSorted(),
	);
	const others = Object.keys(environmentMeanings).flatMap(names => names.split(', '));
	expect(others.filter(name => !readme.includes(`\`${name}\``))).toEqual([]);
});

test('the README lists every field of the filter', () => {
	const [, list = ''] =
		/fields of a filter are ([^.]+)\./i.exec(readme.replaceAll('\n', ' ')) ?? [];
	const keysInReadme = [...list.matchAll(/`(\w+)`/g)].map(match => match[1] ?? '');
	expect(keysInReadme.toSorted()).toEqual(Object.keys(fields).toSorted());
	const examples = [...readme.matchAll(/\b([a-z]+):[<>]?[\w.]+/g)].map(match => match[1] ?? '');
	expect(examples.filter(name => ['http', 'https'].includes(name))).toEqual([]);
});

test('the README names every subcommand, and none that does not exist', () => {
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

test('the README lists the exit codes of the program', () => {
	const [, list = ''] = /Exit codes: ([^.]+)\./.exec(readme) ?? [];
	const codes = list.split(', ').map(each => Number(each.split(' ')[0]));
	expect(codes.toSorted((a, b) => a - b)).toEqual(
		Object.values(exitCodes).toSorted((a: number, b: number) => a - b),
	);
});

test('the table in the README has a row for each environment variable', () => {
	const lines = section('Configuration')
		.split('\n')
		.filter(line => line.startsWith('| `'));
	const keysInReadme = lines.flatMap(line =>
		[...(line.split(' | ')[0] ?? '').matchAll(/`([A-Z_]+)`/g)].map(match => match[1] ?? ''),
	);
	const known = Object.keys(environmentMeanings).flatMap(names => names.split(', '));
	expect(keysInReadme.toSorted()).toEqual(known.toSorted());
});

test('the configuration section of the README names every setting', () => {
	const text = section('Configuration');
	const names = Object.keys({
		...accountSettings,
		...profileSettings,
		...programSettings,
		...preferenceSettings,
		...hookSettings,
	});
	expect(names.filter(name => !text.includes(`\`${name}\``))).toEqual([]);
});
