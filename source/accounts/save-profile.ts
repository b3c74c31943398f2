import { realpathSync, statSync } from 'node:fs';
import { hasCode, stateFileErrorText } from '../foundation/error.ts';
import { withProfile } from './config-edit.ts';
import { configFrom } from './config-text.ts';
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
	const hasToken = configFrom(configText).config.profiles?.get(name)?.signIn === 'token';
	const way: Record<string, string> = hasToken ? { signIn: 'password' } : {};
	return saveValues(path, configText, name, { url, authUrl, anonKey, email, ...way });
}

/** Writes a profile that signs in with a stored token. Returns undefined, or the reason why it cannot be written. */
export const saveTokenProfile = (path: string, configText: string, name: string, url: string) =>
	saveValues(path, configText, name, { url, signIn: 'token' });

function saveValues(
	path: string,
	configText: string,
	name: string,
	values: Readonly<Record<string, string>>,
): string | undefined {
	const editedText = withProfile(configText, name, values);
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
		writePrivately(file ?? path, text, { mode });
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
