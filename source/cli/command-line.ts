import { type Host, Interrupted } from '../session/host.ts';
import { type Command, exitCodes } from '../shell/command.ts';
import { CommandError, errorFromUsage, errorText, UsageError } from '../shell/errors.ts';
import { hasCommonOption, helpText, overviewText } from '../shell/help.ts';
import { findCommand, parseWords, unknownCommandText } from '../shell/parse-args.ts';

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
		if (hasCommonOption(flags, 'version')) {
			stdout.write(`crowsnest ${host.version}\n`);
			return exitCodes.done;
		}
		if (hasCommonOption(flags, 'help')) {
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
