import { nearestName } from '../fleet/nearest-name.ts';
import { type Host, Interrupted } from '../session/host.ts';
import { type Command, exitCodes } from '../shell/command.ts';
import { CommandError, errorFromUsage, errorText, UsageError } from '../shell/errors.ts';
import { helpText, overviewText } from '../shell/help.ts';
import { parseWords } from './parse-args.ts';

/** Runs the command that the arguments name, and resolves with its exit code. */
export async function runCommandLine(
	host: Host,
	commands: readonly Command[],
	words: readonly string[],
): Promise<number> {
	const { stdout, stderr } = host.program;
	const { command, name, rest } = findCommand(commands, words);
	const isNamed = name !== undefined;
	const flags = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
	// A write may fail on a closed pipe long after the command has ended. The error is ignored, because the
	// output has no reader any more.
	stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && stdout.listenerCount('error') === 1) throw error;
	});
	try {
		if (command === undefined) throw new UsageError(unknownCommandText(commands, name));
		if (flags.includes('--version')) {
			stdout.write(`crowsnest ${host.version}\n`);
			return exitCodes.done;
		}
		if (flags.includes('--help') || flags.includes('-h')) {
			stdout.write(isNamed ? helpText(command) : overviewText(commands));
			return exitCodes.done;
		}
		return await command.run(host, parseWords(command, rest, commands), commands);
	} catch (error) {
		if (error instanceof Interrupted) return exitCodes.interrupted;
		const helpTopic = isNamed ? command?.name : undefined;
		const reported = error instanceof UsageError ? errorFromUsage(error, helpTopic) : error;
		if (!(reported instanceof CommandError)) throw error;
		stderr.write(errorText(reported, flags.includes('--json')));
		return reported.code;
	}
}

/** `name` is the word in the place of a command's name, if there is one. `rest` holds all other words. */
type FoundCommand = { command: Command | undefined; name?: string; rest: readonly string[] };

function findCommand(commands: readonly Command[], words: readonly string[]): FoundCommand {
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

/**
 * Skips the options before the name of the command. Whether an option takes a value is the same in every
 * command, so the command need not be known.
 */
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

function unknownCommandText(commands: readonly Command[], word = ''): string {
	const names = commands.filter(({ isHidden }) => !isHidden).flatMap(namesOf);
	const similar = names.find(name => name.startsWith(`${word} `)) ?? nearestName(word, names);
	return `No command ${word}.${similar ? ` Did you mean ${similar}?` : ''}`;
}
