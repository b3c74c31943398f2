import { parseDuration } from '../fleet/duration.ts';
import { nearestName } from '../fleet/nearest-name.ts';
import { type CheckedAddress, checkedAuthAddress, checkedBaseAddress } from './checked-address.ts';
import { isTable, type Reader } from './setting-reader.ts';

export const boolean: Reader<boolean> = (value, path) =>
	typeof value === 'boolean' ? value : path.wrong('must be true or false');

export const nonEmptyText: Reader<string> = (value, path) =>
	typeof value === 'string' && value.trim() !== ''
		? value.trim()
		: path.wrong('must be text in quotes');

export const wordList: Reader<readonly string[]> = (value, path) =>
	Array.isArray(value) && value.length > 0 && value.every(isText)
		? value
		: path.wrong('must be a list of words, such as ["name", "status"]');

/** Text for an HTTP header. A line break would inject a second header. */
export const headerText: Reader<string> = (value, path) => {
	if (typeof value === 'string' && isHeaderText(value)) return value;
	return path.wrong('must be text in quotes, without spaces');
};

export const isHeaderText = (text: string) => /^[\x21-\x7e]{1,16000}$/.test(text);

export function oneOf<const Name extends string>(...names: readonly Name[]): Reader<Name> {
	return (value, path) => {
		const found = names.find(name => name === value);
		if (found !== undefined) return found;
		const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
		const hint = nearest ? `; did you mean "${nearest}"?` : '';
		return path.wrong(`must be one of ${names.map(name => `"${name}"`).join(', ')}${hint}`);
	};
}

const colourNames = oneOf('red', 'yellow', 'green', 'blue', 'magenta', 'cyan', 'white', 'grey');

export const colour: Reader<string> = (value, path) => {
	const isHex = typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value);
	return isHex ? value.toLowerCase() : colourNames(value, path);
};

/** Reads a duration such as "90s", "10m", "2h" or "1d" and returns milliseconds. */
export const duration: Reader<number> = (value, path) => {
	const isShort = typeof value === 'string' && /^\d{1,6}[smhd]$/.test(value);
	const milliseconds = isShort ? (parseDuration(value) ?? 0) : 0;
	return milliseconds > 0
		? milliseconds
		: path.wrong('must be a duration such as "30s", "10m", "2h" or "1d"');
};

export const durationOrNever: Reader<number> = (value, path) =>
	value === 'never' ? Number.POSITIVE_INFINITY : duration(value, path);

const checked =
	(check: (text: string) => CheckedAddress): Reader<string> =>
	(written, path) => {
		const { value, wrong } = check(typeof written === 'string' ? written : '');
		return value ?? path.wrong(wrong);
	};

export const baseAddress = checked(checkedBaseAddress);
export const authAddress = checked(checkedAuthAddress);

/** Reads a command: a list with the program and its arguments, or a command line for a shell. */
export type PasswordCommand = readonly string[] | { shell: string };

export const passwordCommand: Reader<PasswordCommand> = (value, path) => {
	if (isTable(value) && Object.keys(value).join() === 'shell') {
		const { shell } = value;
		if (isText(shell) && shell.trim() !== '') return { shell };
	}
	if (Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every(isText)) {
		return value;
	}
	return path.wrong(
		'must be a list of words, such as ["pass", "show", "fleet"], or { shell = "…" }',
	);
};

// An argument of a program cannot contain a zero byte.
const isText = (value: unknown): value is string =>
	typeof value === 'string' && !value.includes('\0');
