import { commandSettings } from '../../source/accounts/command-settings.ts';
import {
	hookFields,
	hookKinds,
	hookSettings,
	hookVariables,
} from '../../source/accounts/hook-settings.ts';
import type { folderVariables } from '../../source/accounts/paths.ts';
import {
	exampleOf,
	explanationOf,
	type SettingTable,
} from '../../source/accounts/setting-values.ts';
import {
	accountSettings,
	type accountVariables,
	noticeSettings,
	preferenceSettings,
	profileSettings,
	type profileVariable,
	programSettings,
	questionSettings,
	sshSettings,
	themeSettings,
} from '../../source/accounts/settings.ts';
import { commands as allCommands } from '../../source/cli/catalog.ts';
import type { Command } from '../../source/cli/command.ts';
import { fieldNames as statusFields } from '../../source/cli/commands/status.ts';
import { commonOptions, jsonFormText, optionText, usageOf } from '../../source/cli/help.ts';
import { accountEventNames, changeFilter } from '../../source/fleet/change.ts';
import { modelFilter } from '../../source/fleet/computers/account.ts';
import { type FieldName, fields, orderFields } from '../../source/fleet/computers/fields.ts';
import { commandVariables, placeholderNames } from '../../source/fleet/operations/operation-row.ts';
import { exitCodes } from '../../source/foundation/error.ts';
import type { JsonFields } from '../../source/foundation/json.ts';
import { actions, playerActions } from '../../source/monitor/actions/table.ts';
import { liveSettingRows } from '../../source/monitor/live-settings.ts';
import { metrics } from '../../source/script/metrics-file.ts';
import { errorFields, noticeFields } from '../../source/script/stderr.ts';
import { faultNames } from '../../source/simulator/endpoints/faults.ts';
import { shapeNames } from '../../source/simulator/endpoints/shapes.ts';
import { columns } from '../../source/views/fleet/columns.ts';
import {
	helpGroups,
	helpHeadings,
	shownKey,
	viewPlaces,
	type Where,
} from '../../source/views/keys.ts';
import { groupings } from '../../source/views/look/screen.ts';
import { views } from '../../source/views/look/view-table.ts';
import { accountField } from '../../source/views/records.ts';
import type { Action } from '../../source/views/scene.ts';

// What does not come from a table. The types require an entry for each exit code, variable and filter field.

const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
	done: 'Done, or there was nothing to do: no computer matches --filter.',
	failed: 'The command failed, or failed for some of the computers.',
	usage: 'The command line or the configuration is wrong. Nothing was sent.',
	cancelled: 'A question was answered with no, or the command took longer than --timeout.',
	notSignedIn: 'Not signed in: no account is configured, or its credentials were refused.',
	partial:
		'Several accounts were asked for, and at least one of them failed. The output has the others.',
	interrupted: 'Interrupted, for example with Ctrl-C.',
};

type OwnVariableName =
	| (typeof accountVariables)[keyof typeof accountVariables]['name']
	| typeof profileVariable
	| (typeof folderVariables)[keyof typeof folderVariables];

const environmentMeanings: Readonly<Record<OwnVariableName, string>> & Record<string, string> = {
	CROWSNEST_URL: 'The base URL of the platform; ends in /v1.',
	CROWSNEST_AUTH_URL: 'The URL of the identity provider.',
	CROWSNEST_ANON_KEY: 'The key that the identity provider calls apikey.',
	CROWSNEST_EMAIL: 'The e-mail to sign in with.',
	CROWSNEST_PASSWORD: 'The password. It is never stored.',
	CROWSNEST_TOKEN: 'An access token, instead of e-mail and password.',
	CROWSNEST_PROFILE:
		'The profiles to use when --profile names none. Several have commas between them.',
	CROWSNEST_CONFIG_DIR: 'The folder of config.toml (default: $XDG_CONFIG_HOME/crowsnest).',
	CROWSNEST_STATE_DIR: 'The folder for state between runs (default: $XDG_STATE_HOME/crowsnest).',
	'HTTPS_PROXY, NO_PROXY': 'The proxy, and the hosts that are reached directly.',
	NODE_EXTRA_CA_CERTS: 'Certificates to trust in addition to those of Node.',
	NO_COLOR: 'Disables colours.',
	'TERM, LANG': 'What the terminal supports: colours and UTF-8.',
};

