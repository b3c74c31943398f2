import { type Command, exitCodes } from '../../shell/command.ts';

export const man: Command = {
	name: 'man',
	isRare: true,
	summary: 'print the manual page',
	options: [],
	examples: ['crowsnest man | man -l -', 'crowsnest man > ~/.local/share/man/man1/crowsnest.1'],
	async run({ program, version }, _args, commands) {
		// Only the manual names every key, so its code is loaded only here.
		const { manualPage } = await import('../manual/page.ts');
		const { plainManual } = await import('../manual/plain.ts');
		const page = manualPage(commands, version);
		const { isTTY, columns } = program.stdout;
		program.stdout.write(isTTY ? plainManual(page, Math.max(40, Math.min(columns, 100))) : page);
		return exitCodes.done;
	},
};
