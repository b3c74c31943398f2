import { randomUUID } from 'node:crypto';
import {
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	fsyncSync,
	openSync,
	readdirSync,
	readFileSync,
	realpathSync,
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
import { memoize } from '../foundation/memoize.ts';

export class NotPrivate extends Error {}

export const modeText = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');

const maxFileBytes = 1_000_000;

// Left behind by a process that was killed.
const draftLifetimeMs = 600_000;

export function writePrivately(path: string, text: string, isDurable = true): void {
	makeStateFolder(dirname(path));
	replaceFile(path, text, { isDurable });
}

/** Without `isDurable`, a machine that loses its power may keep neither text. */
export function replaceFile(
	path: string,
	text: string,
	{ mode = 0o600, isDurable = true }: { mode?: number; isDurable?: boolean } = {},
): void {
	const draft = `${path}.${randomUUID()}`;
	const file = openSync(draft, 'wx', mode);
	try {
		try {
			// The umask may have removed a permission of others.
			fchmodSync(file, mode);
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
	removeDrafts(path, modifiedAt(path) - draftLifetimeMs);
}

const draftNamePattern = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function removeDrafts(path: string, before: number): void {
	const folder = dirname(path);
	for (const name of undefinedIfMissing(() => readdirSync(folder)) ?? []) {
		if (!name.startsWith(`${basename(path)}.`) || !draftNamePattern.test(name)) continue;
		const draft = join(folder, name);
		if (modifiedAt(draft) <= before) rmSync(draft, { force: true });
	}
}

const modifiedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The drafts may contain the same secret. */
export function removePrivately(path: string): void {
	rmSync(path, { force: true });
	removeDrafts(path, Number.POSITIVE_INFINITY);
}

/** Checks the open file: a path could lead to another one in the meantime. */
export function openFile(
	path: string,
	flags: number = constants.O_RDONLY | constants.O_NOFOLLOW,
): { file: number; stats: Stats } {
	let file: number;
	try {
		file = openSync(path, flags | constants.O_NONBLOCK, 0o600);
	} catch (error) {
		throw hasCode(error, 'ELOOP') ? new NotPrivate(`${path} is a link`) : error;
	}
	const stats = fstatSync(file);
	if (stats.isFile()) return { file, stats };
	closeSync(file);
	throw new NotPrivate(`${path} is not a file`);
}

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

/** Throws if others can use it. */
export function readPrivately(path: string, maxBytes?: number): string | undefined {
	refusePublicStateFolder(dirname(path));
	const check = (stats: Stats) => refuseShared(path, stats, 0o600);
	return undefinedIfMissing(() => readBounded(path, { maxBytes, check }));
}

export function createPrivately(path: string): boolean {
	try {
		closeSync(openSync(path, 'wx', 0o600));
		return true;
	} catch (error) {
		if (hasCode(error, 'EEXIST')) return false;
		throw error;
	}
}

export function appendPrivately(path: string, text: string): void {
	makeStateFolder(dirname(path));
	const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
	const { file, stats } = openFile(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
	try {
		refuseOtherOwner(path, stats.uid);
		writeFileSync(file, text);
	} finally {
		closeSync(file);
	}
}

export function makeStateFolder(folder: string): void {
	refuseWritableByOthers(dirname(folder));
	makeFolder(folder);
	refusePublicStateFolder(folder);
}

export function refusePublicStateFolder(folder: string): void {
	refuseWritableByOthers(dirname(folder));
	const stats = statSync(folder, { throwIfNoEntry: false });
	if (stats) refuseShared(folder, stats, 0o700);
}

/** Others may list the state folder, because each folder in it is private. */
export function refuseWritableByOthers(path: string): void {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (!stats) return;
	if (stats.uid !== 0) refuseOtherOwner(path, stats.uid);
	// In a folder with the sticky bit, such as /tmp, other users can add files but cannot replace any.
	if ((stats.mode & 0o022) === 0 || (stats.mode & 0o1000) !== 0) return;
	throw new NotPrivate(writableText(path, stats.mode));
}

const writableText = (path: string, mode: number) =>
	`${path} can be written by others (its mode is ${modeText(mode)}); run chmod go-w on it`;

export function refuseShared(path: string, { uid, mode }: Stats, privateMode: number): void {
	refuseOtherOwner(path, uid);
	if ((mode & 0o077) === 0) return;
	const problem = `${path} can be read by others (its mode is ${modeText(mode)})`;
	throw new NotPrivate(`${problem}; run chmod ${modeText(privateMode).slice(1)} on it`);
}

function refuseOtherOwner(path: string, uid: number): void {
	if (!isOwnedByAnother(uid)) return;
	throw new NotPrivate(
		`${path} belongs to another user; remove ${path}, or set CROWSNEST_STATE_DIR to another folder`,
	);
}

/** If the file is a link, both the link and its target are checked. */
export function reasonToDistrust(configPath: string): string | undefined {
	const realPath = realPathOf(configPath) ?? configPath;
	for (const path of [configPath, dirname(configPath), realPath, dirname(realPath)]) {
		const stats = statSync(path, { throwIfNoEntry: false });
		if (!stats) continue;
		// Root can change every file anyway.
		if (stats.uid !== 0 && isOwnedByAnother(stats.uid)) return `${path} belongs to another user`;
		if ((stats.mode & 0o022) !== 0) return writableText(path, stats.mode);
	}
	return undefined;
}

export const realPathOf = (path: string) => undefinedIfMissing(() => realpathSync(path));

export function undefinedIfMissing<T>(operation: () => T): T | undefined {
	try {
		return operation();
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

const ownUid = memoize(() => {
	try {
		return userInfo().uid;
	} catch {
		// A container may have no entry for the user.
		return -1;
	}
});

const isOwnedByAnother = (uid: number) => ownUid() >= 0 && uid !== ownUid();