const fileMeanings: Readonly<Record<string, string>> = {
	'~/.config/crowsnest/config.toml':
		'Profiles, preferences and own commands. `crowsnest config --example` explains every setting.',
	'~/.local/state/crowsnest/log/': 'Past changes, credits over time and the last known fleet.',
	'~/.local/state/crowsnest/limits/': 'The requests that count against the rate limits.',
	'~/.local/state/crowsnest/tokens/': 'Access tokens, readable only by their owner.',
	'~/.local/state/crowsnest/reports/': 'Crash reports.',
};

const filterMeanings = new Map(
	['account', ...Object.keys(fields)].map(name => [name, fields[name as FieldName].meaning]),
);

const commands = allCommands.filter(({ isHidden }) => !isHidden);

/** The settings by the table of the configuration in which they stand. */
const settings: Readonly<Record<string, SettingTable>> = {
	'': { ...programSettings, ...preferenceSettings },
	'[profiles.NAME]': { ...accountSettings, ...profileSettings },
	'[theme]': themeSettings,
	'[ssh]': sshSettings,
	'[confirm]': questionSettings,
	'[notify]': noticeSettings,
	'[commands.NAME]': commandSettings,
	'[[hooks]]': hookSettings,
};

const logFilterFields = Object.keys(changeFilter(new Set(), () => '').fields);

const columnNames = columns.map(({ name }) => name);

const isInAllViews = ({ where }: Action) => viewPlaces.every(view => where.includes(view));

/** The keys below the first place in which they work, in the order of the help. */
function keysByPlace() {
	const placeOf = (action: Action) => {
		const places: Where = isInAllViews(action) ? ['everywhere'] : action.where;
		return helpHeadings.find(([place]) => places.includes(place))?.[0];
	};
	return helpHeadings
		.map(([place, title]) => {
			const keys = actions.filter(each => each.keys.length > 0 && placeOf(each) === place);
			return { place, title, keys };
		})
		.filter(({ keys }) => keys.length > 0);
}

/** What the keys of a place are for, where the table does not say it. */
const notesOfPlaces: Partial<Readonly<Record<Where[number], string>>> = {
	map: `\`m\` shows up to ten thousand computers at a glance. A cell is a computer, with its name where there is room, or stands for
several and shows the worst of them. The cursor, the filter, the marks and the operations are those of the table.`,
	filter: `A filter has words and fields, as in \`status:stopped cpu:>80 -test\`: [all fields](reference.md#filters). Tab completes a
field, then its values, and says how many computers each would leave. Down leads into the rows. Enter keeps the filter, Esc
brings back the one before, and the next Esc clears that. Earlier texts are kept for the account; passwords and typed
confirmations have none.`,
	palette: `\`:\` finds actions, computers, filters, columns and settings from a few letters. \`stop vega\` asks what the key would ask.
\`save hot\` names the filter of the table, \`hot\` applies it, \`rename hot errors\` gives it another name, and \`forget hot\` removes
it. \`sign out\` signs out of the account under the cursor: its stored token is removed, what waits to be sent is cancelled, and
its rows stay and grow old until \`l\` signs in.`,
};

const notice = '<!-- Written by `npm run screens` from the tables of the program. -->';

export function keysPage(): string {
	return page(
		'Keys',
		'`?` shows the keys of the place you are in, and `/` there searches all. `[keys]` in the configuration gives an action\nother keys by its name: `stop = "ctrl-x"`, a list, or `[]` for none.',
		`No view uses ${freeKeys().map(code).join(' ')}.`,
		...keysByPlace().map(({ place, title, keys }) => {
			const groups = helpGroups
				.map(group => [group, keys.filter(each => each.group === group)] as const)
				.filter(([, some]) => some.length > 0);
			const tables =
				keys.length > 12 && groups.length > 2
					? groups.map(([group, some]) => section(`### ${group}`, keyTable(some)))
					: [keyTable(keys)];
			return section(title, notesOfPlaces[place] ?? '', ...tables);
		}),
		section(
			'In a replay',
			'The other keys work as well, if they need no platform.',
			keyTable(playerActions),
		),
	);
}

