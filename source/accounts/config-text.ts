import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { stateFileErrorText } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { type CommandSettings, commandExample, ownCommandsFrom } from './command-settings.ts';
import { type HookSettings, hookExample, hooksFrom } from './hook-settings.ts';
import { realPathOf, replaceFile } from './private-file.ts';
import {
	commentFrom,
	exampleLinesOf,
	explanationOf,
	isProfileName,
	profileNameRule,
	readSetting,
	type SettingProblem,
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
	sshSettings,
	themeSettings,
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
			...(problem ? [problem] : problems.map(each => ({ ...each, line: lineOf(each.path, text) }))),
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

function lineOf(path: string, text: string): number | undefined {
	const lines = new Map<string, number>();
	let table = '';
	for (const [at, line] of text.split('\n').entries()) {
		const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
		const key = /^\s*([\w."-]+)\s*=/.exec(line)?.[1];
		if (header !== undefined) table = header;
		const name = header ?? (key && table ? `${table}.${key}` : key);
		if (name !== undefined) lines.set(name, at + 1);
	}
	const names = path.split('.').map((_, at, all) => all.slice(0, all.length - at).join('.'));
	return names.map(name => lines.get(name)).find(line => line !== undefined);
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
	const { theme, confirm, notify, keys, ssh } = preferenceTables;
	return [
		'# The configuration of crowsnest. Remove the # in front of a setting to use it.',
		'# Command-line options and the environment override this file.\n',
		exampleLinesOf(programSettings),
		'# The next settings apply to all profiles. In a profile, they override those for all profiles.\n',
		exampleLinesOf(preferenceSettings),
		`${commentFrom(explanationOf(theme))}#[theme]`,
		exampleLinesOf(themeSettings),
		`${commentFrom(explanationOf(notify))}#[notify]`,
		exampleLinesOf(noticeSettings),
		`${commentFrom(explanationOf(ssh))}#[ssh]`,
		exampleLinesOf(sshSettings),
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

/** Never changes a profile that exists. Undefined if the file has it then; otherwise what to write. */
export function saveProfile(
	path: string,
	configText: string,
	name: string,
	values: Readonly<Record<string, string>>,
): string | undefined {
	const profile = configFrom(configText).config.profiles.get(name);
	const existing: Readonly<Record<string, unknown>> = { signIn: 'password', ...profile };
	const added = Object.entries(values).filter(([key, value]) => existing[key] !== value);
	if (profile && added.length === 0) return undefined;
	const tableOf = (entries: readonly (readonly [string, string])[]) =>
		[
			`[profiles.${tomlKeyText(name)}]`,
			...entries.map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
		].join('\n');
	// Nothing that a person types unseen is printed.
	const shown = tableOf(added.map(([key, value]) => [key, key === 'anonKey' ? '…' : value]));
	if (profile) return `${path} has a profile ${name} already. Change it there:\n\n${shown}\n`;
	const after = `${configText.trimEnd()}\n\n${tableOf(added)}\n`.trimStart();
	return saveConfig(path, configText, after, shown);
}

export function saveDefaultProfile(
	path: string,
	configText: string,
	name: string,
): string | undefined {
	const setting = `profile = ${JSON.stringify(name)}`;
	if (configFrom(configText).config.profile)
		return `${path} names another profile. Change it there:\n\n${setting}\n`;
	return saveConfig(path, configText, `${setting}\n\n${configText}`, setting);
}

function saveConfig(
	path: string,
	before: string,
	after: string,
	addition: string,
): string | undefined {
	if (configFrom(after).problems.length > configFrom(before).problems.length)
		return `${path} has tables in another form. Add there:\n\n${addition}\n`;
	try {
		// It may be a link into a folder of such files, and the link must stay.
		const file = realPathOf(path);
		if (file === undefined) makeFolder(dirname(path));
		replaceFile(file ?? path, after, {
			mode: file === undefined ? 0o600 : statSync(file).mode & 0o777,
		});
		return undefined;
	} catch (error) {
		return stateFileErrorText(error);
	}
}
