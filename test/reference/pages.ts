import { accountSettings } from '../../source/accounts/account-setting-table.ts';
import { commandSettings } from '../../source/accounts/command-settings.ts';
import { profileSettings, programSettings } from '../../source/accounts/config-table.ts';
import { hookFields, hookSettings, hookVariables } from '../../source/accounts/hook-settings.ts';
import { noticeSettings } from '../../source/accounts/notice-settings.ts';
import { questionSettings } from '../../source/accounts/question-settings.ts';
import { preferenceSettings } from '../../source/accounts/setting-table.ts';
import { commands as allCommands } from '../../source/cli/catalog.ts';
import {
	environmentMeanings,
	exitMeanings,
	fileMeanings,
	filterMeanings,
} from '../../source/cli/manual/page.ts';
import { orderFields } from '../../source/fleet/computers/order-fields.ts';
import { commandVariables, placeholderNames } from '../../source/fleet/operations/own-command.ts';
import { type Binding, helpHeadings, viewContexts } from '../../source/keys/binding.ts';
import { bindings } from '../../source/keys/bindings.ts';
import { shownKey } from '../../source/keys/shown-keys.ts';
import { type Command, exitCodes, type JsonFields } from '../../source/shell/command.ts';
import { accountField, errorFields, noticeFields } from '../../source/shell/errors.ts';
import { commonOptions, jsonFormText, optionText, usageOf } from '../../source/shell/help.ts';
import { faultNames } from '../../source/simulator/endpoints/faults.ts';
import { shapeNames } from '../../source/simulator/endpoints/shapes.ts';
import { columns } from '../../source/wording/table/columns.ts';

const commands = allCommands.filter(({ isHidden }) => !isHidden);

type SettingRows = Readonly<Record<string, { explanation: string; example: string }>>;

/** The settings by the table of the configuration in which they stand. */
const settings: Readonly<Record<string, SettingRows>> = {
	'': { ...programSettings, ...withoutTables(preferenceSettings) },
	'[profiles.NAME]': { ...accountSettings, ...profileSettings },
	'[confirm]': questionSettings(),
	'[notify]': noticeSettings,
	'[commands.NAME]': commandSettings,
	'[[hooks]]': hookSettings,
};

function withoutTables({
	confirm: _,
	notify: __,
	keys: ___,
	...simple
}: typeof preferenceSettings) {
	return simple;
}

/** The keys below the first place in which they work, in the order of the help. */
function keysByPlace(): readonly (readonly [place: string, keys: readonly Binding[]])[] {
	const listed = bindings.filter(({ keys }) => keys.length > 0);
	const placeOf = ({ contexts }: Binding) => {
		const isEverywhere = viewContexts.every(view => contexts.includes(view));
		const places = isEverywhere ? ['everywhere'] : contexts;
		return helpHeadings.find(([place]) => places.includes(place))?.[1];
	};
	return helpHeadings.flatMap(([, title]) => {
		const keys = listed.filter(binding => placeOf(binding) === title);
		return keys.length > 0 ? [[title, keys] as const] : [];
	});
}

const notice = '<!-- Written by `npm run screens` from the tables of the program. -->';

export function keysPage(): string {
	const sections = keysByPlace().map(([place, keys]) =>
		section(
			place,
			table(
				['key', 'what it does', 'name'],
				keys.map(({ keys: some, help, action }) => [
					some.map(key => code(shownKey(key))).join(' '),
					sentence(help),
					code(action),
				]),
			),
		),
	);
	return page(
		'Keys',
		'`?` shows the keys of the place you are in, and `/` there searches all. `[keys]` in the configuration gives an action\nother keys by its name: `stop = "ctrl-x"`, a list, or `[]` for none.',
		...sections,
	);
}

export function referencePage(): string {
	return page(
		'Reference',
		'[Commands](#commands) · [JSON](#json) · [Exit codes](#exit-codes) · [Filters](#filters) · [Settings](#settings) · [Hooks](#hooks) · [Environment](#environment) · [Files](#files) · [The simulator](#the-simulator)\n\nKeys have [a page of their own](keys.md).',
		section('Commands', ...commands.map(commandSection)),
		section(
			'JSON',
			'With `--json`, standard output holds only JSON. Field names never change; a value that is not known is null, and times\nare in ISO 8601. Each line on standard error is an object with `error` or `notice`.',
			...jsonSections(),
			section('### `error`', fieldTable(errorFields)),
			section('### `notice`', fieldTable(noticeFields)),
		),
		section(
			'Exit codes',
			table(
				['code', 'meaning'],
				Object.entries(exitCodes).map(([name, exit]) => [
					String(exit),
					exitMeanings[name as keyof typeof exitCodes],
				]),
			),
		),
		section(
			'Filters',
			'Words match; `FIELD:VALUE` matches one field, with `<` `>` `<=` `>=` where it has an order. All terms must match, `-`\nnegates one, `OR` separates groups, and quotes keep words together: `status:stopped version:<1.4 OR -name:test`.',
			table(['field', 'what it matches'], Object.entries(filterMeanings).map(named)),
			`A list is ordered by ${orderFields.map(code).join(', ')}.`,
			`Its columns are ${columns.map(({ name }) => code(name)).join(', ')}.`,
		),
		section('Settings', ...Object.entries(settings).map(settingSection)),
		section(
			'Hooks',
			'The fields of the object on standard input:',
			fieldTable(hookFields),
			'The variables in the environment:',
			fieldTable(hookVariables),
		),
		section(
			'Environment',
			fieldTable(environmentMeanings),
			`Own commands have ${Object.keys(commandVariables).map(code).join(', ')}, and their arguments may be ${placeholderNames.map(name => code(`{${name}}`)).join(', ')}.`,
		),
		section('Files', fieldTable(fileMeanings)),
		section(
			'The simulator',
			'`--shapes NAME=VARIANT,…` changes what the answers look like; the first variant is the default:',
			table(
				['shape', 'variants'],
				Object.entries(shapeNames).map(([name, variants]) => [
					code(name),
					variants.map(code).join(' '),
				]),
			),
			`\`--faults TARGET:KIND[:CHANCE]\` makes requests fail. Targets: ${faultNames.target.map(code).join(' ')}. Kinds: ${faultNames.kind.map(code).join(' ')}.`,
		),
	);
}

