import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { draftPathOf, removeOldDrafts } from '../../accounts/private-file.ts';
import type { Clock } from '../../foundation/clock.ts';
import { fileErrorText, hasCode } from '../../foundation/error.ts';

type TextfileOptions = {
	path: string;
	clock: Clock;
	/** Returns what the file should contain now. */
	textNow: () => string;
	/** Called with the reason when the file cannot be written, and again only after a successful write. */
	onProblem: (reason: string) => void;
	replaceFile?: (path: string, text: string) => void;
};

const minIntervalMs = 1_000;
const maxIntervalMs = 60_000;

/**
 * Keeps a file up to date: at most once a second after a change, and once a minute without one, so that the age of the
 * file shows whether it is still being written.
 */
export function createTextfileWriter(options: TextfileOptions) {
	const { path, clock, textNow, onProblem, replaceFile = replacePublicFile } = options;
	let writtenText: string | undefined;
	let writtenAt = Number.NEGATIVE_INFINITY;
	let isChangeWaiting = false;
	let isFailing = false;
	let cancelTimer = () => {};

	function write(text: string) {
		writtenAt = clock.now();
		try {
			replaceFile(path, text);
			writtenText = text;
			isFailing = false;
		} catch (error) {
			if (!isFailing) onProblem(fileErrorText(error));
			isFailing = true;
		}
	}

	/**
	 * Calls a function when the interval has passed since the last write. A clock that was set back does not delay the
	 * call.
	 */
	function schedule(intervalMs: number, call: () => void) {
		cancelTimer();
		const delayMs = writtenAt + intervalMs - clock.now();
		cancelTimer = clock.after(Math.min(intervalMs, Math.max(0, delayMs)), call);
	}

	function writeChange() {
		isChangeWaiting = false;
		const text = textNow();
		if (text !== writtenText) write(text);
		schedule(maxIntervalMs, writeAnyway);
	}

	function writeAnyway() {
		write(textNow());
		schedule(maxIntervalMs, writeAnyway);
	}

	return {
		noteChange() {
			if (isChangeWaiting) return;
			isChangeWaiting = true;
			schedule(minIntervalMs, writeChange);
		},
		/** Writes a change that is still waiting, and ends. */
		close() {
			if (isChangeWaiting) writeChange();
			cancelTimer();
		},
	};
}

// node_exporter runs as another user, so every user may read the file.
const publicMode = 0o644;

/**
 * Replaces the file in one step, so that a reader gets either the old or the new text. The name of the draft does not
 * end in `.prom`, so node_exporter does not read it.
 */
export function replacePublicFile(path: string, text: string): void {
	const draft = draftPathOf(path);
	try {
		writeFileSync(draft, text, { flag: 'wx', mode: publicMode });
		// The umask may have removed the permission of other users, so it is set again.
		chmodSync(draft, publicMode);
		renameSync(draft, path);
		removeOldDrafts(path);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}

/** Returns why the file cannot be written; undefined if it can. An existing file is not changed by this check. */
export function textfileProblem(path: string | undefined): string | undefined {
	const reason = path === undefined ? undefined : reasonNotToWrite(path);
	return reason === undefined ? undefined : `cannot write ${path}: ${reason}`;
}

function reasonNotToWrite(path: string): string | undefined {
	const draft = draftPathOf(path);
	try {
		if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'it is a folder';
		if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
			return `there is no folder ${dirname(path)}`;
		writeFileSync(draft, '', { flag: 'wx', mode: publicMode });
		rmSync(draft);
		return undefined;
	} catch (error) {
		// The folder exists, but the system creates no files in some folders, such as /proc.
		return hasCode(error, 'ENOENT') ? 'no file can be created in its folder' : fileErrorText(error);
	}
}
