import type { Command } from '../shell/command.ts';
import { UsageError } from '../shell/errors.ts';
import { parseWords } from '../shell/parse-args.ts';
import { monitor } from './commands/monitor.ts';

/**
 * Loads the commands that may be needed for a command line. Opening the monitor needs no other command, and loading all
 * of them would delay its first picture.
 */
export async function loadCommands(words: readonly string[]): Promise<readonly Command[]> {
	if (needsNoOtherCommand(monitor, words)) return [monitor];
	const { commands } = await import('./catalog.ts');
	return commands;
}

/**
 * Whether a command line needs nothing but its own command. The message about a mistake may name any command, the help
 * lists all of them, and the demo platform is large.
 */
export function needsNoOtherCommand(command: Command, words: readonly string[]): boolean {
	try {
		const args = parseWords(command, words, []);
		return !command.options.some(({ name, opensDemo }) => opensDemo && args.flag(name));
	} catch (error) {
		if (error instanceof UsageError) return false;
		throw error;
	}
}
