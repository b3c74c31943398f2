import { getAsset, isSea } from 'node:sea';
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

export const version: Command = {
	name: 'version',
	summary: 'print the version',
	options: [],
	examples: ['crowsnest version'],
	async run(host) {
		host.program.stdout.write(`crowsnest ${host.version}\n`);
		return exitCodes.done;
	},
};

export const licences: Command = {
	name: 'licences',
	isRare: true,
	summary: 'print the licences of all bundled software',
	options: [],
	examples: ['crowsnest licences | less'],
	async run({ program }) {
		// An executable contains Node as well, whose licence the build of the program does not know.
		program.stdout.write(isSea() ? getAsset('notices', 'utf8') : __NOTICES__);
		return exitCodes.done;
	},
};
