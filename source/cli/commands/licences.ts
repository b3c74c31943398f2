import { readFile } from 'node:fs/promises';
import { getAsset, isSea } from 'node:sea';
import { exitCodes, type Run } from '../../shell/command.ts';

/** Prints the licences of everything that is bundled. They lie beside the program, or in the executable. */
export const licences: Run = async ({ program }) => {
	const text = isSea()
		? getAsset('notices', 'utf8')
		: await readFile(new URL('THIRD-PARTY-NOTICES.txt', import.meta.url), 'utf8');
	program.stdout.write(text);
	return exitCodes.done;
};
