import { randomUUID } from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
	writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';

/** Thrown when other users could read or replace a file or folder that must be private. */
export class NotPrivate extends Error {}

export const modeText = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');

// Every private file is far smaller than this. A larger file is damaged, or was not written by this program.
const maxFileBytes = 1_000_000;

// A draft that is older than this, in milliseconds, was left behind by a process that was killed.
const draftLifetimeMs = 600_000;

/**
 * Replaces the file in one step, so that a reader gets either the old or the new text. Without `isDurable`, nothing waits
 * for the disk, and a machine that loses its power may keep neither.
 */
export function writePrivately(
	path: string,
	text: string,
	{ mode = 0o600, isDurable = true }: { mode?: number; isDurable?: boolean } = {},
): void {
	makeFolder(dirname(path));
	const { draft, file } = createDraft(path, mode);
	try {
		try {
			writeFileSync(file, text);
			if (isDurable) fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(draft, path);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
	removeDrafts(path, 'old');
}

/** Returns a new path for a draft, which becomes the file when it is complete. */
export const draftPathOf = (path: string) => `${path}.${randomUUID()}`;

function createDraft(path: string, mode: number): { draft: string; file: number } {
	const draft = draftPathOf(path);
	return { draft, file: openSync(draft, 'wx', mode) };
}

/** Removes drafts of this file that killed processes left behind: all, or those much older than the file. */
export function removeDrafts(path: string, which: 'all' | 'old'): void {
	const folder = dirname(path);
	for (const name of undefinedIfMissing(() => readdirSync(folder)) ?? []) {
		if (!name.startsWith(`${basename(path)}.`) || !draftNamePattern.test(name)) continue;
		const draft = join(folder, name);
		const isOld = modifiedAt(draft) <= modifiedAt(path) - draftLifetimeMs;
		if (which === 'all' || isOld) rmSync(draft, { force: true });
	}
}

const draftNamePattern = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const modifiedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// Links and pipes are refused: a link could lead to any other file of the user, and opening a pipe would wait for a
// writer.
const privateFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file without waiting. Throws if it is no file, or a link that the flags refuse. The open file is checked and not its path, because a
 * link could lead to another file in the meantime.
 */
export function openFile(
	path: string,
	flags: number = constants.O_RDONLY | constants.O_NOFOLLOW,
): { file: number; stats: Stats } {
	let file: number;
	try {
		file = openSync(path, flags | constants.O_NONBLOCK, 0o600);
	} catch (error) {
		throw withoutLink(error, path);
	}
	try {
		const stats = fstatSync(file);
		refuseSpecialFile(path, stats);
		return { file, stats };
	} catch (error) {
		closeSync(file);
		throw error;
	}
}

const withoutLink = (error: unknown, path: string): unknown =>
	hasCode(error, 'ELOOP') ? new NotPrivate(`${path} is a link`) : error;

function refuseSpecialFile(path: string, stats: Stats): void {
	if (!stats.isFile()) throw new NotPrivate(`${path} is not a file`);
}

/** Returns the text of a file that this program reads at its start. Throws if it is no file, or too large. */
export function readBounded(
	path: string,
	{
		flags,
		check,
		maxBytes = maxFileBytes,
	}: { flags?: number; check?: (stats: Stats) => void; maxBytes?: number } = {},
): string {
	const { file, stats } = openFile(path, flags);
	try {
		check?.(stats);
		if (stats.size > maxBytes) throw new Error(`${path} is too large`);
		return readFileSync(file, 'utf8');
	} finally {
		closeSync(file);
	}
}

/**
 * Returns the text of the file; undefined if there is no file. Throws `NotPrivate` if other users can read or
 * replace the file.
 */
export function readPrivately(path: string): string | undefined {
	return undefinedIfMissing(() => {
		refusePublicFolder(dirname(path));
		return readBounded(path, {
			check({ uid, mode }) {
				refuseOtherOwner(path, uid);
				refuseReadableByOthers(path, mode, 0o600);
			},
		});
	});
}

/** Returns the text of a file in a folder of the state folder; undefined if there is no file. */
export function readStateFile(path: string, maxBytes: number): string | undefined {
	refusePublicStateFolder(dirname(path));
	return undefinedIfMissing(() =>
		readBounded(path, { maxBytes, check: ({ uid }) => refuseOtherOwner(path, uid) }),
	);
}

/** Appends text to a file in a folder of the state folder, and creates what is missing. */
export function appendPrivately(path: string, text: string): void {
	makeStateFolder(dirname(path));
	const { O_APPEND, O_CREAT, O_WRONLY } = constants;
	const { file, stats } = openFile(path, O_WRONLY | O_APPEND | O_CREAT | privateFlags);
	try {
		refuseOtherOwner(path, stats.uid);
		writeFileSync(file, text);
	} finally {
		closeSync(file);
	}
}

/** Creates a folder of the state folder if it is missing, and throws if other users could use it. */
export function makeStateFolder(folder: string): void {
	refuseWritableByOthers(dirname(folder));
	makeFolder(folder);
	refusePublicStateFolder(folder);
}

/** Throws if other users could read or replace files in this folder. A missing folder is allowed. */
export function refusePublicFolder(path: string): void {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (!stats) return;
	refuseOtherOwner(path, stats.uid);
	refuseReadableByOthers(path, stats.mode, 0o700);
}

/**
 * Throws if the state folder belongs to another user, or if other users could replace folders in it. Other users may
 * list the folder, because each folder in it is private.
 */
export function refuseWritableByOthers(path: string): void {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (!stats) return;
	if (stats.uid !== 0) refuseOtherOwner(path, stats.uid);
	// In a folder with the sticky bit, such as /tmp, other users can add files but cannot replace any.
	if ((stats.mode & 0o022) === 0 || (stats.mode & 0o1000) !== 0) return;
	const problem = `${path} can be written by others (its mode is ${modeText(stats.mode)})`;
	throw new NotPrivate(`${problem}; run chmod go-w on it`);
}

/** Throws if other users could read or replace files in a folder of the state folder, or the folder itself. */
export function refusePublicStateFolder(folder: string): void {
	refuseWritableByOthers(dirname(folder));
	refusePublicFolder(folder);
}

export function refuseOtherOwner(path: string, uid: number): void {
	if (!isOwnedByAnother(uid)) return;
	throw new NotPrivate(
		`${path} belongs to another user; remove ${path}, or set CROWSNEST_STATE_DIR to another folder`,
	);
}

export function refuseReadableByOthers(path: string, mode: number, privateMode: number): void {
	if ((mode & 0o077) === 0) return;
	const problem = `${path} can be read by others (its mode is ${modeText(mode)})`;
	throw new NotPrivate(`${problem}; run chmod ${modeText(privateMode).slice(1)} on it`);
}

export function undefinedIfMissing<T>(operation: () => T): T | undefined {
	try {
		return operation();
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

/** Whether this owner is another user; false if that cannot be determined. */
export function isOwnedByAnother(uid: number): boolean {
	const own = ownUid();
	return own >= 0 && uid !== own;
}

let knownOwnUid: number | undefined;

// Each look into the user database reads files, and every private file is checked. In a container, the database may have
// no entry for the user. Windows has no numeric user ids.
function ownUid(): number {
	try {
		knownOwnUid ??= userInfo().uid;
	} catch {
		knownOwnUid = -1;
	}
	return knownOwnUid;
}
