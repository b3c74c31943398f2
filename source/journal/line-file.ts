import { existsSync, readdirSync } from 'node:fs';
import { rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { pathErrorText, stateFileErrorText } from '../foundation/error.ts';
import { isOfNewerVersion, NewerVersionError } from './file-version.ts';
import {
	appendToPrivateFile,
	ignoreMissingFile,
	openForAppending,
	readStateFile,
} from './state-file.ts';

//  journal.jsonl                      several processes append batches of lines
//      │ longer than `bytesAtMost`: renamed
//      ▼
//  journal.<time>-<pid>.jsonl         older lines, up to three times as many bytes
//      │ more than that: the oldest file is removed

/**
 * A file of lines that several processes append to, together with the older files that were split off from it.
 */
export type LineFile = {
	/** Appends lines. They are written soon, in batches. */
	append(lines: readonly string[]): void;
	/**
	 * Writes lines before it returns, so that they are in the file even if the process is killed at once. Returns why they
	 * could not be written; undefined if they were.
	 */
	appendNow(lines: readonly string[]): string | undefined;
	/** Returns all lines of all files, oldest first. */
	read(): Promise<readonly string[]>;
	/** Resolves when every line is written, or writing has failed. */
	flush(): Promise<void>;
};

type LineFileOptions = {
	directory: string;
	/** The name of the file without its extension. */
	baseName: string;
	clock: Clock;
	/** The process id. It keeps file names apart if two processes rename the file at the same time. */
	pid: number;
	/** Counts the reads and writes in progress. */
	activity?: Activity | undefined;
	/** The size limit of the file. The older files together may take three times as much. */
	maxFileBytes: number;
	/** Called when writing fails, and not again until writing has worked. */
	onProblem: (message: string) => void;
};

// While writing fails, at most this many lines are kept for the next attempt.
const maxWaitingLines = 5_000;

export function createLineFile(options: LineFileOptions): LineFile {
	const { directory, baseName, onProblem, activity } = options;
	const path = join(directory, `${baseName}.jsonl`);
	const waiting: string[] = [];
	let writing: Promise<void> | undefined;
	let hasFailed = false;
	let hasNewer: boolean | undefined;

	function report(error: unknown): void {
		if (!hasFailed) onProblem(stateFileErrorText(error));
		hasFailed = true;
	}

	async function tryRotate(): Promise<boolean> {
		try {
			await rotate(options, path);
			return true;
		} catch (error) {
			report(error);
			return false;
		}
	}

	// The file is checked only once. A newer version that starts later appends its own lines, which is harmless.
	function refuseNewer(): void {
		hasNewer ??= linesOf(readStateFile(path)).some(isOfNewerVersion);
		if (hasNewer) throw new NewerVersionError(path);
	}

	async function writeAll(): Promise<void> {
		const end = activity?.begin();
		while (waiting.length > 0) {
			const batch = waiting.splice(0);
			try {
				refuseNewer();
				const size = await appendLines(path, directory, batch);
				hasFailed = size > options.maxFileBytes && !(await tryRotate());
			} catch (error) {
				waiting.unshift(...batch);
				report(error);
				break;
			}
		}
		writing = undefined;
		end?.();
	}

	/** Lines that are appended one right after the other are written together. */
	function startWriting(): void {
		if (waiting.length > 0) writing ??= Promise.resolve().then(writeAll);
	}

	function keep(lines: readonly string[]): void {
		for (const line of lines) waiting.push(line);
		if (hasFailed && waiting.length > maxWaitingLines)
			waiting.splice(0, waiting.length - maxWaitingLines);
	}

	return {
		append(lines) {
			keep(lines);
			startWriting();
		},
		appendNow(lines) {
			try {
				refuseNewer();
				appendToPrivateFile(path, batchOf(lines));
				return undefined;
			} catch (error) {
				report(error);
				keep(lines);
				return stateFileErrorText(error);
			}
		},
		async read() {
			const end = activity?.begin();
			try {
				// The newest file is read first. If it is renamed during the read, its lines are read twice, which is
				// better than not at all.
				const newest = readStateFile(path);
				const older = olderFiles(options).map(readStateFile);
				return [...older, newest].flatMap(linesOf);
			} catch (error) {
				onProblem(pathErrorText(path, error));
				return [];
			} finally {
				end?.();
			}
		},
		async flush() {
			startWriting();
			await writing;
		},
	};
}

// A batch begins with a line break, because a killed process may have left an incomplete line. The batch is a
// single write to the end of the file, so that no other process can write into it.
const batchOf = (lines: readonly string[]): string => `\n${lines.join('\n')}\n`;

async function appendLines(
	path: string,
	directory: string,
	lines: readonly string[],
): Promise<number> {
	const file = await openForAppending(directory, path);
	try {
		await file.chmod(0o600);
		const bytes = Buffer.from(batchOf(lines));
		const { bytesWritten } = await file.write(bytes);
		if (bytesWritten < bytes.length) throw new Error(`the disk is full: ${path} is incomplete`);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}

// Two processes may rename the file at the same time. Nothing is lost, because they choose different names. One of
// the two files is then short.
async function rotate(options: LineFileOptions, path: string): Promise<void> {
	const { directory, baseName, clock, pid, maxFileBytes } = options;
	await rename(path, join(directory, `${baseName}.${clock.now()}-${pid}.jsonl`)).catch(
		ignoreMissingFile,
	);
	let room = maxFileBytes * 3;
	for (const older of olderFiles(options).reverse()) {
		room -= (await stat(older).catch(ignoreMissingFile))?.size ?? 0;
		if (room < 0) await unlink(older).catch(ignoreMissingFile);
	}
}

function olderFiles({ directory, baseName }: LineFileOptions): string[] {
	const names = existsSync(directory) ? readdirSync(directory) : [];
	const older = new RegExp(`^${baseName}\\.(\\d+)-\\d+\\.jsonl$`);
	const timed = names.flatMap(each => {
		const time = older.exec(each)?.[1];
		return time === undefined ? [] : [{ each, time: Number(time) }];
	});
	return timed.sort((a, b) => a.time - b.time).map(({ each }) => join(directory, each));
}

function linesOf(text = ''): readonly string[] {
	return text.split('\n').filter(line => line !== '');
}
