import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { Clock } from '../foundation/clock.ts';
import { fileErrorText } from '../foundation/error.ts';
import type { FactListener } from '../store/store.ts';
import { type PreviousLists, recordedFactFrom } from './list-delta.ts';
import { entryLine, headerLine, type RecordingHeader } from './recording-line.ts';
import { createSecretFilter } from './secrets.ts';

const { O_CREAT, O_WRONLY } = constants;

/** Records the facts of a session in a file. */
export type Recorder = {
	/** Writes the header of the recording. Returns a function that records each fact that the function receives. */
	begin(header: RecordingSource): FactListener;
	/** Returns how much of the recording is on disk. */
	progress(): { factCount: number; byteCount: number };
	/** Resolves when everything is on disk, or writing has failed. Removes the file if it has no header. */
	close(): Promise<void>;
};

type RecordingSource = Pick<
	RecordingHeader,
	'program' | 'account' | 'label' | 'baseUrl' | 'others'
>;

export type RecorderOptions = {
	path: string;
	clock: Clock;
	/** Allows overwriting an existing file. */
	canOverwrite: boolean;
	/** Called when an error ends the recording. Everything that was written before is kept. */
	onProblem: (message: string) => void;
};

// The largest number of bytes that may wait for a slow disk. Waiting for more would only fill the memory.
const maxWaitingBytes = 32_000_000;

/** Creates the recording file, which only its owner can read, and rejects if that fails. */
export async function createRecorder(options: RecorderOptions): Promise<Recorder> {
	const { path, clock, canOverwrite, onProblem } = options;
	const withoutSecrets = createSecretFilter();
	const file = await open(path, canOverwrite ? O_WRONLY | O_CREAT : 'wx', 0o600);
	let waiting: string[] = [];
	let waitingSize = 0;
	let lists: PreviousLists = new Map();
	let time = Number.NEGATIVE_INFINITY;
	let writing: Promise<void> | undefined;
	let isBegun = false;
	let isOver = false;
	let isClosed = false;
	const done = { lines: 0, bytes: 0 };

	function giveUp(message: string): void {
		isOver = true;
		waiting = [];
		onProblem(message);
	}

	async function writeAll(): Promise<void> {
		while (waiting.length > 0) {
			const batch = waiting;
			waiting = [];
			waitingSize = 0;
			try {
				if (done.lines === 0) await makePrivateAndEmpty(file);
				const bytes = Buffer.from(batch.join(''));
				await file.appendFile(bytes);
				done.lines += batch.length;
				done.bytes += bytes.length;
			} catch (error) {
				giveUp(fileErrorText(error));
			}
		}
		writing = undefined;
	}

	function append(line: string): void {
		waiting.push(line);
		waitingSize += line.length;
		if (waitingSize > maxWaitingBytes) giveUp('the disk is too slow');
		else writing ??= writeAll();
	}

	return {
		begin(head) {
			isBegun = true;
			time = clock.now();
			append(headerLine({ ...head, at: time }, withoutSecrets));
			return fact => {
				if (isOver) return;
				const { lists: next, recordedFact } = recordedFactFrom(lists, fact);
				lists = next;
				time = Math.max(time, clock.now());
				append(entryLine({ time, fact: recordedFact }, withoutSecrets));
			};
		},
		progress: () => ({ factCount: Math.max(0, done.lines - 1), byteCount: done.bytes }),
		async close() {
			isOver = true;
			await writing;
			if (isClosed) return;
			isClosed = true;
			await file.close();
			if (!isBegun && !canOverwrite) await unlink(path);
		},
	};
}

/** Makes an existing file private and empties it. This happens only when there is something to write. */
async function makePrivateAndEmpty(file: FileHandle): Promise<void> {
	if (!(await file.stat()).isFile()) return;
	await file.chmod(0o600);
	await file.truncate(0);
}
