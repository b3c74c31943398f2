import {
	closeSync,
	constants,
	createWriteStream,
	fchmodSync,
	fstatSync,
	ftruncateSync,
	openSync,
	unlinkSync,
	type WriteStream,
} from 'node:fs';
import type { Clock } from '../foundation/clock.ts';
import { fileErrorText } from '../foundation/error.ts';
import type { FactListener } from '../store/store.ts';
import {
	entryLine,
	headerLine,
	type PreviousLists,
	type RecordingHeader,
	recordedFactFrom,
} from './recording.ts';
import { createSecretFilter } from './secrets.ts';

export type Recorder = {
	begin(header: Pick<RecordingHeader, 'program' | 'accounts'>): FactListener;
	progress(): { factCount: number; byteCount: number };
	close(): Promise<void>;
};

export type RecorderOptions = {
	path: string;
	clock: Clock;
	canOverwrite: boolean;
	onProblem: (message: string) => void;
};

const maxWaitingBytes = 32_000_000;

export function createRecorder({
	path,
	clock,
	canOverwrite,
	onProblem,
}: RecorderOptions): Recorder {
	const withoutSecrets = createSecretFilter();
	const file = openSync(path, canOverwrite ? constants.O_WRONLY | constants.O_CREAT : 'wx', 0o600);
	let stream: WriteStream | undefined;
	let lists: PreviousLists = new Map();
	let time = Number.NEGATIVE_INFINITY;
	let isOver = false;
	let closing: Promise<void> | undefined;
	const written = { lines: 0, bytes: 0 };

	function append(line: string) {
		if (isOver || !stream) return;
		stream.write(line, error => {
			if (error) return;
			written.lines += 1;
			written.bytes += Buffer.byteLength(line);
		});
		if (stream.writableLength > maxWaitingBytes) stream.destroy(new Error('the disk is too slow'));
	}

	async function close() {
		isOver = true;
		const open = stream;
		if (open)
			return new Promise<void>(resolve => {
				if (open.closed) return resolve();
				open.once('close', resolve);
				open.end();
			});
		closeSync(file);
		if (!canOverwrite) unlinkSync(path);
	}

	return {
		begin(head) {
			// An existing file is emptied only now that there is something to write.
			if (fstatSync(file).isFile()) {
				fchmodSync(file, 0o600);
				ftruncateSync(file);
			}
			time = clock.now();
			stream = createWriteStream(path, { fd: file });
			stream.on('error', error => {
				isOver = true;
				onProblem(fileErrorText(error));
			});
			append(headerLine({ ...head, at: time }, withoutSecrets));
			return fact => {
				if (isOver) return;
				const { lists: next, recordedFact } = recordedFactFrom(lists, fact);
				lists = next;
				time = Math.max(time, clock.now());
				append(entryLine({ time, fact: recordedFact }, withoutSecrets));
			};
		},
		progress: () => ({ factCount: Math.max(0, written.lines - 1), byteCount: written.bytes }),
		close: () => (closing ??= close()),
	};
}
