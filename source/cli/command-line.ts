import { nearestName } from '../fleet/nearest-name.ts';
import { type Host, Interrupted } from '../session/host.ts';
import { type Command, exitCodes } from '../shell/command.ts';
import { CommandError, errorFromUsage, errorText, UsageError } from '../shell/errors.ts';
import { helpText, overviewText } from '../shell/help.ts';
import { parseWords } from './parse-args.ts';

/** Runs the command that the command line names, and resolves with its exit code. */
export async function runCommandLine(
	host: Host,
	commands: readonly Command[],
	words: readonly string[],
): Promise<number> {
	const { stdout, stderr } = host.program;
	const { command, commandWord, otherWords } = findCommand(commands, words);
	const isNamed = commandWord !== undefined;
	const flags = otherWords.includes('--')
		? otherWords.slice(0, otherWords.indexOf('--'))
		: otherWords;
	// A write to a closed pipe may fail after the command has ended. The error is ignored, because nobody
	// reads the output any more.
	stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && stdout.listenerCount('error') === 1) throw error;
	});
	try {
		if (command === undefined) throw new UsageError(unknownCommandText(commands, commandWord));
		if (flags.includes('--version')) {
			stdout.write(`crowsnest ${host.version}\n`);
			return exitCodes.done;
		}
		if (flags.includes('--help') || flags.includes('-h')) {
			stdout.write(isNamed ? helpText(command) : overviewText(commands));
			return exitCodes.done;
		}
		return await command.run(host, parseWords(command, otherWords, commands), commands);
	} catch (error) {
		if (error instanceof Interrupted) return exitCodes.interrupted;
		const helpTopic = isNamed ? command?.name : undefined;
		const reported = error instanceof UsageError ? errorFromUsage(error, helpTopic) : error;
		if (!(reported instanceof CommandError)) throw error;
		stderr.write(errorText(reported, flags.includes('--json')));
		return reported.code;
	}
}

/** `commandWord` is the first word of the command's name. `otherWords` are the options and arguments. */
type FoundCommand = {
	command: Command | undefined;
	commandWord?: string;
	otherWords: readonly string[];
};

function findCommand(commands: readonly Command[], words: readonly string[]): FoundCommand {
	const nameIndex = indexOfCommandName(commands, words);
	const name = words[nameIndex];
	if (name === undefined || name.startsWith('-'))
		return { command: commands[0], otherWords: words };
	for (const command of commands) {
		for (const nameWords of namesOf(command).map(commandName => commandName.split(' '))) {
			const rest = words.toSpliced(nameIndex, nameWords.length);
			if (nameWords.every((nameWord, offset) => nameWord === words[nameIndex + offset]))
				return { command, commandWord: name, otherWords: rest };
		}
	}
	return { command: undefined, commandWord: name, otherWords: words.toSpliced(nameIndex, 1) };
}

/**
 * Skips the options that precede the command's name. An option such as --profile takes a value in every
 * command that has the option, so the options can be skipped before the command is known.
 */
function indexOfCommandName(commands: readonly Command[], words: readonly string[]): number {
	const valuedOptions = commands.flatMap(({ options }) =>
		options.filter(({ valueName }) => valueName),
	);
	const wordsBeforeValue = new Set(
		valuedOptions.flatMap(({ name, shortName }) => [`--${name}`, shortName && `-${shortName}`]),
	);
	for (let index = 0; ; ) {
		const word = words[index];
		if (!word?.startsWith('-') || word === '--') return index;
		index += wordsBeforeValue.has(word) ? 2 : 1;
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
