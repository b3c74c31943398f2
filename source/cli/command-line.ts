import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import {
	createNotify,
	demoNotice,
	errorFromUsage,
	errorText,
	outputError,
} from '../script/stderr.ts';
import type { DemoOptions } from '../session/demo.ts';
import { type Host, Interrupted } from '../session/host.ts';
import { findCommand, parseWords, unknownCommandText } from './arguments.ts';
import type { Command } from './command.ts';
import { hasCommonOption, helpText, overviewText } from './help.ts';
import { demoOption } from './options.ts';

export async function runCommandLine(
	host: Host,
	commands: readonly Command[],
	words: readonly string[],
): Promise<number> {
	const { stdout, stderr } = host.program;
	const { command, commandWord, otherWords } = findCommand(commands, words);
	const terminator = otherWords.indexOf('--');
	const flags = terminator < 0 ? otherWords : otherWords.slice(0, terminator);
	const isJson = flags.includes('--json');
	// An error of the output can come after the command has ended, or during one without a handler.
	stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
		if (code === 'EPIPE' || stdout.listenerCount('error') > 1) return;
		stderr.write(errorText(outputError(message), isJson));
		host.program.exit(exitCodes.failed);
	});
	try {
		if (command === undefined) throw new UsageError(unknownCommandText(commands, commandWord));
		if (hasCommonOption(flags, 'version')) {
			stdout.write(`crowsnest ${host.version}\n`);
			return exitCodes.done;
		}
		if (hasCommonOption(flags, 'help')) {
			stdout.write(commandWord === undefined ? overviewText(commands) : helpText(command));
			return exitCodes.done;
		}
		const args = parseWords(command, otherWords, commands);
		// The monitor opens its demo itself.
		if (!command.options.includes(demoOption) || !args.flag('demo'))
			return await command.run(host, args, commands);
		if (args.list('profile').length > 0 || args.flag('all-profiles'))
			throw new UsageError('Use either --demo or a profile');
		return await runInDemo(host, args, {}, demo => command.run(demo, args, commands));
	} catch (error) {
		if (error instanceof Interrupted) return exitCodes.interrupted;
		const topic = commandWord === undefined ? undefined : (command?.describedBy ?? command?.name);
		const reported = error instanceof UsageError ? errorFromUsage(error, topic) : error;
		if (!(reported instanceof CommandError)) throw error;
		stderr.write(errorText(reported, isJson));
		return reported.code;
	}
}

export async function runInDemo(
	host: Host,
	args: ParsedArgs,
	options: DemoOptions,
	run: (demo: Host) => Promise<number>,
): Promise<number> {
	// Only the demo needs the simulator.
	const { openDemoHost } = await import('../session/demo.ts');
	const demo = await openDemoHost(host, options);
	createNotify(host.program, args.flag('json'))(demoNotice);
	try {
		return await run(demo.host);
	} finally {
		await demo.close();
	}
}
