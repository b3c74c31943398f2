import { nearestName } from '../fleet/nearest-name.ts';
import { type CheckedAddress, checkedAuthAddress, checkedBaseAddress } from './checked-address.ts';
import { isTable, type Reader } from './setting-reader.ts';

export const boolean: Reader<boolean> = (value, place) =>
	typeof value === 'boolean' ? value : place.wrong('must be true or false');

export const nonEmptyText: Reader<string> = (value, place) =>
	typeof value === 'string' && value.trim() !== ''
		? value.trim()
		: place.wrong('must be text in quotes');

export const wordList: Reader<readonly string[]> = (value, place) =>
	Array.isArray(value) && value.length > 0 && value.every(isText)
		? value
		: place.wrong('must be a list of words, ["name", "status"]');

/** Nothing but what a header may carry, so that it can never carry two. */
export const headerText: Reader<string> = (value, place) => {
	if (typeof value === 'string' && isHeaderText(value)) return value;
	return place.wrong('must be text in quotes, without spaces');
};

export const isHeaderText = (text: string) => /^[\x21-\x7e]{1,16000}$/.test(text);

export function oneOf<const Name extends string>(...names: readonly Name[]): Reader<Name> {
	return (value, place) => {
		const found = names.find(name => name === value);
		if (found !== undefined) return found;
		const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
		const hint = nearest ? `; did you mean "${nearest}"?` : '';
		return place.wrong(`must be one of ${names.map(name => `"${name}"`).join(', ')}${hint}`);
	};
}

const colourNames = oneOf('red', 'yellow', 'green', 'blue', 'magenta', 'cyan', 'white', 'grey');

export const colour: Reader<string> = (value, place) => {
	const isHex = typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value);
	return isHex ? value.toLowerCase() : colourNames(value, place);
};

const units: Readonly<Record<string, number>> = {
	s: 1000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

/** Milliseconds of "90s", "10m", "2h" or "1d". */
export const duration: Reader<number> = (value, place) => {
	const [, number, unit] =
		typeof value === 'string' ? (/^(\d{1,6})([smhd])$/.exec(value) ?? []) : [];
	const milliseconds = Number(number) * (units[unit ?? ''] ?? Number.NaN);
	return milliseconds > 0
		? milliseconds
		: place.wrong('must be a time such as "30s", "10m", "2h" or "1d"');
};

export const durationOrNever: Reader<number> = (value, place) =>
	value === 'never' ? Number.POSITIVE_INFINITY : duration(value, place);

const checked =
	(check: (text: string) => CheckedAddress): Reader<string> =>
	(written, place) => {
		const { value, wrong } = check(typeof written === 'string' ? written : '');
		return value ?? place.wrong(wrong);
	};

export const baseAddress = checked(checkedBaseAddress);
export const authAddress = checked(checkedAuthAddress);

/** Run as it stands, or by a shell where one is asked for. */
export type PasswordCommand = readonly string[] | { shell: string };

export const passwordCommand: Reader<PasswordCommand> = (value, place) => {
	if (isTable(value) && Object.keys(value).join() === 'shell') {
		const { shell } = value;
		if (isText(shell) && shell.trim() !== '') return { shell };
	}
	if (Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every(isText)) {
		return value;
	}
	return place.wrong('must be a list of words, ["pass", "show", "fleet"], or { shell = "…" }');
};

// No program can be started with a zero in one of its words.
const isText = (value: unknown): value is string =>
	typeof value === 'string' && !value.includes('\0');
