import type { JsonFields, ParsedArgs } from '../script/command.ts';
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

export type JsonForm = 'object' | 'array' | 'lines';

/** A command. Help, completion and the reference derive from its properties. */
export type Command = {
	/** The name of the command: one word, or two words such as `billing setup`. */
	name: string;
	aliases?: readonly string[];
	/** Set for commands that only the completion scripts call. */
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
	/** What --json prints, and in which form for several accounts, unless the command works on one account only. */
	json?: { form: JsonForm; fields: JsonFields; formForSeveral?: JsonForm };
	/** Runs the command and resolves with its exit code. `commands` lists all commands of the program. */
	run(host: Host, args: ParsedArgs, commands: readonly Command[]): Promise<number>;
};

/** Returns the name and the aliases of a command. */
export const commandNamesOf = ({ name, aliases = [] }: Command) => [name, ...aliases];
