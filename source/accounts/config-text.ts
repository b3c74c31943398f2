import { parse, TomlError } from 'smol-toml';
import { type CommandSettings, commandExample, ownCommandsFrom } from './command-settings.ts';
import { type HookSettings, hookExample, hooksFrom } from './hook-settings.ts';
import {
	exampleOf,
	explanationOf,
	isProfileName,
	profileNameRule,
	readSetting,
	type SettingProblem,
	type SettingTable,
	tomlKeyText,
} from './setting-values.ts';
import {
	accountSettings,
	type ConfigValues,
	configSchema,
	noticeSettings,
	type ProfileValues,
	preferenceSettings,
	preferenceTables,
	profileSettings,
	programSettings,
	questionSettings,
} from './settings.ts';
import { sharedShortNames } from './short-names.ts';

export type Config = Omit<ConfigValues, 'commands' | 'hooks' | 'profiles'> & {
	commands: CommandSettings;
	hooks: HookSettings;
	profiles: ReadonlyMap<string, ProfileValues>;
};

export function configFrom(text: string): { config: Config; problems: readonly SettingProblem[] } {
	const { table, problem } = parsedTable(text);
	const { value = {}, problems } = readSetting(configSchema, table, []);
	const profiles = value.profiles ?? new Map<string, ProfileValues>();
	const reject = (path: readonly string[], rule: string) => {
		return { message: `${path.map(tomlKeyText).join('.')} ${rule}`, isInFile: true };
	};
	const wrongNames = [...profiles.keys()].filter(name => !isProfileName(name));
	return {
		config: {
			...value,
			commands: ownCommandsFrom(table['commands']),
			hooks: hooksFrom(table['hooks']),
			profiles,
		},
		problems: [
			...(problem ? [problem] : problems),
			...wrongNames.map(name => reject(['profiles', name], profileNameRule)),
			...sharedShortNames(profiles).map(({ name, otherName }) =>
				reject(
					['profiles', name, 'short'],
					`already names the profile ${tomlKeyText(otherName)}; choose another short name`,
				),
			),
		],
	};
}

function parsedTable(text: string): {
	table: Readonly<Record<string, unknown>>;
	problem?: SettingProblem;
} {
	try {
		return { table: parse(text) };
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		// The other lines of the parser's message quote the file, which may contain secrets.
		const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
		const message = `not valid TOML in line ${error.line}: ${reason}`;
		return { table: {}, problem: { message, isInFile: true } };
	}
}

export function configExample(): string {
	const { confirm, notify, keys } = preferenceTables;
	return [
		'# The configuration of crowsnest. Remove the # in front of a setting to use it.',
		'# Command-line options and the environment override this file.\n',
		exampleLinesOf(programSettings),
		'# The next settings apply to all profiles. In a profile, they override those for all profiles.\n',
		exampleLinesOf(preferenceSettings),
		`${commentFrom(explanationOf(notify))}#[notify]`,
		exampleLinesOf(noticeSettings),
		`${commentFrom(explanationOf(keys))}#[keys]`,
		'#stop = "ctrl-x"\n#palette = [":", "ctrl-p"]\n',
		commandExample,
		hookExample,
		'# A profile for each account, with a name of your choice. `crowsnest login` writes it for you.',
		'#[profiles.work]',
		exampleLinesOf({ ...accountSettings, ...profileSettings }),
		`${commentFrom(explanationOf(confirm))}#[profiles.work.confirm]`,
		exampleLinesOf(questionSettings),
	].join('\n');
}

const exampleLinesOf = (table: SettingTable) =>
	Object.entries(table)
		.map(([name, row]) => `${commentFrom(explanationOf(row))}#${name} = ${exampleOf(row)}\n`)
		.join('');

const commentFrom = (explanation: string) =>
	explanation.replace(/^(?=.)/gm, '# ') + (explanation === '' ? '' : '\n');
