import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import { isNewer, NewerVersionError } from './file-version.ts';
import { ignoreMissing, openForAppending, textOf } from './state-file.ts';

/** Lines in a file that several processes append to. It grows into older files, and those end. */
export type LineFile = {
	/** Puts lines behind the others. They are written one batch after the other, as soon as may be. */
	append(lines: readonly string[]): void;
	/** All that is kept, oldest first. */
	read(): Promise<readonly string[]>;
	/** Ends when all is written, or could not be. */
	flush(): Promise<void>;
};

export type LineFileOptions = {
	directory: string;
	/** Without its ending. */
	name: string;
	clock: Clock;
	/** Sets the names of older files apart when two processes make one at the same time. */
	pid: number;
	/** Counts what is read and written. */
	activity?: Activity | undefined;
	/** Of the file; the older ones together take up to three times as much. */
	bytesAtMost: number;
	/** Not again until writing works again. */
	onTrouble: (message: string) => void;
};

// What cannot be written waits for the next try; this many lines at most.
const waitingAtMost = 5_000;

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

	// Asked once: a program that is replaced while this one runs writes beside it.
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
				// First the one that may become an older one meanwhile: twice is better than not at all.
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

// A batch begins on a new line of its own, since a process may have died within its last one; and it
// is one write to the end of the file, so that no other one comes between.
async function write(path: string, directory: string, lines: readonly string[]): Promise<number> {
	const file = await openForAppending(directory, path);
	try {
		await file.chmod(0o600);
		const bytes = Buffer.from(`\n${lines.join('\n')}\n`);
		const { bytesWritten } = await file.write(bytes);
		if (bytesWritten < bytes.length) throw new Error(`no room for all of it in ${path}`);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}

// Two processes may both find the file long enough. The names differ, so that nothing is lost: one of
// the two older files is only short.
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

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
