import type { Host } from '../session/host.ts';

export type Option = {
	name: string;
	shortName?: string;
	/** The placeholder for the option's value in the help, such as `PORT`. A flag has none. */
	valueName?: string;
	help: string;
};

/** The options and arguments with which a command was called. */
export type ParsedArgs = {
	text(name: string): string | undefined;
	flag(name: string): boolean;
	/** Returns a whole number from `min` to `max`, and throws a `UsageError` for any other text. */
	wholeNumber(name: string, min: number, max: number): number | undefined;
	/**
	 * Returns the milliseconds of a duration such as 90s, 30m or 2h, and throws a `UsageError` for any other
	 * text.
	 */
	duration(name: string): number | undefined;
	/** The words that are neither options nor values of options. */
	positionals: readonly string[];
};

/** Runs a command and resolves with its exit code. `commands` are all commands of the program. */
export type RunCommand = (
	host: Host,
	args: ParsedArgs,
	commands: readonly Command[],
) => Promise<number>;

/** The fields that a command prints with --json, and the meaning of each. */
export type JsonFields = Readonly<Record<string, string>>;

/**
 * An object with exactly these fields. Scripts rely on the names, so no field is ever renamed or removed. A
 * field is null if its value is unknown, and times are in ISO 8601.
 */
export type JsonRecord<Fields extends JsonFields> = { readonly [Name in keyof Fields]: unknown };

/** A subcommand. Help, completion and the man page are generated from these properties. */
export type Command = {
	/** One word, or two words such as `billing setup`. */
	name: string;
	aliases?: readonly string[];
	/**
	 * Set for commands that only the program itself or its completion scripts call. Help, completion and the
	 * man page omit them.
	 */
	isHidden?: true;
	summary: string;
	/** A paragraph that the help shows below the usage line. */
	description?: string;
	/** The arguments after the options, such as `ID…`, `PORT` or `bash|zsh|fish`. */
	argumentUsage?: string;
	options: readonly Option[];
	examples: readonly string[];
	/** The form of the output with --json: one object, an array of objects, or one object per line. */
	json?: { form: 'object' | 'array' | 'lines'; fields: JsonFields };
	run: RunCommand;
};

export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	cancelled: 3,
	notSignedIn: 4,
	interrupted: 130,
} as const;
