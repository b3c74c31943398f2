import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import { messageOf } from '../fleet/error.ts';
import { isNewer, NewerVersionError } from './file-version.ts';
import { ignoreMissing, openForAppending, textOf } from './state-file.ts';

//  journal.jsonl                      several processes append batches of lines
//      │ longer than `bytesAtMost`: renamed
//      ▼
//  journal.<time>-<pid>.jsonl         older lines, up to three times as many bytes
//      │ more than that: the oldest file is removed

/** A file of lines to which several processes append, and the older files that it was renamed to. */
export type LineFile = {
	/** Adds lines at the end. They are written soon, one batch after the other. */
	append(lines: readonly string[]): void;
	/** All lines of all files, oldest first. */
	read(): Promise<readonly string[]>;
	/** Resolves when every line was written, or writing has failed. */
	flush(): Promise<void>;
};

export type LineFileOptions = {
	directory: string;
	/** The name of the file without its ending. */
	name: string;
	clock: Clock;
	/** Makes the names of older files unique if two processes rename at the same time. */
	pid: number;
	/** Counts the reads and writes in progress. */
	activity?: Activity | undefined;
	/** The size limit of the file. The older files together take up to three times as much. */
	bytesAtMost: number;
	/** Called when writing fails, and not again until it has worked. */
	onTrouble: (message: string) => void;
};

// The most lines that wait for the next attempt while writing fails.
const waitingAtMost = 5_000;

/** One function, because its steps share the lines that wait. */
export function createLineFile(options: LineFileOptions): LineFile {
	const { directory, name, onTrouble, activity } = options;
	const path = join(directory, `${name}.jsonl`);
	const waiting: string[] = [];
	let writing: Promise<void> | undefined;
	let isTroubled = false;
	let hasNewer: boolean | undefined;

	function report(error: unknown): void {
		if (!isTroubled) onTrouble(messageOf(error));
		isTroubled = true;
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

	// Checked once. A newer version that starts later writes lines beside these.
	async function refuseNewer(): Promise<void> {
		hasNewer ??= linesOf(await textOf(path)).some(isNewer);
		if (hasNewer) throw new NewerVersionError(path);
	}

	async function writeAll(): Promise<void> {
		const end = activity?.begin();
		while (waiting.length > 0) {
			const batch = waiting.splice(0);
			try {
				await refuseNewer();
				const size = await write(path, directory, batch);
				isTroubled = size > options.bytesAtMost && !(await tryRotate());
			} catch (error) {
				waiting.unshift(...batch);
				report(error);
				break;
			}
		}
		writing = undefined;
		end?.();
	}

	return {
		append(lines) {
			for (const line of lines) waiting.push(line);
			if (isTroubled && waiting.length > waitingAtMost)
				waiting.splice(0, waiting.length - waitingAtMost);
			if (waiting.length > 0) writing ??= writeAll();
		},
		async read() {
			const end = activity?.begin();
			try {
				// The newest file first: if it is renamed meanwhile, its lines are read twice and not lost.
				const newest = await textOf(path);
				const older = await Promise.all((await olderFiles(options)).map(textOf));
				return [...older, newest].flatMap(linesOf);
			} catch (error) {
				onTrouble(messageOf(error));
				return [];
			} finally {
				end?.();
			}
		},
		async flush() {
			if (waiting.length > 0) writing ??= writeAll();
			await writing;
		},
	};
}

// A batch begins with a line break, because a process may have died within its last line. It is one write to
// the end of the file, so that no other process can write into it.
async function write(path: string, directory: string, lines: readonly string[]): Promise<number> {
	const file = await openForAppending(directory, path);
	try {
		await file.chmod(0o600);
		const bytes = Buffer.from(`\n${lines.join('\n')}\n`);
		const { bytesWritten } = await file.write(bytes);
		if (bytesWritten < bytes.length) throw new Error(`the disk is full: ${path} is incomplete`);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}

// Two processes may rename the file at the same time. Their names differ, so nothing is lost: one of the two
// older files is just short.
async function rotate(options: LineFileOptions, path: string): Promise<void> {
	const { directory, name, clock, pid, bytesAtMost } = options;
	await rename(path, join(directory, `${name}.${clock.now()}-${pid}.jsonl`)).catch(ignoreMissing);
	let room = bytesAtMost * 3;
	for (const older of (await olderFiles(options)).reverse()) {
		room -= (await stat(older).catch(ignoreMissing))?.size ?? 0;
		if (room < 0) await unlink(older).catch(ignoreMissing);
	}
}

async function olderFiles({ directory, name }: LineFileOptions): Promise<string[]> {
	const names = (await readdir(directory).catch(ignoreMissing)) ?? [];
	const older = new RegExp(`^${name}\\.(\\d+)-\\d+\\.jsonl$`);
	const timed = names.flatMap(each => {
		const time = older.exec(each)?.[1];
		return time === undefined ? [] : [{ each, time: Number(time) }];
	});
	return timed.sort((a, b) => a.time - b.time).map(({ each }) => join(directory, each));
}

function linesOf(text = ''): readonly string[] {
	return text.split('\n').filter(line => line !== '');
}
