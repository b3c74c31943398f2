import { getAsset, isSea } from 'node:sea';
import { exitCodes } from '../../foundation/error.ts';
import type { Command } from '../command.ts';

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
