import { textFromEntry } from './ledger-entry.ts';
import { createLedgerFile, type LedgerFile } from './ledger-file.ts';
import { createLedgerRotation, type LedgerFs } from './ledger-rotation.ts';
import {
	addSpentSlot,
	applyLedgerEntry,
	createLedgerState,
	type LedgerEntry,
	type LedgerState,
	removeEndedSpends,
	snapshotEntries,
} from './ledger-state.ts';
import { scopes } from './limits.ts';

/**
 * The ledger that all processes of one host share. The methods throw if the files of the ledger cannot be used.
 */
type HostLedger = {
	/**
	 * Returns the state after the entries that were read so far. The next call may change or replace this
	 * object.
	 */
	state(): LedgerState;
	refresh(): void;
	/**
	 * Writes an entry. If `mustSurviveCrash` returns true for a take, the entry is on the disk before `append`
	 * returns.
	 */
	append(entry: LedgerEntry, mustSurviveCrash: () => boolean): void;
	/** Counts an entry in this process only, because it could not be written. */
	countInMemory(entry: LedgerEntry): void;
	/** Makes the next call read the file again from its beginning. */
	reopen(): void;
	close(): void;
};

type HostLedgerOptions = {
	files: LedgerFs;
	directory: string;
	baseName: string;
	/** Identifies this process in the names of its draft files. */
	writerId: string;
	now: () => number;
	/** Returns how many milliseconds the wall clock is ahead of `now`. */
	wallClockAheadMs: () => number;
	/** When a file exceeds this size, it is sealed. */
	maxBytes: number;
	/** Called when the files were deleted, so that entries of other processes may be lost. */
	onDeleted: () => void;
};

// Other processes can force a retry by sealing or deleting the file, but never this many times.
const maxAttempts = 50;

//                ┌──── append, read back ────┐
//                ▼                           │
//   open ──> in use ────────────────────────>┘
//    ▲          │ sealed: continue in the next file
//    │          │ broken: count every scope as full, set this file aside, continue in the next
//    └──────────┘ deleted: open the file that exists now, and write again the entries of this process

export function createHostLedger(options: HostLedgerOptions): HostLedger {
	const { files, directory, baseName, writerId, now, wallClockAheadMs, maxBytes, onDeleted } =
		options;
	const rotation = createLedgerRotation(files, { directory, baseName, writerId });
	const linesFrom = (entry: LedgerEntry) =>
		textFromEntry(entry, { now: now(), wallClockAheadMs: wallClockAheadMs() });
	const snapshotLines = (ledger: LedgerState) => snapshotEntries(ledger).map(linesFrom).join('');
	const sealLines = () => linesFrom({ kind: 'sealed' });

	let state = createLedgerState();
	let file: LedgerFile | undefined;
	let brokenSince: number | undefined;
	let wasDeleted = false;
	let isClosed = false;

	function openNewest(): LedgerFile | undefined {
		const newestGeneration = rotation.newestGeneration();
		// The loop lists the directory again, because the other processes may have moved on to a later file
		// meanwhile.
		if (newestGeneration === 0) rotation.create(1, snapshotLines(createLedgerState()));
		const descriptor = rotation.open(newestGeneration);
		if (descriptor === undefined) return undefined;
		const openedFile = createLedgerFile(files, descriptor, newestGeneration);
		const earlierState = state;
		state = createLedgerState();
		brokenSince = undefined;
		openedFile.readNewEntries(entry => applyLedgerEntry(state, entry));
		const missingEntries = addMissingEntries(state, earlierState);
		// If the file was deleted, the other processes may know only what this process writes now.
		if (wasDeleted) for (const entry of missingEntries) openedFile.append(linesFrom(entry));
		wasDeleted = false;
		return openedFile;
	}

	/** Returns the file in use, after reading it to its end. */
	function currentFile(): LedgerFile {
		for (let attempts = 0; attempts < maxAttempts && !isClosed; attempts++) {
			file ??= openNewest();
			if (!file) continue;
			const condition = file.readNewEntries(entry => applyLedgerEntry(state, entry));
			if (condition === 'live') return file;
			if (condition === 'gone') {
				wasDeleted = true;
				onDeleted();
			} else {
				continueInNext(file, condition === 'broken');
			}
			reopen();
		}
		throw new Error(
			isClosed
				? 'The file of counted requests is closed'
				: 'The file of counted requests keeps changing',
		);
	}

	/**
	 * Starts the next file. Several processes may do so at once, but only one of them succeeds in creating it.
	 */
	function continueInNext({ generation, append }: LedgerFile, isBroken: boolean) {
		if (isBroken) {
			brokenSince ??= now();
			for (const scope of scopes) state[scope].fullSince = brokenSince;
			// A process that has skipped the broken entry stops at this seal.
			append(sealLines());
		}
		removeEndedSpends(state, now());
		if (rotation.newestGeneration() === generation)
			rotation.create(generation + 1, snapshotLines(state));
		if (isBroken) rotation.setAside(generation);
	}

	/**
	 * Writes an entry and reads it back. An entry counts only if it stands before the entry that seals the
	 * file.
	 */
	function append(entry: LedgerEntry, isDurable: () => boolean) {
		const text = linesFrom(entry);
		const line = text.trim();
		for (let attempts = 0; attempts < maxAttempts; attempts++) {
			const usedFile = currentFile();
			usedFile.append(text);
			let wasReadBack = false;
			const condition = usedFile.readNewEntries((readEntry, readLine) => {
				applyLedgerEntry(state, readEntry);
				if (readLine === line) wasReadBack = true;
			});
			if (condition === 'gone') {
				// The entry went to a deleted file, which no other process reads, so it is written again.
				if (entry.kind === 'take') state[entry.scope].spends.delete(entry.id);
				continue;
			}
			if (!wasReadBack) continue;
			if (entry.kind === 'take' && isDurable()) usedFile.sync();
			if (usedFile.bytesRead() > maxBytes) usedFile.append(sealLines());
			return;
		}
		throw new Error('The file of counted requests cannot be written');
	}

	function reopen() {
		file?.close();
		file = undefined;
	}

	return {
		state: () => state,
		refresh: () => void currentFile(),
		append,
		countInMemory(entry) {
			// The number of a take counts the takes in one file, so the number is ignored here.
			if (entry.kind === 'take') addSpentSlot(state[entry.scope], entry);
			else applyLedgerEntry(state, entry);
		},
		reopen,
		close() {
			isClosed = true;
			reopen();
		},
	};
}

/** Adds the entries of `earlierState` that `state` lacks, and returns them. */
function addMissingEntries(state: LedgerState, earlierState: LedgerState): readonly LedgerEntry[] {
	const missingEntries: LedgerEntry[] = [];
	for (const scope of scopes) {
		const { spends, freeze } = earlierState[scope];
		for (const spend of spends.values()) {
			if (state[scope].spends.has(spend.id)) continue;
			addSpentSlot(state[scope], spend);
			missingEntries.push({ kind: 'done', scope, ...spend });
		}
		if (freeze) state[scope].freeze ??= freeze;
	}
	return missingEntries;
}
