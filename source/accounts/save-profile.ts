import { realpathSync, statSync } from 'node:fs';
import { hasCode, messageOf } from '../foundation/error.ts';
import { withProfile } from './config-edit.ts';
import { writePrivately } from './private-file.ts';
import type { LoginAnswers } from './sign-in-fields.ts';

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
	return writeConfig(path, editedText);
}

/** Writes the configuration file. Returns undefined, or the reason why the file cannot be written. */
export function writeConfig(path: string, text: string): string | undefined {
	try {
		// The configuration file may be a symbolic link into a repository of dotfiles. The link must stay.
		const file = realPathOf(path);
		const mode = file === undefined ? 0o600 : statSync(file).mode & 0o777;
		writePrivately(file ?? path, text, mode);
		return undefined;
	} catch (error) {
		return messageOf(error);
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
