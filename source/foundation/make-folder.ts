import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from './error.ts';

/** The recursive `mkdirSync` never returns where the system says ENOENT although the folder above exists, as in `/proc`. */
export function makeFolder(path: string): void {
	try {
		createFolder(path);
	} catch (error) {
		const parent = dirname(path);
		if (!hasCode(error, 'ENOENT') || parent === path) throw error;
		makeFolder(parent);
		createFolder(path);
	}
}

function createFolder(path: string): void {
	try {
		mkdirSync(path, 0o700);
	} catch (error) {
		if (!hasCode(error, 'EEXIST')) throw error;
		if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
			throw new Error(`${path} is not a folder`);
	}
}
