import { type Command, exitCodes } from '../../shell/command.ts';
import { manualPage } from '../manual/page.ts';

export const man: Command = {
	name: 'man',
	summary: 'print the manual page',
	options: [],
	examples: ['crowsnest man | man -l -', 'crowsnest man > ~/.local/share/man/man1/crowsnest.1'],
	async run({ program, version }, _args, commands) {
		program.stdout.write(manualPage(commands, version));
		return exitCodes.done;
	},
};
