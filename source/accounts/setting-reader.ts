import { nearestName } from '../foundation/nearest-name.ts';

/** The path of a setting in the configuration. Problems of the setting are reported through this object. */
type SettingPath = {
	child(name: string): SettingPath;
	reject(message: string): undefined;
};

/** Reads the value of a setting. Reports a wrong value to `path` and returns undefined. */
export type SettingReader<T> = (value: unknown, path: SettingPath) => T | undefined;

export type Setting<T> = {
	/** The explanation in the example configuration. */
	explanation: string;
	/** The text after the `=` in the example configuration. */
	example: string;
	read: SettingReader<T>;
	/** The value without a configuration; undefined if the program then decides. */
	default?: T;
	/**
	 * Merges the default, the values for all profiles and those of the profile. By default, the value of the
	 * profile wins.
	 */
	combine?(values: readonly T[]): T;
	/** How the setting is changed while the monitor runs; absent if only a new start reads it. */
	live?: LiveSetting;
};

/** How a person changes a setting in the palette of an open monitor: `Share: full → half`. */
export type LiveSetting = {
	/** The name in the palette. */
	label: string;
	/** The note beside the label in the palette; may be empty. */
	note: string;
	/** The values as words: `on` and `off` for true and false. */
	words: readonly string[];
	/** The word that stands for a setting without a value. It can be chosen if the configuration leaves the setting out. */
	wordIfUnset?: string;
	/** The command-line option that sets the value for one run. */
	option?: string;
	/** Whether the setting changes which requests are sent. A read-only monitor refuses such a change. */
	changesRequests?: boolean;
};

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type SettingValues<Table extends SettingTable> = {
	[Name in keyof Table]?: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** A mistake in the configuration file, the environment or the command line. */
export type SettingProblem = { message: string; isInFile?: boolean };

/** Creates the path of a setting in the configuration file, or of a variable in the environment. */
export function createSettingPath(
	problems: SettingProblem[],
	path: readonly string[] = [],
	isInFile = true,
): SettingPath {
	return {
		child: name => createSettingPath(problems, [...path, name], isInFile),
		reject(message) {
			problems.push({ message: `${path.map(tomlKeyText).join('.')} ${message}`, isInFile });
		},
	};
}

/**
 * Creates a reader for a table with a fixed set of names. For names that people may try although no such
 * setting exists, `refusedNames` contains the reason.
 */
export function tableReader<Table extends SettingTable>(
	settings: Table,
	refusedNames: Readonly<Record<string, string>> = {},
): SettingReader<SettingValues<Table>> {
	return (value, path) => {
		if (!isTable(value)) return path.reject('must be a table');
		const values: Record<string, unknown> = {};
		for (const [name, content] of Object.entries(value)) {
			const childPath = path.child(name);
			const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
			if (setting) {
				const read = setting.read(content, childPath);
				if (read !== undefined) values[name] = read;
			} else {
				const why = Object.hasOwn(refusedNames, name) ? refusedNames[name] : undefined;
				childPath.reject(why ?? unknownSettingText(name, Object.keys(settings)));
			}
		}
		return values as SettingValues<Table>;
	};
}

/** Creates a reader for a table whose names a person chooses. */
export function mapReader<T>(readValue: SettingReader<T>): SettingReader<ReadonlyMap<string, T>> {
	return (value, path) => {
		if (!isTable(value)) return path.reject('must be a table');
		const entries = Object.entries(value).map(
			([name, content]) => [name, readValue(content, path.child(name))] as const,
		);
		return new Map(entries.filter((pair): pair is readonly [string, T] => pair[1] !== undefined));
	};
}

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
	const isObject = typeof value === 'object' && value !== null;
	return isObject && !Array.isArray(value) && !(value instanceof Date);
}

/** Quotes a key for TOML if necessary. Quoting also escapes control characters. */
export function tomlKeyText(name: string): string {
	return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

function unknownSettingText(name: string, names: readonly string[]): string {
	const nearest = nearestName(name, names);
	if (nearest) return `is not a setting; did you mean ${nearest}?`;
	return `is not a setting; the settings are ${names.join(', ')}`;
}
