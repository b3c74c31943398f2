import { textFromEntry } from './ledger-entry.ts';
import { createLedgerFile, type LedgerFile } from './ledger-file.ts';
import { createLedgerRotation, type LedgerFs } from './ledger-rotation.ts';
import {
	addSpend,
	applyEntry,
	createLedgerState,
	type LedgerEntry,
	type LedgerState,
	prune,
	snapshotEntries,
} from './ledger-state.ts';
import { scopes } from './limits.ts';

/** The ledger that the processes of one host share. It throws when its files cannot be used. */
export type HostLedger = {
	/** The state as far as it was read. The next call may change it in place, or replace it. */
	state(): LedgerState;
	refresh(): void;
	/** With `isDurable`, a take is on disk before this returns. */
	append(entry: LedgerEntry, isDurable: () => boolean): void;
	/** Counts an entry that could not be written, in this process only. */
	applyHere(entry: LedgerEntry): void;
	/** Reads the file again from its beginning next time. */
	reopen(): void;
	close(): void;
};

type HostLedgerOptions = {
	files: LedgerFs;
	directory: string;
	name: string;
	/** Sets the drafts of this process apart. */
	writer: string;
	now: () => number;
	/** How far the wall clock is ahead of `now`. */
	ahead: () => number;
	/** The number of bytes after which a file is sealed. */
	maxBytes: number;
	/** Called when the files were deleted: what others wrote since the last reading is lost. */
	onDeleted: () => void;
};

// Far more often than other processes can force this one to start over.
const maxAttempts = 50;

//                ┌──── append, read back ────┐
//                ▼                           │
//   open ──> in use ────────────────────────>┘
//    ▲          │ sealed: continue in the next file
//    │          │ broken: count every scope as full, continue in the next file, set this one aside
//    └──────────┘ deleted: open whatever is there now, and write again what this process still knows

/** One function, because every step works on the same file and state. */
export function createHostLedger(options: HostLedgerOptions): HostLedger {
	const { files, directory, name, writer, now, ahead, maxBytes, onDeleted } = options;
	const rotation = createLedgerRotation(files, { directory, name, writer });
	const textFrom = (entry: LedgerEntry) => textFromEntry(entry, { now: now(), ahead: ahead() });
	const snapshotText = (ledger: LedgerState) => snapshotEntries(ledger).map(textFrom).join('');
	const seal = () => textFrom({ kind: 'sealed' });

	let state = createLedgerState();
	let file: LedgerFile | undefined;
	let brokenSince: number | undefined;
	let wasDeleted = false;
	let isClosed = false;

	function open(): LedgerFile | undefined {
		const newest = rotation.newest();
		// The loop lists the directory again: if this process was delayed, the others may be far past file 1.
		if (newest === 0) rotation.create(1, snapshotText(createLedgerState()));
		const descriptor = rotation.open(newest);
		if (descriptor === undefined) return undefined;
		const opened = createLedgerFile(files, descriptor, newest);
		const earlier = state;
		state = createLedgerState();
		brokenSince = undefined;
		opened.readNew(entry => applyEntry(state, entry));
		const missing = addMissing(state, earlier);
		// If the file was deleted, the other processes may know no more than what is written here.
		if (wasDeleted) for (const entry of missing) opened.append(textFrom(entry));
		wasDeleted = false;
		return opened;
	}

	/** The file in use, read to its end. */
	function current(): LedgerFile {
		for (let attempts = 0; attempts < maxAttempts && !isClosed; attempts++) {
			file ??= open();
			if (!file) continue;
			const condition = file.readNew(entry => applyEntry(state, entry));
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

	/** Several processes may do this at once. The first one to link the next file has created it. */
	function continueInNext({ generation, append }: LedgerFile, isBroken: boolean) {
		if (isBroken) {
			brokenSince ??= now();
			for (const scope of scopes) state[scope].fullSince = brokenSince;
			// Some processes may have read past the broken place, and stop at this seal.
			append(seal());
		}
		prune(state, now());
		if (rotation.newest() === generation) rotation.create(generation + 1, snapshotText(state));
		if (isBroken) rotation.setAside(generation);
	}

	/** An entry counts once it was read back from before any seal. */
	function append(entry: LedgerEntry, isDurable: () => boolean) {
		const text = textFrom(entry);
		const line = text.trim();
		for (let attempts = 0; attempts < maxAttempts; attempts++) {
			const used = current();
			used.append(text);
			let wasReadBack = false;
			const condition = used.readNew((each, eachLine) => {
				applyEntry(state, each);
				if (eachLine === line) wasReadBack = true;
			});
			if (condition === 'gone') {
				// The entry went to a deleted file, which no other process will read.
				if (entry.kind === 'take') state[entry.scope].spends.delete(entry.id);
				continue;
			}
			if (!wasReadBack) continue;
			if (entry.kind === 'take' && isDurable()) used.sync();
			if (used.length() > maxBytes) used.append(seal());
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
		refresh: () => void current(),
		append,
		applyHere(entry) {
			// Slot numbers belong to the file, so a take is counted here whatever its number is.
			if (entry.kind === 'take') addSpend(state[entry.scope], entry);
			else applyEntry(state, entry);
		},
		reopen,
		close() {
			isClosed = true;
			reopen();
		},
	};
}

/** Adds what `earlier` knew and the file does not hold, and returns the entries that say so. */
function addMissing(state: LedgerState, earlier: LedgerState): readonly LedgerEntry[] {
	const missing: LedgerEntry[] = [];
	for (const scope of scopes) {
		const { spends, freeze } = earlier[scope];
		for (const spend of spends.values()) {
			if (state[scope].spends.has(spend.id)) continue;
			addSpend(state[scope], spend);
			missing.push({ kind: 'done', scope, ...spend });
		}
		if (freeze) state[scope].freeze ??= freeze;
	}
	return missing;
}
