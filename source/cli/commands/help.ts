import { exitCodes, UsageError } from '../../foundation/error.ts';
import { findCommand, unknownCommandText } from '../arguments.ts';
import type { Command } from '../command.ts';
import { helpText, moreCommandsText, overviewText } from '../help.ts';

export const help: Command = {
	name: 'help',
	summary: 'show the help of a command',
	argumentUsage: 'COMMAND',
	options: [],
	examples: ['crowsnest help', 'crowsnest help list', 'crowsnest help more'],
	async run({ program }, { positionals }, commands) {
		if (positionals.length === 0) {
			program.stdout.write(overviewText(commands));
			return exitCodes.done;
		}
		if (positionals.join(' ') === 'more') {
			program.stdout.write(moreCommandsText(commands));
			return exitCodes.done;
		}
		const { command, otherWords } = findCommand(commands, positionals);
		if (!command) throw new UsageError(unknownCommandText(commands, positionals.join(' ')));
		if (otherWords.length > 0)
			throw new UsageError(`help takes one command, but got ${otherWords[0]}`);
		program.stdout.write(helpText(command));
		return exitCodes.done;
	},
};
