import { UsageError } from '../foundation/error.ts';
import type { JsonFields } from '../foundation/json.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import type { Host } from '../session/host.ts';

export type Option = {
	name: string;
	shortName?: string;
	valueName?: string;
	/** By repeating the option, or with commas. */
	isRepeatable?: true;
	values?: readonly string[] | 'profiles' | 'filter';
	help: string;
};

type JsonForm = 'object' | 'array' | 'lines';

export type Command = {
	name: string;
	aliases?: readonly string[];
	isHidden?: true;
	/** The command whose help describes it, if it is no command of its own. */
	describedBy?: string;
	/** It only reads, so that an assistant may run it. */
	isTool?: true;
	summary: string;
	description?: string;
	argumentUsage?: string;
	/** A similar command, suggested to a person who gives arguments to this one. */
	commandWithArguments?: string;
	options: readonly Option[];
	examples: readonly string[];
	/** `formForSeveral` is absent if the command works on one account only. */
	json?: { form: JsonForm; fields: JsonFields; formForSeveral?: JsonForm };
	run(host: Host, args: ParsedArgs, commands: readonly Command[]): Promise<number>;
};

export function onlyArgument({ positionals }: ParsedArgs, name: string, taken: string): string {
	const [argument, ...others] = positionals;
	if (argument !== undefined && others.length === 0) return argument;
	throw new UsageError(`${name} takes ${taken}`);
}

export const commandNamesOf = ({ name, aliases = [] }: Command) => [name, ...aliases];

export function wrongValueText(rawName: string, wrong: string, values: readonly string[]): string {
	const nearest = nearestName(wrong, values);
	const endings = [...new Set(values.flatMap(value => /:.*/.exec(value) ?? []))];
	const plain = values.filter(value => !value.includes(':')).join(', ');
	const more = endings.length > 0 ? `. ${endings.join(' or ')} may follow most of them` : '';
	const hint = nearest ? `Did you mean ${nearest}?` : `It takes ${plain}${more}`;
	return `${rawName} does not take ${wrong === '' ? 'an empty value' : wrong}. ${hint}`;
}
