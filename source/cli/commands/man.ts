import { type Command, exitCodes } from '../../shell/command.ts';

export const man: Command = {
	name: 'man',
	summary: 'print the manual page',
	options: [],
	examples: ['crowsnest man | man -l -', 'crowsnest man > ~/.local/share/man/man1/crowsnest.1'],
	async run({ program, version }, _args, commands) {
		// Only the manual names every key, so its code is loaded only here.
		const { manualPage } = await import('../manual/page.ts');
		program.stdout.write(manualPage(commands, version));
		return exitCodes.done;
	},
};
