import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a command finds a program that this user may execute. */
export function isProgram(name: string, searchPath: string): boolean {
	const folders = name.includes('/') ? [''] : searchPath.split(delimiter);
	return folders.some(folder => {
		const path = folder === '' ? name : join(folder, name);
		try {
			accessSync(path, constants.X_OK);
			return statSync(path).isFile();
		} catch {
			return false;
		}
	});
}
