import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NotPrivate, refuseOtherOwner, refusePublicStateFolder } from '../accounts/private-file.ts';
import { hasCode } from '../foundation/error.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

// None of these files grows this large. A larger file must not delay the start.
const maxFileBytes = 64_000_000;

/** Returns the text of a file in the state folder; undefined if there is no file. */
export async function readStateFile(path: string): Promise<string | undefined> {
	const file = await openPrivateFile(path, O_RDONLY).catch(ignoreMissingFile);
	if (!file) return undefined;
	try {
		if ((await file.stat()).size > maxFileBytes) throw new Error(`${path} is too large`);
		return await file.readFile('utf8');
	} finally {
		await file.close();
	}
}

/** Returns the first bytes of a file. They contain the version of the file. */
export async function readBeginning(path: string): Promise<string> {
	const file = await openPrivateFile(path, O_RDONLY).catch(ignoreMissingFile);
	if (!file) return '';
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
		return buffer.toString('latin1', 0, bytesRead).trimStart();
	} finally {
		await file.close();
	}
}

/** Opens a file for appending, in a folder that only its owner can use. */
export async function openForAppending(directory: string, path: string): Promise<FileHandle> {
	await mkdir(directory, { recursive: true, mode: 0o700 });
	return openPrivateFile(path, O_WRONLY | O_APPEND | O_CREAT);
}

/**
 * Creates the folder if it is missing. Throws if the folder belongs to another user or if other users can
 * access it.
 */
export async function makePrivateFolder(directory: string): Promise<void> {
	await mkdir(directory, { recursive: true, mode: 0o700 });
	refusePublicStateFolder(directory);
}

// A link could lead to any other file of the user, and opening a pipe would wait for a writer.
async function openPrivateFile(path: string, flags: number): Promise<FileHandle> {
	refusePublicStateFolder(dirname(path));
	const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600).catch(error => {
		throw hasCode(error, 'ELOOP') ? new NotPrivate(`${path} is a link`) : error;
	});
	try {
		const stats = await file.stat();
		if (!stats.isFile()) throw new NotPrivate(`${path} is not a file`);
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
