import { close, fstat, read, stat } from 'node:fs';
import { promisify } from 'node:util';
import { openFile } from '../accounts/private-file.ts';
import type { OperationMove } from '../fleet/change.ts';
import { operationRowOf, stopsComputer } from '../fleet/operations/operation-table.ts';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { changeEntryFrom, changeOf } from './journal-entry.ts';

export type OtherRuns = {
	/** Reads the journal now, and reports the operations that were added since the last read. */
	checkNow(): Promise<void>;
	/**
	 * Returns whether another run of crowsnest stopped, restarted, updated or deleted the computer in the two
	 * minutes before `at`.
	 */
	wasEndedOnPurpose(computer: string, at: number): boolean;
	stop(): void;
};

type OtherRunsOptions = {
	/** The path of the journal file. */
	journalPath: string;
	account: string;
	/** The machine of this process. */
	machine?: string | undefined;
	clock: Clock;
	/** Counts each read of the journal as work under way. */
	activity?: Activity | undefined;
	onOperationMove: (move: OperationMove) => void;
	/** Called before each read of the journal. The returned function is called afterwards. */
	onCheck?: () => () => void;
};

const checkIntervalMs = 2_000;
const recentWindowMs = 120_000;

/** Reports the operations that other runs of crowsnest on this host write to the journal. */
export function followOtherRuns(options: OtherRunsOptions): OtherRuns {
	const {
		journalPath: path,
		account,
		machine,
		clock,
		activity,
		onOperationMove,
		onCheck,
	} = options;
	const tail = tailFile(path);
	const endedAt = new Map<string, number>();
	let cancelTimer = () => {};
	let checking: Promise<void> = Promise.resolve();

	async function checkOnce() {
		const end = activity?.begin();
		const onRead = onCheck?.();
		const lines = await tail.readNewLines().catch(() => []);
		for (const entry of lines.flatMap(line => changeEntryFrom(line) ?? [])) {
			const change = changeOf(entry, machine);
			if (entry.account === account && change.type === 'operationMoved') report(change);
		}
		onRead?.();
		end?.();
	}

	function report(move: OperationMove) {
		const { operation, computer } = move.wish;
		for (const [id, at] of endedAt) if (move.at - at >= recentWindowMs) endedAt.delete(id);
		if (computer !== undefined && stopsComputer(operationRowOf(operation)))
			endedAt.set(computer, move.at);
		onOperationMove(move);
	}

	// Reads of the journal run one after the other, because two reads at once would report the same lines
	// twice.
	function checkNow() {
		checking = checking.then(checkOnce);
		return checking;
	}

	function checkLater() {
		cancelTimer = clock.after(checkIntervalMs, () => {
			checkLater();
			void checkNow();
		});
	}

	checkLater();
	return {
		checkNow,
		wasEndedOnPurpose: (computer, at) =>
			at - (endedAt.get(computer) ?? Number.NEGATIVE_INFINITY) < recentWindowMs,
		stop() {
			cancelTimer();
			void checking.then(tail.close);
		},
	};
}

type FileTail = {
	/** Returns the complete lines that were added to the file since the last call. */
	readNewLines(): Promise<readonly string[]>;
	close(): Promise<void>;
};

// Other runs write a few lines a second, so more than this at once is nothing that this program wrote.
const maxReadBytes = 16_000_000;

/**
 * Follows a file from its current end. When another file takes its place, the rest of the old file is read
 * first, and then the new file from its start.
 */
export function tailFile(path: string): FileTail {
	const opened = openedNow(path);
	let file = opened?.file;
	let position = opened?.stats.size ?? 0;

	async function readRest(): Promise<string> {
		if (file === undefined) return '';
		const length = Math.min((await files.fstat(file)).size - position, maxReadBytes);
		if (length <= 0) return '';
		const { buffer, bytesRead } = await files.read(file, Buffer.alloc(length), 0, length, position);
		// The position stays at the end of the last complete line, so that the next call reads the incomplete
		// line again.
		const lastBreak = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
		const end = lastBreak === 0 && bytesRead === maxReadBytes ? bytesRead : lastBreak;
		position += end;
		return buffer.toString('utf8', 0, end);
	}

	async function readNextFile(): Promise<string> {
		const older = await readRest();
		await closeFile();
		file = openedNow(path)?.file;
		position = 0;
		return older + (await readRest());
	}

	async function closeFile(): Promise<void> {
		const opened = file;
		file = undefined;
		if (opened !== undefined) await files.close(opened);
	}

	return {
		async readNewLines() {
			let text = await readRest();
			if (await hasBeenRotated(path, file)) text += await readNextFile();
			return text.split('\n').filter(line => line !== '');
		},
		close: closeFile,
	};
}

// The first rows would wait for `node:fs/promises`, which takes longer to load than all of the journal to read.
const files = {
	read: promisify(read),
	stat: promisify(stat),
	fstat: promisify(fstat),
	close: promisify(close),
};

/** Opens a file in this turn, so that nothing written later is missed; undefined if that fails. */
function openedNow(path: string) {
	try {
		return openFile(path);
	} catch {
		return undefined;
	}
}

async function hasBeenRotated(path: string, file: number | undefined): Promise<boolean> {
	const now = await files.stat(path).catch(() => undefined);
	if (now === undefined) return false;
	return file === undefined || now.ino !== (await files.fstat(file)).ino;
}
