import { randomUUID } from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** What is wrong with a file or folder that only its owner may read. */
export class NotPrivate extends Error {}

export const modeText = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');

// No file that is kept comes near this; one that does is damaged or not ours.
const mostBytes = 1_000_000;

// A process that is still writing is younger.
const staleAfter = 600_000;

/** Replaces the file whole, so that no reader ever meets half of it. */
export function writePrivately(path: string, text: string, mode = 0o600): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const draft = `${path}.${randomUUID()}`;
	try {
		const file = openSync(draft, 'wx', mode);
		try {
			writeFileSync(file, text);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(draft, path);
		removeDrafts(path, staleAfter);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}

/** Removes what processes left that were killed while they wrote this file. */
export function removeDrafts(path: string, olderThan = 0): void {
	const folder = dirname(path);
	for (const name of unlessMissing(() => readdirSync(folder)) ?? []) {
		if (!name.startsWith(`${basename(path)}.`) || !isDraft.test(name)) continue;
		const draft = join(folder, name);
		const written = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0;
		const newest = olderThan === 0 ? Number.POSITIVE_INFINITY : modifiedAt(path) - olderThan;
		if (written <= newest) rmSync(draft, { force: true });
	}
}

const isDraft = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const modifiedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Its text, undefined when there is none; `NotPrivate` when others may read or replace it. */
export function readPrivately(path: string): string | undefined {
	try {
		refusePublicFolder(dirname(path));
		// What is read is what was looked at, no link leads to another file, and no pipe keeps us waiting.
		const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
		const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
		try {
			const stats = fstatSync(file);
			if (!stats.isFile()) throw new NotPrivate(`${path} is not a file`);
			refuseOtherOwner(path, stats.uid);
			refuseReadableByOthers(path, stats.mode, 0o600);
			if (stats.size > mostBytes) throw new Error(`${path} is too large`);
			return readFileSync(file, 'utf8');
		} finally {
			closeSync(file);
		}
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		if (isCode(error, 'ELOOP')) throw new NotPrivate(`${path} is a link`);
		throw error;
	}
}

/** Refuses a folder in which others could read or replace what is kept. One that is missing is fine. */
export function refusePublicFolder(path: string): void {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (!stats) return;
	refuseOtherOwner(path, stats.uid);
	refuseReadableByOthers(path, stats.mode, 0o700);
}

/**
 * Refuses a state folder that belongs to somebody else, or in which others could replace the folders of
 * this program. That they may list it is harmless: each folder in it is private by itself.
 */
export function refuseWritableByOthers(path: string): void {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (!stats) return;
	if (stats.uid !== 0) refuseOtherOwner(path, stats.uid);
	// In a folder such as /tmp, whose sticky bit is set, others can only add to it.
	if ((stats.mode & 0o022) === 0 || (stats.mode & 0o1000) !== 0) return;
	const why = `${path} can be written by others (its mode is ${modeText(stats.mode)})`;
	throw new NotPrivate(`${why}; chmod go-w makes it yours alone`);
}

/** Refuses one of the state folder's own folders, and the state folder around it. */
export function refusePublicState(folder: string): void {
	refuseWritableByOthers(dirname(folder));
	refusePublicFolder(folder);
}

export function refuseOtherOwner(path: string, uid: number): void {
	if (!isOwnedByAnother(uid)) return;
	throw new NotPrivate(`${path} belongs to another user; remove it, or set CROWSNEST_STATE_DIR`);
}

function refuseReadableByOthers(path: string, mode: number, wanted: number): void {
	if ((mode & 0o077) === 0) return;
	const why = `${path} can be read by others (its mode is ${modeText(mode)})`;
	throw new NotPrivate(`${why}; chmod ${modeText(wanted).slice(1)} makes it private`);
}

function unlessMissing<T>(attempt: () => T): T | undefined {
	try {
		return attempt();
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

export function isCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}

/** Whether a file with this owner belongs to another user. False where there is no way to know. */
export function isOwnedByAnother(uid: number): boolean {
	const own = ownUid();
	return own >= 0 && uid !== own;
}

// A container may run under a number that has no entry among the users; Windows has no numbers.
function ownUid(): number {
	try {
		return userInfo().uid;
	} catch {
		return -1;
	}
}
