import { realpathSync, statSync } from 'node:fs';
import { withProfile } from '../../accounts/config-edit.ts';
import { type Config, isProfileName, profileNameRule } from '../../accounts/config-text.ts';
import { writePrivately } from '../../accounts/private-file.ts';
import { keyText } from '../../accounts/setting-reader.ts';
import { topSettings } from '../../accounts/setting-table.ts';
import { hasCode } from '../../fleet/error.ts';
import type { Host } from '../../session/host.ts';
import type { ParsedArgs } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import type { LoginAnswers } from './fields.ts';

/** Returns the name of the profile to save: the chosen name, or else the name of the default profile. */
export function profileNameFrom({ program }: Host, args: ParsedArgs, config: Config): string {
	const chosenName =
		args.text('profile') ?? (program.env[topSettings.profile.variable] || undefined);
	const names = [...(config.profiles?.keys() ?? [])];
	const name =
		chosenName ?? config.profile ?? (names.length === 1 ? names[0] : undefined) ?? 'default';
	if (isProfileName(name)) return name;
	throw new UsageError(`${keyText(name)} ${profileNameRule}`);
}

/**
 * Writes the profile into the configuration file without changing the rest of the file. Returns undefined,
 * or the reason why the file cannot be written.
 */
export function saveProfile(
	path: string,
	configText: string,
	name: string,
	{ url, authUrl, anonKey, email }: LoginAnswers,
): string | undefined {
	const editedText = withProfile(configText, name, { url, authUrl, anonKey, email });
	if (editedText === undefined) {
		return `crowsnest cannot edit ${path} safely; add the table [profiles.${name}] to it yourself`;
	}
	try {
		// The configuration file may be a symbolic link into a repository of dotfiles. The link must stay.
		const file = realPathOf(path);
		const mode = file === undefined ? 0o600 : statSync(file).mode & 0o777;
		writePrivately(file ?? path, editedText, mode);
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
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