/** The letters that no action has in any view, for the next one and for own commands. */
function freeKeys(): readonly string[] {
	const shown: Where = [...viewPlaces, 'map', 'everywhere'];
	const taken = actions.filter(({ where }) => where.some(place => shown.includes(place)));
	const letters = [...'abcdefghijklmnopqrstuvwxyz'].flatMap(each => [each, each.toUpperCase()]);
	return letters.filter(letter => !taken.some(({ keys }) => keys.includes(letter)));
}

const keyTable = (keys: readonly Action[]) =>
	table(
		['key', 'what it does', 'name'],
		keys.map(({ keys: some, help, id }) => [
			some.map(key => code(shownKey(key))).join(' '),
			sentence(help),
			code(id),
		]),
	);

export function referencePage(): string {
	return page(
		'Reference',
		'[Commands](#commands) · [JSON](#json) · [Exit codes](#exit-codes) · [Filters](#filters) · [Settings](#settings) · [Hooks](#hooks) · [Environment](#environment) · [Files](#files) · [The simulator](#the-simulator)\n\nKeys have [a page of their own](keys.md).',
		section(
			'Commands',
			`Commands share the rules, rate limits and checks of the monitor. A name works wherever an id does, if only one computer has it. A
command that asks needs a terminal, or \`--yes\`. \`--wait\` returns when the operation has ended, and \`--timeout 90s\` limits any
waiting; what a command waits for stands on standard error.`,
			`${commands
				.filter(takesSeveral)
				.map(({ name }) => code(name))
				.join(', ')} take several accounts (\`--profile work,lab\`, \`--all-profiles\`).
An account that fails is reported on standard error and does not hold back the others; tables begin with the column ACCOUNT. A
command that changes something works on one account: \`lab/nova\`, or \`--profile lab\`.`,
			...commands.map(commandSection),
		),
		section(
			'JSON',
			'With `--json`, standard output holds only JSON. Field names never change, and times are in ISO 8601. A value that nobody\nhas read yet is null, as is one that does not exist: `list` and `show` name the former in `notRead`, `status` and `versions` count\nthem. Each line on standard error is an object with `error` or `notice`.',
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
			'In the monitor, a word matches the name, id, address, status, version, stage, error and location; in commands only the name, id\nand address. `FIELD:VALUE` matches one field, with `<` `>` `<=` `>=` where it has an order. All terms must match, `-`\nnegates one, `OR` separates groups, and quotes keep words together: `status:stopped version:<1.4 OR -name:test`.',
			table(['field', 'what it matches'], [...filterMeanings].map(named)),
			section(
				'### In the log',
				'As in `atlas who:you kind:stop OR kind:failure since:1d`. A word matches the text of a line.',
				explained(logFilterFields, {
					who: 'Who caused it: `you`, an e-mail address or `platform`',
					kind: 'What it was: `status`, `operation`, `credits`, `release`, `hook`, an operation such as `stop`, how it ended, or `failure` for all that went wrong',
					pane: 'The process that asked: `you` for this one, or the number of another',
					since: 'At most this old: `since:8h`',
					on: 'On a day: `on:tue`, `today`, `yesterday`, `11-21`',
				}),
			),
			section(
				'### In the models',
				'As in `coder owner:rigging context:>128k OR input:0.5..1`. A word matches the id and the owner.',
				explained(Object.keys(modelFilter.fields), {
					owner: 'Who offers the model',
					context: 'The size of the context, in tokens',
					input: 'The price of what is sent',
					output: 'The price of what comes back',
				}),
			),
			section('### Orders and columns'),
			`A list is ordered by ${orderFields.map(code).join(', ')}.`,
			`Its columns are ${columnNames.map(code).join(', ')}.`,
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
				Object.entries(shapeNames).map(([name, all]) => [code(name), all.map(code).join(' ')]),
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
			({ json }) => json?.fields === fields && json.formForSeveral,
		);
		const shown = isForSeveral ? { ...accountField, ...fields } : fields;
		return section(`### ${names.map(code).join(', ')}`, fieldTable(shown));
	});
}

const settingSection = ([place, rows]: readonly [string, SettingTable]) =>
	section(
		place === '' ? '### For all profiles, or in one' : `### \`${place}\``,
		table(
			['setting', 'example', 'meaning'],
			Object.entries(rows).map(([name, row]) => [
				code(name),
				code(exampleOf(row)),
				explanationOf(row),
			]),
		),
	);

