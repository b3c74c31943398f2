import { readFile } from 'node:fs/promises';
import { getAsset, isSea } from 'node:sea';
import { type Command, exitCodes } from '../../shell/command.ts';

export const licences: Command = {
	name: 'licences',
	summary: 'print the licences of all bundled software',
	options: [],
	examples: ['crowsnest licences | less'],
	async run({ program }) {
		const text = isSea()
			? getAsset('notices', 'utf8')
			: await readFile(new URL('THIRD-PARTY-NOTICES.txt', import.meta.url), 'utf8');
		program.stdout.write(text);
		return exitCodes.done;
	},
};
