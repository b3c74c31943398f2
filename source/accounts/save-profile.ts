import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { stateFileErrorText } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { configFrom } from './config-text.ts';
import { realPathOf, replaceFile } from './private-file.ts';
import { tomlKeyText } from './setting-values.ts';

/**
 * A profile that exists is never changed. Returns undefined if the configuration has the profile then; otherwise what to
 * write.
 */
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

/** Writes nothing if the file would then be wrong. */
function saveConfig(
	path: string,
	before: string,
	after: string,
	addition: string,
): string | undefined {
	if (configFrom(after).problems.length > configFrom(before).problems.length)
		return `${path} has tables in another form. Add there:\n\n${addition}\n`;
	try {
		// The configuration file may be a link into a folder of such files. The link must stay.
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
