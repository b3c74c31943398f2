import type { Host } from '../session/host.ts';

export type Option = {
	name: string;
	short?: string;
	/** What stands for its value in the help; absent for a flag. */
	value?: string;
	help: string;
};

/** The options and arguments as they were args, by name. */
export type ParsedArgs = {
	text(name: string): string | undefined;
	flag(name: string): boolean;
	/** A whole number within the range, or a `UsageError` that says so. */
	whole(name: string, least: number, most: number): number | undefined;
	rest: readonly string[];
};

/** Ends with the exit code. */
export type Run = (host: Host, args: ParsedArgs) => Promise<number>;

/** The names of what is sent as JSON, and what each tells. */
export type JsonFields = Readonly<Record<string, string>>;

/** A subcommand, as the help, the completions and the man page show it. */
export type Command = {
	/** One word, or two: `billing setup`. */
	name: string;
	/** What it is called besides. */
	aliases?: readonly string[];
	/** For the program's own scripts, and not for people. */
	isHidden?: true;
	summary: string;
	/** What there is to know beside its options. */
	about?: string;
	/** What follows the options: `ID…`, `PORT` or `bash|zsh|fish`; absent when nothing more does. */
	takes?: string;
	options: readonly Option[];
	examples: readonly string[];
	/** What --json prints: one object, an array of them, or one a line without end. */
	json?: { form: 'object' | 'array' | 'lines'; fields: JsonFields };
	/** Loaded when it is run, so that no command waits for another's code. */
	load: () => Promise<Run>;
};

export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	cancelled: 3,
	notSignedIn: 4,
	interrupted: 130,
} as const;
