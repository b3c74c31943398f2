import { parseArgs } from 'node:util';
import { nearestName } from '../fleet/nearest-name.ts';
import { type Host, Interrupted } from '../session/host.ts';
import { type Command, exitCodes, type ParsedArgs } from '../shell/command.ts';
import { CommandError, errorFromUsage, errorText, UsageError } from '../shell/errors.ts';
import { helpFor, overview } from '../shell/help.ts';

/** Runs the command that the arguments name, and ends with its exit code. */
export async function runCommandLine(
	host: Host,
	commands: readonly Command[],
	words: readonly string[],
): Promise<number> {
	const { stdout, stderr } = host.program;
	const { command, name, rest } = commandIn(commands, words);
	const isNamed = name !== undefined;
	const flags = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
	// What was written may meet a closed pipe long after; whoever closed it wants to hear no more.
	stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && stdout.listenerCount('error') === 1) throw error;
	});
	try {
		if (command === undefined) throw new UsageError(unknownText(commands, name));
		if (flags.includes('--version')) {
			stdout.write(`crowsnest ${host.version}\n`);
			return exitCodes.done;
		}
		if (flags.includes('--help') || flags.includes('-h')) {
			stdout.write(isNamed ? helpFor(command) : overview(commands));
			return exitCodes.done;
		}
		const run = await command.load();
		return await run(host, parseArguments(command, rest, commands));
	} catch (error) {
		if (error instanceof Interrupted) return exitCodes.interrupted;
		const helped = isNamed ? command?.name : undefined;
		const told = error instanceof UsageError ? errorFromUsage(error, helped) : error;
		if (!(told instanceof CommandError)) throw error;
		stderr.write(errorText(told, flags.includes('--json')));
		return told.code;
	}
}

/** Where a word stands that should name a command, it is the `name`; the `rest` is without it. */
type NamedCommand = { command: Command | undefined; name?: string; rest: readonly string[] };

function commandIn(commands: readonly Command[], words: readonly string[]): NamedCommand {
	const start = startOfName(commands, words);
	const name = words[start];
	if (name === undefined || name.startsWith('-')) return { command: commands[0], rest: words };
	for (const command of commands) {
		for (const parts of namesOf(command).map(each => each.split(' '))) {
			const rest = words.toSpliced(start, parts.length);
			if (parts.every((part, at) => part === words[start + at])) return { command, name, rest };
		}
	}
	return { command: undefined, name, rest: words.toSpliced(start, 1) };
}

/** Behind the options that stand before the command, which take a value in all commands or in none. */
function startOfName(commands: readonly Command[], words: readonly string[]): number {
	const valued = commands.flatMap(({ options }) => options.filter(({ value }) => value));
	const takesNext = new Set(
		valued.flatMap(({ name, short }) => [`--${name}`, short && `-${short}`]),
	);
	for (let at = 0; ; ) {
		const word = words[at];
		if (!word?.startsWith('-') || word === '--') return at;
		at += takesNext.has(word) ? 2 : 1;
	}
}

function namesOf({ name, aliases = [] }: Command): readonly string[] {
	return [name, ...aliases];
}

function unknownText(commands: readonly Command[], word = ''): string {
	const names = shownOf(commands).flatMap(namesOf);
	const meant = names.find(name => name.startsWith(`${word} `)) ?? nearestName(word, names);
	return `there is no command ${word}${meant ? `; is it ${meant}?` : ''}`;
}

const shownOf = (commands: readonly Command[]) => commands.filter(({ isHidden }) => !isHidden);

function parseArguments(
	command: Command,
	words: readonly string[],
	all: readonly Command[],
): ParsedArgs {
	const options = Object.fromEntries(
		command.options.map(({ name, short, value }) => [
			name,
			{ type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) },
		]),
	);
	refuseForeignOption(command, words, options, all);
	const { values, positionals } = parseStrictly(words, options);
	if (positionals.length > 0 && command.takes === undefined) {
		throw new UsageError(`${positionals[0]} is one word too many`);
	}
	const text = (name: string) => {
		const value = values[name];
		return typeof value === 'string' ? value : undefined;
	};
	return {
		text,
		flag: name => values[name] === true,
		whole(name, least, most) {
			const value = text(name);
			if (value === undefined) return undefined;
			const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
			if (number >= least && number <= most) return number;
			throw new UsageError(`--${name} takes a whole number from ${least} to ${most}`);
		},
		rest: positionals,
	};
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** An option that only others have: it may well be known from there. */
function refuseForeignOption(
	command: Command,
	words: readonly string[],
	options: Options,
	all: readonly Command[],
) {
	const { tokens } = parseArgs({
		args: [...words],
		options,
		allowPositionals: true,
		strict: false,
		tokens: true,
	});
	for (const token of tokens) {
		if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
		const owners = shownOf(all).filter(each =>
			each.options.some(({ name }) => name === token.name),
		);
		if (owners.length === 0) continue;
		const names = owners.slice(0, 3).map(({ name }) => name);
		const more = owners.length > names.length ? ', …' : '';
		throw new UsageError(
			`${token.rawName} is an option of ${names.join(', ')}${more} and not of ${command.name}`,
		);
	}
}

function parseStrictly(words: readonly string[], options: Options) {
	try {
		return parseArgs({ args: [...words], options, allowPositionals: true });
	} catch (error) {
		throw new UsageError(error instanceof Error ? (error.message.split('.')[0] ?? '') : '');
	}
}
