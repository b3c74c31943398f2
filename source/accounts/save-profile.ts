import { realpathSync, statSync } from 'node:fs';
import { hasCode, stateFileErrorText } from '../foundation/error.ts';
import { configFrom } from './config-text.ts';
import { writePrivately } from './private-file.ts';
import { tomlKeyText } from './setting-reader.ts';

type ProfileTexts = Readonly<Record<string, string>>;

const defaults: ProfileTexts = { signIn: 'password' };

/**
 * Adds a profile at the end of the configuration. A profile that exists is never changed. Returns undefined if the
 * configuration has the profile then; otherwise why not, and what to write.
 */
export function saveProfile(
	path: string,
	configText: string,
	name: string,
	values: ProfileTexts,
): string | undefined {
	const existing: Readonly<Record<string, unknown>> | undefined =
		configFrom(configText).config.profiles?.get(name);
	const added = Object.entries(values).filter(
		([key, value]) => (existing?.[key] ?? defaults[key]) !== value,
	);
	const tableWith = (textOf: (key: string, value: string) => string) =>
		[
			`[profiles.${tomlKeyText(name)}]`,
			...added.map(([key, value]) => `${key} = ${JSON.stringify(textOf(key, value))}`),
		].join('\n');
	if (existing && added.length === 0) return undefined;
	// Nothing that a person types unseen is printed.
	const shown = tableWith((key, value) => (key === 'anonKey' ? '…' : value));
	if (existing) return `${path} has a profile ${name} already. Change it there:\n\n${shown}\n`;
	const after = `${configText.trimEnd()}\n\n${tableWith((_, value) => value)}\n`.trimStart();
	return writeAdded(path, configText, after, shown);
}

/** Makes a profile the one that is opened by default. Returns undefined, or why not, and what to write. */
export function saveDefaultProfile(
	path: string,
	configText: string,
	name: string,
): string | undefined {
	const setting = `profile = ${JSON.stringify(name)}`;
	if (configFrom(configText).config.profile)
		return `${path} names another profile. Change it there:\n\n${setting}\n`;
	return writeAdded(path, configText, `${setting}\n\n${configText}`, setting);
}

/** Writes the configuration with the addition, unless the file would then be wrong. */
function writeAdded(
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
		const mode = file === undefined ? 0o600 : statSync(file).mode & 0o777;
		writePrivately(file ?? path, after, { mode });
		return undefined;
	} catch (error) {
		return stateFileErrorText(error);
	}
}

function realPathOf(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}
