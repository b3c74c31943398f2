import { exitCodes } from '../../foundation/error.ts';
import type { Command } from '../command.ts';

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
