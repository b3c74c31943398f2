import { closeSync, constants, readSync, type Stats, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
	openFile,
	privateFlags,
	refuseOtherOwner,
	refusePublicStateFolder,
	refuseSpecialFile,
	refuseWritableByOthers,
	undefinedIfMissing,
	withoutLink,
} from '../accounts/private-file.ts';
import { hasCode } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';

const { O_APPEND, O_CREAT, O_WRONLY } = constants;

// None of these files grows this large. A larger file must not delay the start.
const maxFileBytes = 64_000_000;

/** Returns the text of a file in the state folder; undefined if there is no file. */
export const readStateFile = (path: string): string | undefined => readStateData(path)?.toString();

/**
 * Returns the bytes of a file in the state folder; undefined if there is no file. The first frame waits for this
 * function. Reading the file in one step takes less time than loading the code that reads it in several, and Node would
 * read it in pieces of eight kilobytes if it did not know the size.
 */
export function readStateData(path: string): Buffer | undefined {
	return withOpenFile(path, (file, { size }) => {
		if (size > maxFileBytes) throw new Error(`${path} is too large`);
		const data = Buffer.allocUnsafeSlow(size);
		let length = 0;
		while (length < size) {
			const count = readSync(file, data, length, size - length, length);
			// Another process has cut the file meanwhile.
			if (count === 0) break;
			length += count;
		}
		return data.subarray(0, length);
	});
}

/** Returns the first bytes of a file. They contain the version of the file. */
export function readBeginning(path: string, length = 64): string {
	const beginning = withOpenFile(path, file => {
		const buffer = Buffer.alloc(length);
		return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).trimStart();
	});
	return beginning ?? '';
}

function withOpenFile<T>(path: string, read: (file: number, stats: Stats) => T): T | undefined {
	refusePublicStateFolder(dirname(path));
	const opened = undefinedIfMissing(() => openFile(path));
	if (opened === undefined) return undefined;
	const { file, stats } = opened;
	try {
		refuseOtherOwner(path, stats.uid);
		return read(file, stats);
	} finally {
		closeSync(file);
	}
}

/** Opens a file for appending, in a folder that only its owner can use. */
export async function openForAppending(directory: string, path: string): Promise<FileHandle> {
	makePrivateFolder(directory);
	return openPrivateFile(path, O_WRONLY | O_APPEND | O_CREAT);
}

/**
 * Creates the folder if it is missing. Throws if the folder belongs to another user or if other users can access it.
 * Nothing is created in a state folder of another user.
 */
export function makePrivateFolder(directory: string): void {
	refuseWritableByOthers(dirname(directory));
	makeFolder(directory);
	refusePublicStateFolder(directory);
}

async function openPrivateFile(path: string, flags: number): Promise<FileHandle> {
	refusePublicStateFolder(dirname(path));
	const file = await open(path, flags | privateFlags, 0o600).catch(error => {
		throw withoutLink(error, path);
	});
	try {
		const stats = await file.stat();
		refuseSpecialFile(path, stats);
		refuseOtherOwner(path, stats.uid);
		return file;
	} catch (error) {
		await file.close();
		throw error;
	}
}

export function ignoreMissingFile(error: unknown): undefined {
	if (hasCode(error, 'ENOENT')) return undefined;
	throw error;
}

/** Appends text to a file at once, in a folder that only its owner can use. */
export function appendToPrivateFile(path: string, text: string): void {
	makePrivateFolder(dirname(path));
	const { file, stats } = openFile(path, O_WRONLY | O_APPEND | O_CREAT | privateFlags);
	try {
		refuseOtherOwner(path, stats.uid);
		writeFileSync(file, text);
	} finally {
		closeSync(file);
	}
}
