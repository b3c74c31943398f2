import { parseArgs } from 'node:util';
import { nearestName } from '../accounts/nearest-name.ts';
import { type Command, exitCodes, type Given, Interrupted, UsageError } from './command.ts';
import { helpFor, overview } from './command-help.ts';
import type { Host } from './host.ts';
import { CommandError, errorFromUsage, errorText } from './list-failure.ts';

/** Runs the command that the arguments name, and ends with its exit code. */
export async function runCommandLine(
	host: Host,
	commands: readonly Command[],
	words: readonly string[],
): Promise<number> {
	const { stdout, stderr } = host.program;
	const { command, rest, isNamed } = commandIn(commands, words);
	const flags = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
	// What was written may meet a closed pipe long after; whoever closed it wants to hear no more.
	stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && stdout.listenerCount('error') === 1) throw error;
	});
	try {
		if (command === undefined) throw new UsageError(unknownText(commands, words));
		if (flags.includes('--version')) {
			stdout.write(`crowsnest ${host.version}\n`);
			return exitCodes.done;
		}
		if (flags.includes('--help') || flags.includes('-h')) {
			stdout.write(isNamed ? helpFor(command) : overview(commands));
			return exitCodes.done;
		}
		const run = await command.load();
		return await run(host, givenFrom(command, rest));
	} catch (error) {
		if (error instanceof Interrupted) return exitCodes.interrupted;
		const name = isNamed ? command?.name : undefined;
		const told = error instanceof UsageError ? errorFromUsage(error, name) : error;
		if (!(told instanceof CommandError)) throw error;
		stderr.write(errorText(told, flags.includes('--json')));
		return told.code;
	}
}

type Found = { command: Command | undefined; rest: readonly string[]; isNamed: boolean };

function commandIn(commands: readonly Command[], words: readonly string[]): Found {
	const [first] = words;
	if (first === undefined || first.startsWith('-')) {
		return { command: commands[0], rest: words, isNamed: false };
	}
	for (const command of commands) {
		for (const name of namesOf(command)) {
			const parts = name.split(' ');
			const rest = words.slice(parts.length);
			if (parts.every((part, at) => part === words[at])) return { command, rest, isNamed: true };
		}
	}
	return { command: undefined, rest: words.slice(1), isNamed: false };
}

function namesOf({ name, aliases = [] }: Command): readonly string[] {
	return [name, ...aliases];
}

function unknownText(commands: readonly Command[], [first = '']: readonly string[]): string {
	const names = commands.filter(({ isHidden }) => !isHidden).flatMap(namesOf);
	const meant = names.find(name => name.startsWith(`${first} `)) ?? nearestName(first, names);
	return `there is no command ${first}${meant ? `; is it ${meant}?` : ''}`;
}

function givenFrom(command: Command, words: readonly string[]): Given {
	const options = Object.fromEntries(
		command.options.map(({ name, short, value }) => [
			name,
			{ type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) },
		]),
	);
	const { values, positionals } = parsed(words, options);
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
			const given = text(name);
			if (given === undefined) return undefined;
			const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
			if (number >= least && number <= most) return number;
			throw new UsageError(`--${name} takes a whole number from ${least} to ${most}`);
		},
		rest: positionals,
	};
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function parsed(words: readonly string[], options: Options) {
	try {
		return parseArgs({ args: [...words], options, allowPositionals: true });
	} catch (error) {
		throw new UsageError(error instanceof Error ? (error.message.split('.')[0] ?? '') : '');
	}
}
