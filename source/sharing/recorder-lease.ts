import { statSync, unlinkSync, utimesSync } from 'node:fs';
import { undefinedIfMissing } from '../accounts/private-file.ts';
import type { Clock } from '../foundation/clock.ts';
import { type LockHolder, takeStartLock } from './start-lock.ts';

/** The right to be the recorder of an account on this host. One process holds it at a time. */
export type RecorderLease = {
	/**
	 * Takes or renews the lease. The result says whether this process holds the lease, and whether it held the lease
	 * before. A process that cannot read keeps the lease only until another process competes. Throws if the file cannot be
	 * written.
	 */
	hold(canRead: boolean): 'taken' | 'renewed' | 'refused';
	release(): void;
};

type RecorderLeaseOptions = {
	path: string;
	holder: LockHolder;
	/** Whether a process with this pid runs on this machine. */
	isRunning: (pid: number) => boolean;
	clock: Pick<Clock, 'now'>;
	/** Returns a number from 0 up to, but not including, 1. */
	random: () => number;
};

/** A lease that was not renewed for this long belongs to a process that is stopped. */
export const leaseLifetimeMs = 10_000;

/**
 * Creates the lease of an account. The lease is a file like the start lock, and the modification time of the file is
 * the time of the last renewal:
 *
 * ```
 *   no file, or its holder has ended ──────────────▶ taken
 *   its holder lives, renewed within ten seconds ──▶ refused
 *   its holder lives, but is stopped ──────────────▶ taken; the holder finds another file when it continues
 *   its holder lives, but cannot read: not renewed ─▶ taken by a process that can read
 * ```
 *
 * Renewing needs no space on the disk.
 */
export function createRecorderLease(options: RecorderLeaseOptions): RecorderLease {
	const { path, holder, clock, random } = options;
	let ownFile: { ino: number; birthtimeMs: number } | undefined;

	const fileInPlace = () => statSync(path, { throwIfNoEntry: false });

	function isOurs(): boolean {
		const found = fileInPlace();
		return (
			found !== undefined && found.ino === ownFile?.ino && found.birthtimeMs === ownFile.birthtimeMs
		);
	}

	/**
	 * Whether the lease has expired. If the clock was set back, the lease expires at once, and its holder renews it
	 * within two seconds.
	 */
	function isExpired(): boolean {
		const found = fileInPlace();
		return !found || Math.abs(clock.now() - found.mtimeMs) > leaseLifetimeMs;
	}

	function take(canRead: boolean): boolean {
		const release = takeStartLock({
			path,
			holder,
			changedAt: clock.now(),
			isRunning: pid => options.isRunning(pid) && !(canRead && isExpired()),
			uniqueSuffix: random().toString(16).slice(2, 10),
		});
		ownFile = release && fileInPlace();
		return ownFile !== undefined;
	}

	return {
		hold(canRead) {
			if (!isOurs()) return take(canRead) ? 'taken' : 'refused';
			if (!canRead) return 'renewed';
			const seconds = clock.now() / 1_000;
			utimesSync(path, seconds, seconds);
			return 'renewed';
		},
		release() {
			if (isOurs()) undefinedIfMissing(() => unlinkSync(path));
			ownFile = undefined;
		},
	};
}
