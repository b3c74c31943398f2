import type { Host } from '../session/host.ts';

export type Option = {
	name: string;
	shortName?: string;
	/** The placeholder for the option's value in the help, such as `PORT`. A flag has none. */
	valueName?: string;
	/** Whether the option takes several values, either by repeating the option or with commas between the values. */
	isRepeatable?: true;
	/**
	 * The values that the option takes, which completion offers: these words and no others, the names of profiles, or
	 * the terms of a filter.
	 */
	values?: readonly string[] | 'profiles' | 'filter';
	/** Examples of values that completion offers. The option takes other values as well. */
	suggestions?: readonly string[];
	/** Whether the option runs the command on a demo platform within this process, instead of on an account. */
	opensDemo?: true;
	help: string;
};

/** The parsed options and arguments of a command line. */
export type ParsedArgs = {
	text(name: string): string | undefined;
	/** Returns the values of a repeatable option, without duplicates. */
	list(name: string): readonly string[];
	flag(name: string): boolean;
	/** Whether the command has the option, whether or not the command line uses it. */
	hasOption(name: string): boolean;
	/**
	 * Returns the value of an option as a whole number from `min` to `max`. Throws a `UsageError` for any
	 * other value.
	 */
	wholeNumber(name: string, min: number, max: number): number | undefined;
	/**
	 * Returns the value of an option in seconds, from a number of seconds such as 90, or a time such as 90s or 2m. Throws a
	 * `UsageError` for any other value.
	 */
	seconds(name: string, min: number, max: number): number | undefined;
	/**
	 * Returns the value of an option such as 90s, 30m or 2h in milliseconds. Throws a `UsageError` for any
	 * other value.
	 */
	duration(name: string): number | undefined;
	/** The arguments: the words that are neither options nor values of options. */
	positionals: readonly string[];
};

export type JsonForm = 'object' | 'array' | 'lines';

/** Runs a command and resolves with its exit code. `commands` lists all commands of the program. */
type RunCommand = (host: Host, args: ParsedArgs, commands: readonly Command[]) => Promise<number>;

/** The JSON fields that a command prints with --json, each with its meaning for the help. */
export type JsonFields = Readonly<Record<string, string>>;

/**
 * A JSON object with exactly the fields of a command. Scripts rely on the field names, so no field is ever
 * renamed or removed. A field with an unknown value is null, and times are in ISO 8601.
 */
export type JsonRecord<Fields extends JsonFields> = { readonly [Name in keyof Fields]: unknown };

/** A subcommand. Help, completion and the man page are generated from these properties. */
export type Command = {
	/** The name of the command: one word, or two words such as `billing setup`. */
	name: string;
	aliases?: readonly string[];
	/**
	 * Set for commands that only the program itself or its completion scripts call. Help, completion and the
	 * man page omit them.
	 */
	isHidden?: true;
	/** Set for commands that few people need: the overview and the completion of a command leave them for later. */
	isRare?: true;
	summary: string;
	/** The paragraph of the help below the usage line. */
	description?: string;
	/** The arguments in the usage line, such as `ID…`, `ID PORT` or `bash|zsh|fish`. */
	argumentUsage?: string;
	/** A similar command that takes arguments. It is suggested to a person who gives arguments to this command. */
	commandWithArguments?: string;
	options: readonly Option[];
	examples: readonly string[];
	/** The form of the output with --json: one object, an array of objects, or one object per line. */
	json?: {
		form: JsonForm;
		fields: JsonFields;
		/** The form of the output for several accounts; undefined for a command that works on one account. */
		formForSeveral?: JsonForm;
	};
	run: RunCommand;
};

export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	cancelled: 3,
	notSignedIn: 4,
	partial: 5,
	interrupted: 130,
} as const;
