import type { Host } from '../session/host.ts';

export type Option = {
	name: string;
	short?: string;
	/** The placeholder for its value in the help, such as `PORT`; absent for a flag. */
	value?: string;
	help: string;
};

/** The options and arguments of one run. */
export type ParsedArgs = {
	text(name: string): string | undefined;
	flag(name: string): boolean;
	/** A whole number from `min` to `max`; anything else is a `UsageError`. */
	whole(name: string, min: number, max: number): number | undefined;
	/** A time such as 90s, 30m or 2h, in milliseconds; anything else is a `UsageError`. */
	duration(name: string): number | undefined;
	/** The words that are neither options nor their values. */
	rest: readonly string[];
};

/** Runs a command and resolves with its exit code. `commands` is the whole catalogue. */
export type Run = (host: Host, args: ParsedArgs, commands: readonly Command[]) => Promise<number>;

/** The fields that a command prints with --json, each with its meaning. */
export type JsonFields = Readonly<Record<string, string>>;

/**
 * An object with these fields and no others. The names are a promise: one that was printed once stays.
 * A field with an unknown value is null, and times are in ISO 8601.
 */
export type JsonRecord<Fields extends JsonFields> = { readonly [Name in keyof Fields]: unknown };

/** A subcommand. Help, completion and the man page show everything here but `run`. */
export type Command = {
	/** One word, or two: `billing setup`. */
	name: string;
	aliases?: readonly string[];
	/** Called by the program's own scripts and left out of help, completion and man page. */
	isHidden?: true;
	summary: string;
	/** A paragraph below the usage line. */
	about?: string;
	/** The arguments behind the options, such as `ID…`, `PORT` or `bash|zsh|fish`. */
	takes?: string;
	options: readonly Option[];
	examples: readonly string[];
	/** What --json prints: an object, an array of objects, or an object per line. */
	json?: { form: 'object' | 'array' | 'lines'; fields: JsonFields };
	run: Run;
};

export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	cancelled: 3,
	notSignedIn: 4,
	interrupted: 130,
} as const;