function commandSection(command: Command): string {
	const { name, summary, description, options, examples, json } = command;
	return section(
		`### \`${name}\``,
		`\`${usageOf(command)}\`: ${summary}.`,
		...(description ? [fenced('text', description)] : []),
		options.length > 0
			? table(
					['option', 'meaning'],
					options.map(option => [code(optionText(option)), sentence(option.help)]),
				)
			: '',
		json ? `${jsonFormText(json).replace('--json', '`--json`')}; see [JSON](#json).` : '',
		...(examples.length > 0 ? [fenced('sh', examples.join('\n'))] : []),
	);
}

/** Commands that print the same fields share one section. */
function jsonSections(): readonly string[] {
	const namesByFields = new Map<JsonFields, string[]>();
	for (const { name, json } of commands)
		if (json) namesByFields.set(json.fields, [...(namesByFields.get(json.fields) ?? []), name]);
	return [...namesByFields].map(([fields, names]) => {
		const isForSeveral = commands.some(
			({ json }) => json?.fields === fields && json.formForSeveral !== undefined,
		);
		return section(
			`### ${names.map(code).join(', ')}`,
			fieldTable(isForSeveral ? { ...accountField, ...fields } : fields),
		);
	});
}

const settingSection = ([place, rows]: readonly [string, SettingRows]) =>
	section(
		place === '' ? '### For all profiles, or in one' : `### \`${place}\``,
		table(
			['setting', 'example', 'meaning'],
			Object.entries(rows)
				.filter(([, { example }]) => example !== '')
				.map(([name, { explanation, example }]) => [code(name), code(example), explanation]),
		),
	);

const fieldTable = (fields: Readonly<Record<string, string>>) =>
	table(['name', 'meaning'], Object.entries(fields).map(named));

const named = ([name, meaning]: readonly [string, string]) => [code(name), sentence(meaning)];

const sentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const page = (title: string, ...parts: readonly string[]) =>
	`# ${title}\n\n${notice}\n\n${parts.filter(Boolean).join('\n\n')}\n`;

const section = (title: string, ...parts: readonly string[]) =>
	[title.startsWith('#') ? title : `## ${title}`, ...parts.filter(Boolean)].join('\n\n');

const table = (titles: readonly string[], rows: readonly (readonly string[])[]) =>
	[titles, titles.map(() => '---'), ...rows]
		.map(
			cells =>
				`| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
		)
		.join('\n');

const code = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

/** Returns a line for each thing that a person can use. */
export function inventoryLines(): readonly string[] {
	const line = (kind: string, ...words: readonly string[]) =>
		`${kind}: ${words.filter(Boolean).join('  ')}`.replaceAll('\n', ' ');
	return [
		...keysByPlace().flatMap(([place, keys]) =>
			keys.map(({ keys: some, action }) =>
				line('key', `${place}:`, action, some.map(shownKey).join(' ')),
			),
		),
		...commands.flatMap(({ name, aliases = [], options, json }) => [
			line('command', [name, ...aliases].join(', ')),
			...options.map(option => line('option', name, optionText(option))),
			...(json ? Object.keys(json.fields).map(field => line('json', name, field)) : []),
		]),
		...commonOptions.map(option => line('option', 'every command', optionText(option))),
		...Object.entries(exitCodes).map(([name, exit]) => line('exit code', String(exit), name)),
		...Object.entries(settings).flatMap(([place, rows]) =>
			Object.keys(rows).map(name => line('setting', place, name)),
		),
		...['confirm', 'notify', 'keys'].map(name => line('setting', name)),
		...Object.keys(environmentMeanings).map(name => line('variable', name)),
		...Object.keys(commandVariables).map(name => line('variable of own commands', name)),
		...placeholderNames.map(name => line('placeholder', name)),
		...Object.keys(hookVariables).map(name => line('variable of hooks', name)),
		...Object.keys(hookFields).map(name => line('field of hooks', name)),
		...Object.keys(filterMeanings).map(name => line('filter field', name)),
		...orderFields.map(name => line('order', name)),
		...columns.map(({ name }) => line('column', name)),
		...Object.entries(shapeNames).flatMap(([name, variants]) =>
			variants.map(variant => line('shape', `${name}=${variant}`)),
		),
		...faultNames.target.map(name => line('fault target', name)),
		...faultNames.kind.map(name => line('fault kind', name)),
	];
}
