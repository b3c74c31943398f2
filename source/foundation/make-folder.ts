import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from './error.ts';

type CreateFolder = (path: string, mode: number) => unknown;

/** The recursive `mkdirSync` never returns where the system says ENOENT although the folder above exists, as in `/proc`. */
export function makeFolder(path: string, createFolder: CreateFolder = mkdirSync): void {
	try {
		createFolderOnce(path, createFolder);
	} catch (error) {
		const parent = dirname(path);
		if (!hasCode(error, 'ENOENT') || parent === path) throw error;
		makeFolder(parent, createFolder);
		createFolderOnce(path, createFolder);
	}
}

function createFolderOnce(path: string, createFolder: CreateFolder): void {
	try {
		createFolder(path, 0o700);
	} catch (error) {
		if (!hasCode(error, 'EEXIST')) throw error;
		if (!isFolder(path)) throw new Error(`${path} is not a folder`);
	}
}

const isFolder = (path: string) =>
	statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
