import { linkSync, renameSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { readBounded, undefinedIfMissing } from '../accounts/private-file.ts';
import { hasCode } from '../foundation/error.ts';

/**
 * The process that holds a lock. After the next boot, the pid may belong to another process, so the holder also names
 * its boot.
 */
export type LockHolder = { pid: number; hostId: string };

type StartLockOptions = {
	path: string;
	holder: LockHolder;
	/** A name that no other process uses at this moment. */
	uniqueSuffix: string;
	/** Whether a process with this pid runs on this machine. */
	isRunning: (pid: number) => boolean;
	/** The time of change that the file gets; the system's time if absent. */
	changedAt?: number;
};

/**
 * Takes the lock, and returns a function that releases it; returns undefined while a living process holds the lock.
 *
 * The lock is a file that is first written elsewhere and then linked into place, so that it always names its holder:
 *
 * ```
 *   draft ──link──▶ lock            exists already: the holder lives  ─▶ undefined
 *                                                   the holder is dead ─▶ rename it away, check that the renamed
 *                                                                          file is the dead one, link again
 * ```
 */
export function takeStartLock(options: StartLockOptions): (() => void) | undefined {
	const { path, holder, uniqueSuffix, changedAt } = options;
	const draft = `${path}.${uniqueSuffix}`;
	try {
		writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
		if (changedAt !== undefined) utimesSync(draft, changedAt / 1_000, changedAt / 1_000);
		if (!isLinked(draft, path)) {
			if (!removeDeadLock(options) || !isLinked(draft, path)) return undefined;
		}
	} finally {
		// The draft is removed even after an error: on a full disk, it may exist without its text.
		undefinedIfMissing(() => unlinkSync(draft));
	}
	return () => undefinedIfMissing(() => unlinkSync(path));
}

function isLinked(draft: string, path: string): boolean {
	try {
		linkSync(draft, path);
		return true;
	} catch (error) {
		if (hasCode(error, 'EEXIST')) return false;
		throw error;
	}
}

/**
 * Removes the lock of a dead process, and returns whether the lock is gone. Another process may replace the dead lock
 * at the same moment.
 */
function removeDeadLock({ path, holder, uniqueSuffix, isRunning }: StartLockOptions): boolean {
	const text = textOf(path);
	if (text === undefined) return true;
	const { pid, hostId } = holderFrom(text);
	if (hostId === holder.hostId && isRunning(pid)) return false;
	const removed = `${path}.${uniqueSuffix}.dead`;
	if (undefinedIfMissing(() => renameSync(path, removed) ?? true) === undefined) return true;
	const isDeadOne = textOf(removed) === text;
	// Another process has replaced the dead lock since it was read, so its lock goes back.
	if (!isDeadOne) isLinked(removed, path);
	unlinkSync(removed);
	return isDeadOne;
}

/** Returns the text of a lock; undefined if there is none, and empty if it is none of ours: a pipe, a link or a large file. */
function textOf(path: string): string | undefined {
	try {
		return readBounded(path);
	} catch (error) {
		return hasCode(error, 'ENOENT') ? undefined : '';
	}
}

/** Returns the holder that a lock names; a damaged lock belongs to no process. */
function holderFrom(text: string): LockHolder {
	try {
		const { pid, hostId } = JSON.parse(text) as LockHolder;
		return { pid: Number(pid), hostId: String(hostId) };
	} catch {
		return { pid: 0, hostId: '' };
	}
}
