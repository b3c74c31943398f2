import { exitCodes } from '../../foundation/error.ts';
import type { Command } from '../command.ts';
import { manualPage } from '../manual/page.ts';
import { plainManual } from '../manual/plain.ts';

export const man: Command = {
	name: 'man',
	isRare: true,
	summary: 'print the manual page',
	options: [],
	examples: ['crowsnest man | man -l -', 'crowsnest man > ~/.local/share/man/man1/crowsnest.1'],
	async run({ program, version }, _args, commands) {
		const page = manualPage(commands, version);
		const { isTTY, columns } = program.stdout;
		program.stdout.write(isTTY ? plainManual(page, Math.max(40, Math.min(columns, 100))) : page);
		return exitCodes.done;
	},
};
