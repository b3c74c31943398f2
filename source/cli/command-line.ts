import { type Host, Interrupted } from '../session/host.ts';
import { type Command, exitCodes, type ParsedArgs } from '../shell/command.ts';
import {
	CommandError,
	createNotify,
	demoNotice,
	errorFromUsage,
	errorText,
	UsageError,
} from '../shell/errors.ts';
import { hasCommonOption, helpText, overviewText } from '../shell/help.ts';
import { watchOutput } from '../shell/output-errors.ts';
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
	watchOutput(host, flags.includes('--json'));
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
		return await runCommand(host, command, parseWords(command, otherWords, commands), commands);
	} catch (error) {
		if (error instanceof Interrupted) return exitCodes.interrupted;
		const helpTopic = isNamed ? command?.name : undefined;
		const reported = error instanceof UsageError ? errorFromUsage(error, helpTopic) : error;
		if (!(reported instanceof CommandError)) throw error;
		stderr.write(errorText(reported, flags.includes('--json')));
		return reported.code;
	}
}

/** Runs a command on the account that its options choose, or on a demo platform within this process. */
async function runCommand(
	host: Host,
	command: Command,
	args: ParsedArgs,
	commands: readonly Command[],
): Promise<number> {
	const demoFlag = command.options.find(({ opensDemo }) => opensDemo)?.name ?? '';
	if (!args.flag(demoFlag)) return command.run(host, args, commands);
	if (args.list('profile').length > 0 || args.flag('all-profiles'))
		throw new UsageError(`Use either --${demoFlag} or a profile`);
	// Only the demo needs the simulator, so its code is loaded only here.
	const { openDemoHost } = await import('../session/demo.ts');
	const demo = await openDemoHost(host);
	createNotify(host.program, args.flag('json'))(demoNotice);
	try {
		return await command.run(demo.host, args, commands);
	} finally {
		await demo.close();
	}
}
