import { parseDuration } from '../foundation/duration.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import { isSafeForSecrets } from '../foundation/network.ts';
import { isTable, type SettingReader } from './setting-reader.ts';

export const readBoolean: SettingReader<boolean> = (value, path) =>
	typeof value === 'boolean' ? value : path.reject('must be true or false');

export const readNonEmptyText: SettingReader<string> = (value, path) =>
	typeof value === 'string' && value.trim() !== ''
		? value.trim()
		: path.reject('must be text in quotes');

export const readWordList: SettingReader<readonly string[]> = (value, path) =>
	Array.isArray(value) && value.length > 0 && value.every(isArgumentText)
		? value
		: path.reject('must be a list of words, such as ["name", "status"]');

export const readText: SettingReader<string> = (value, path) =>
	typeof value === 'string' ? value : path.reject('must be text in quotes');

/** Reads the names of profiles: one name, or several in a list or with commas between them. */
export const readProfileNames: SettingReader<readonly string[]> = (value, path) => {
	const texts = typeof value === 'string' ? [value] : value;
	const names = Array.isArray(texts) && texts.every(isArgumentText) ? splitNames(texts) : [];
	return names.length > 0
		? names
		: path.reject('must be the name of a profile, or a list such as ["work", "lab"]');
};

/** Splits texts at their commas, and returns the names without duplicates. */
export function splitNames(texts: readonly string[]): readonly string[] {
	const names = texts.flatMap(text => text.split(',')).map(name => name.trim());
	return [...new Set(names)].filter(name => name !== '');
}

export const maxShortNameLength = 8;

/** Reads the short name of a profile. It may stand in front of a computer, as in `wk/atlas`. */
export const readShortName: SettingReader<string> = (value, path) =>
	typeof value === 'string' && value.length <= maxShortNameLength && isProfileName(value)
		? value
		: path.reject('must be a short name of at most 8 letters, digits, "_", "-" and "."');

// The token file of a profile is named after the profile, so the name must be a safe file name. A comma or a
// slash would make `--profile work,lab` and `lab/nova` ambiguous.
export const isProfileName = (name: string) => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(name);

export const readCount: SettingReader<number> = (value, path) =>
	Number.isSafeInteger(value) && Number(value) > 0
		? Number(value)
		: path.reject('must be a whole number above 0');

/** Reads a text for an HTTP header. Line breaks are refused, because they would inject a second header. */
export const readHeaderText: SettingReader<string> = (value, path) => {
	const text = readNonEmptyText(value, path);
	if (text === undefined || isHeaderText(text)) return text;
	return path.reject('contains characters that are not allowed');
};

export const isHeaderText = (text: string) => /^[\x21-\x7e]{1,16000}$/.test(text);

export function oneOfReader<const Name extends string>(
	...names: readonly Name[]
): SettingReader<Name> {
	return (value, path) => {
		const found = names.find(name => name === value);
		if (found !== undefined) return found;
		const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
		const hint = nearest ? `; did you mean "${nearest}"?` : '';
		return path.reject(`must be one of ${names.map(name => `"${name}"`).join(', ')}${hint}`);
	};
}

const readColourName = oneOfReader(
	'red',
	'yellow',
	'green',
	'blue',
	'magenta',
	'cyan',
	'white',
	'grey',
);

export const readColour: SettingReader<string> = (value, path) => {
	const isHex = typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value);
	return isHex ? value.toLowerCase() : readColourName(value, path);
};

/** Reads a duration such as "90s", "10m", "2h" or "1d" and returns milliseconds. */
export const readDuration: SettingReader<number> = (value, path) => {
	const isShort = typeof value === 'string' && /^\d{1,6}[smhd]$/.test(value);
	const milliseconds = isShort ? (parseDuration(value) ?? 0) : 0;
	return milliseconds > 0
		? milliseconds
		: path.reject('must be a duration such as "30s", "10m", "2h" or "1d"');
};

export const readDurationOrNever: SettingReader<number> = (value, path) =>
	value === 'never' ? Number.POSITIVE_INFINITY : readDuration(value, path);

const addressReader =
	(check: (text: string) => CheckedAddress): SettingReader<string> =>
	(address, path) => {
		const { value, problem: wrong } = check(typeof address === 'string' ? address.trim() : '');
		return value ?? path.reject(wrong);
	};

export const readBaseAddress = addressReader(checkedBaseAddress);
export const readAuthAddress = addressReader(checkedAuthAddress);

/** Reads a command: a list with the program and its arguments, or a command line for a shell. */
export type PasswordCommand = readonly string[] | { shell: string };

export const readPasswordCommand: SettingReader<PasswordCommand> = (value, path) => {
	if (isTable(value) && Object.keys(value).join() === 'shell') {
		const { shell } = value;
		if (isArgumentText(shell) && shell.trim() !== '') return { shell };
	}
	if (Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every(isArgumentText)) {
		return value;
	}
	return path.reject(
		'must be a list of words, such as ["pass", "show", "fleet"], or { shell = "…" }',
	);
};

/** Reads a program with its arguments. */
export const readArgumentList: SettingReader<readonly string[]> = (value, path) => {
	const isList = Array.isArray(value) && value.every(isArgumentText);
	return isList && value.length > 0 && value[0] !== ''
		? value
		: path.reject('must be a program with its arguments, such as ["notify-send", "crowsnest"]');
};

// An argument of a program cannot contain a zero byte.
const isArgumentText = (value: unknown): value is string =>
	typeof value === 'string' && !value.includes('\0');

/** An address in its normalised form, or the reason why it is refused. */
export type CheckedAddress =
	| { value: string; problem?: never }
	| { value?: never; problem: string };

/**
 * Checks an address that credentials may be sent to. The reason never quotes the address, because it may
 * contain a password.
 */
function checkedAddress(text: string): CheckedAddress {
	if (!URL.canParse(text)) {
		return { problem: 'must be a complete address, such as https://example.com' };
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		return { problem: 'must not contain a user name or a password' };
	}
	if (!isSafeForSecrets(url)) {
		return { problem: 'must start with https:// (http:// is allowed for this machine only)' };
	}
	if (url.search !== '' || url.hash !== '') return { problem: 'must not contain ? or #' };
	return { value: url.href.replace(/\/+$/, '') };
}

export function checkedBaseAddress(text: string): CheckedAddress {
	const checked = checkedAddress(text);
	if (checked.value === undefined || checked.value.endsWith('/v1')) return checked;
	return { problem: 'must end in /v1' };
}

/** Checks the address of the identity provider. The address of its token endpoint is accepted, too. */
export function checkedAuthAddress(text: string): CheckedAddress {
	return checkedAddress(text.replace(/\/auth\/v1(\/token)?\/*(\?.*)?$/, ''));
}
