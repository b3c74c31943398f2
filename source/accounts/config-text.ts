import { parse, TomlError } from 'smol-toml';
import { commandPresets, ownCommandsFrom } from './command-settings.ts';
import { type HookSettings, hookExample, hooksFrom, noHooks } from './hook-settings.ts';
import {
	createSettingPath,
	type SettingProblem,
	type SettingTable,
	tomlKeyText,
} from './setting-reader.ts';
import { isProfileName } from './setting-values.ts';
import {
	accountSettings,
	type ConfigValues,
	noticeSettings,
	type ProfileValues,
	preferenceSettings,
	profileSettings,
	programSettings,
	questionSettings,
	readConfig,
} from './settings.ts';
import { sharedShortNames } from './short-names.ts';

export type Config = Omit<ConfigValues, 'hooks' | 'profiles'> & {
	hooks: HookSettings;
	profiles: ReadonlyMap<string, ProfileValues>;
};

/** Reads the settings of a configuration file, and collects everything that is wrong with them. */
export function configFrom(text: string): { config: Config; problems: readonly SettingProblem[] } {
	const parsed = parseTable(text);
	if ('problem' in parsed)
		return { config: { hooks: noHooks, profiles: new Map() }, problems: [parsed.problem] };
	const problems: SettingProblem[] = [];
	const values = readConfig(parsed.table, createSettingPath(problems)) ?? {};
	const profiles = values.profiles ?? new Map<string, ProfileValues>();
	for (const name of profiles.keys()) {
		if (isProfileName(name)) continue;
		createSettingPath(problems, ['profiles', name]).reject(profileNameRule);
	}
	for (const { name, otherName } of sharedShortNames(profiles)) {
		createSettingPath(problems, ['profiles', name, 'short']).reject(
			`already names the profile ${tomlKeyText(otherName)}; choose another short name`,
		);
	}
	return { config: { ...values, profiles, hooks: hooksFrom(values.hooks) }, problems };
}

export const profileNameRule =
	'cannot be the name of a profile: use letters, digits, "_", "-" and "."';

function parseTable(text: string): { table: unknown } | { problem: SettingProblem } {
	try {
		return { table: parse(text) };
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		// Only the first line of the parser's message is shown, because the other lines quote the file, which may
		// contain secrets.
		const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
		return {
			problem: { message: `not valid TOML in line ${error.line}: ${reason}`, isInFile: true },
		};
	}
}

/** Reads the own commands of a configuration file, and the mistakes in them. */
export function ownCommandsIn(text: string): ReturnType<typeof ownCommandsFrom> {
	return ownCommandsFrom(configFrom(text).config.commands);
}

/** Returns an example configuration in which every setting is explained and commented out. */
export function configExample(): string {
	const { confirm, notify, keys, ...simple } = preferenceSettings;
	return [
		'# The configuration of crowsnest. Remove the # in front of a setting to use it.',
		'# Command-line options and the environment override this file.\n',
		exampleLinesOf(programSettings),
		'# The next settings apply to all profiles. In a profile, they override those for all profiles.\n',
		exampleLinesOf(simple),
		`${commentFrom(notify.explanation)}#[notify]`,
		exampleLinesOf(noticeSettings),
		`${commentFrom(keys.explanation)}#[keys]`,
		'#stop = "ctrl-x"\n#palette = [":", "ctrl-p"]\n',
		commandPresets(),
		hookExample,
		'# A profile for each account, with a name of your choice. `crowsnest login` writes it for you.',
		'#[profiles.work]',
		exampleLinesOf({ ...accountSettings, ...profileSettings }),
		`${commentFrom(confirm.explanation)}#[profiles.work.confirm]`,
		exampleLinesOf(questionSettings()),
	].join('\n');
}

function exampleLinesOf(table: SettingTable): string {
	return Object.entries(table)
		.map(([name, { explanation, example }]) => `${commentFrom(explanation)}#${name} = ${example}\n`)
		.join('');
}

const commentFrom = (explanation: string) =>
	explanation.replace(/^(?=.)/gm, '# ') + (explanation === '' ? '' : '\n');
