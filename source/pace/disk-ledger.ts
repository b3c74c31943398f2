import {
	closeSync,
	fdatasyncSync,
	fstatSync,
	linkSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import { stateFileErrorText } from '../foundation/error.ts';
import { createHostLedger } from './host-ledger.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerFs } from './ledger-rotation.ts';
import { type LedgerState, removeEndedSpends } from './ledger-state.ts';
import { createOtherHostLedgers } from './other-hosts.ts';
import { slotIdFrom } from './slot-id.ts';

type DiskLedgerOptions = {
	directory: string;
	/** The base name of the ledger's files, the same in all processes that use the account. */
	baseName: string;
	pid: number;
	/** Returns a number from 0 to 1. */
	random: () => number;
	/**
	 * Returns the milliseconds since the host started, including sleep. All processes of a host read the same
	 * value.
	 */
	msSinceBoot: () => number;
	/** Returns the time of the wall clock. The entries of other hosts are dated by this clock. */
	wallClockNow?: () => number;
	/** Identifies this host and its current boot; empty if the system does not reveal them. */
	hostId?: string;
	files?: LedgerFs;
	/** When a file exceeds this size, it is sealed, and the ledger continues in the next file. */
	maxBytes?: number;
	/** Called with the reason when this process starts to count alone. */
	onProblem?: (message: string) => void;
};

// The functions are imported by name, because importing all of 'node:fs' would also load its streams and promises.
const nodeFiles: LedgerFs = {
	closeSync,
	fdatasyncSync,
	fstatSync,
	linkSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
	unlinkSync,
	writeSync,
};

// The ledgers of other hosts are read before every request, but only this often if the budget is merely shown.
const otherHostsReadIntervalMs = 1_000;

/**
 * Counts the requests of all processes of the host. The counts stay when a process ends. Hosts that share the folder
 * over a network keep a ledger each, because two hosts cannot agree on the order of appends to one file.
 * Each of them reads the others' ledgers as well.
 *
 *     pace-1f-HOST.7      this host's, read and written      host-ledger.ts
 *     pace-1f-OTHER.3     another host's, only read          other-hosts.ts
 *
 * While the files cannot be used, this process counts alone.
 */
export function createDiskLedger(options: DiskLedgerOptions): Ledger {
	const {
		directory,
		baseName,
		pid,
		random,
		msSinceBoot,
		files = nodeFiles,
		maxBytes = 65_536,
	} = options;
	const { wallClockNow = msSinceBoot, hostId = '' } = options;
	// A process id alone is not unique, because each container numbers its own processes.
	const writerId = `${pid}-${Math.floor(random() * 2 ** 32).toString(36)}`;
	const ownName = hostId === '' ? baseName : `${baseName}-${hostId}`;
	const now = () => Math.floor(msSinceBoot());
	const otherLedgers = createOtherHostLedgers(files, { directory, baseName, ownName });
	const wallClockAheadMs = () => wallClockNow() - msSinceBoot();
	const onDeleted = () => {
		lastAloneAt = now();
	};
	const hostFiles = { files, directory, baseName: ownName, writerId };
	const ledger = createHostLedger({ ...hostFiles, now, wallClockAheadMs, maxBytes, onDeleted });

	let problem: string | undefined;
	/** The last time when this process counted alone, or when entries of other processes were lost. */
	let lastAloneAt = Number.NEGATIVE_INFINITY;
	let othersReadAt = Number.NEGATIVE_INFINITY;
	let isClosed = false;
	let idCount = 0;

	function readOthers(maxAgeMs: number) {
		const readAt = now();
		if (readAt - othersReadAt < maxAgeMs) return;
		otherLedgers.readNewEntries(readAt, wallClockNow());
		othersReadAt = now();
	}

	/**
	 * Runs `accessFiles`. If the files cannot be used, counts in this process alone; the next call tries the files
	 * again.
	 */
	function withFiles(accessFiles: () => void, countAlone: () => void): LedgerState {
		try {
			accessFiles();
		} catch (error) {
			const message = stateFileErrorText(error);
			if (problem === undefined && !isClosed) options.onProblem?.(message);
			problem = message;
			lastAloneAt = now();
			// The failure may have interrupted the reading in the middle of a file, so the file is read
			// again.
			ledger.reopen();
			countAlone();
		}
		// The clock is read after the files, so that no entry has a time in the future.
		const readAt = now();
		removeEndedSpends(ledger.state(), readAt);
		return otherLedgers.addRequestsTo(ledger.state(), readAt);
	}

	return {
		now,
		newSlotId: (isRead = false) => slotIdFrom(writerId, ++idCount, isRead),
		refresh: () =>
			withFiles(
				() => {
					ledger.refresh();
					readOthers(otherHostsReadIntervalMs);
				},
				() => undefined,
			),
		append: entry =>
			withFiles(
				() => {
					// The create limit lasts an hour, so its entries must survive a crash of the host. Other hosts
					// see an entry only after it has reached the disk.
					const mustSurviveCrash = () =>
						'scope' in entry && (entry.scope === 'create' || otherLedgers.haveCountingEntries());
					ledger.append(entry, mustSurviveCrash);
					// The other processes may have had the same problem and counted alone, so their requests may be
					// missing.
					if (problem !== undefined) lastAloneAt = now();
					problem = undefined;
					readOthers(0);
				},
				() => ledger.countInMemory(entry),
			),
		problem: () => problem,
		// Almost no process ever counts alone, and reading the clock reads a file.
		wasAloneWithin: periodMs =>
			problem !== undefined || (Number.isFinite(lastAloneAt) && now() < lastAloneAt + periodMs),
		close() {
			isClosed = true;
			ledger.close();
		},
	};
}