/** Returns the table of fields. A field that has no explanation yet makes the test fail. */
function explained(names: readonly string[], meanings: Readonly<Record<string, string>>): string {
	const rows = names.map(name => {
		const meaning = meanings[name];
		if (meaning === undefined) throw new Error(`Explain the field ${name} of the filter`);
		return named([name, meaning]);
	});
	return table(['name', 'meaning'], rows);
}

const takesSeveral = ({ options }: Command) => options.some(({ name }) => name === 'all-profiles');

const fieldTable = (fields: Readonly<Record<string, string>>) =>
	table(['name', 'meaning'], Object.entries(fields).map(named));

const named = ([name, meaning]: readonly [string, string]) => [code(name), sentence(meaning)];

const sentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const page = (title: string, ...parts: readonly string[]) =>
	`# ${title}\n\n${notice}\n\n${parts.filter(Boolean).join('\n\n')}\n`;

const section = (title: string, ...parts: readonly string[]) =>
	[title.startsWith('#') ? title : `## ${title}`, ...parts.filter(Boolean)].join('\n\n');

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
	const cellOf = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
	return [titles, titles.map(() => '---'), ...rows]
		.map(cells => `| ${cells.map(cellOf).join(' | ')} |`)
		.join('\n');
}

const code = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

/** Returns a line for each thing that a person can use, in the order of the alphabet, so that a moved row is no change. */
export function inventoryLines(): readonly string[] {
	const line = (kind: string, ...words: readonly string[]) =>
		`${kind}: ${words.filter(Boolean).join('  ')}`.replaceAll('\n', ' ');
	const lines = (kind: string, names: readonly string[]) => names.map(name => line(kind, name));
	return [
		...[
			...actions.flatMap(keyPlaces),
			...playerActions.map(key => ['in a replay', key] as const),
		].map(([place, { id, keys }]) =>
			line('key', `${place}:`, id, keys.map(shownKey).join(' ') || 'only in the palette'),
		),
		...lines('view', views),
		...commands.flatMap(({ name, aliases = [], options, json }) => [
			line('command', [name, ...aliases].join(', ')),
			...options.map(option => line('option', name, optionText(option))),
			...(json ? Object.keys(json.fields).map(field => line('json', name, field)) : []),
		]),
		...commonOptions.map(option => line('option', 'every command', optionText(option))),
		...lines('field of status --format', statusFields),
		...Object.keys(metrics).map(name => line('metric', `crowsnest_${name}`)),
		...Object.entries(exitCodes).map(([name, exit]) => line('exit code', String(exit), name)),
		...Object.entries(settings).flatMap(([place, rows]) =>
			Object.keys(rows).map(name => line('setting', place, name)),
		),
		...lines('setting', ['theme', 'confirm', 'notify', 'keys']),
		...liveSettingRows.flatMap(({ name, words }) =>
			words.map(word => line('setting in the palette', name.replace('notify.', ''), word)),
		),
		...lines('variable', Object.keys(environmentMeanings)),
		...lines('variable of own commands', Object.keys(commandVariables)),
		...lines('placeholder', placeholderNames),
		...lines('event of an account', accountEventNames),
		...lines('event of hooks', hookKinds),
		...lines('variable of hooks', Object.keys(hookVariables)),
		...lines('field of hooks', Object.keys(hookFields)),
		...lines('filter field', [...filterMeanings.keys()]),
		...lines('filter field of the log', logFilterFields),
		...lines('filter field of the models', Object.keys(modelFilter.fields)),
		...lines('order', orderFields),
		...lines('column', columnNames),
		...lines('group of the map', groupings),
		...lines('colour of the map', groupings),
		...Object.entries(shapeNames).flatMap(([name, variants]) =>
			variants.map(variant => line('shape', `${name}=${variant}`)),
		),
		...lines('fault target', faultNames.target),
		...lines('fault kind', faultNames.kind),
	].toSorted();
}

/** Returns each place in which a key works. What works in all views is named once. */
function keyPlaces(action: Action): readonly (readonly [place: string, key: Action])[] {
	const isInViews = isInAllViews(action);
	const places = action.where.filter(
		place => !isInViews || !viewPlaces.some(view => view === place),
	);
	return [...(isInViews ? ['all views'] : []), ...places].map(place => [place, action]);
}
