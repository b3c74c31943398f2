import * as nodeFiles from 'node:fs';
import { messageOf } from '../fleet/error.ts';
import { createHostLedger } from './host-ledger.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerFs } from './ledger-rotation.ts';
import { type LedgerState, prune } from './ledger-state.ts';
import { createOtherHosts } from './other-hosts.ts';

type DiskLedgerOptions = {
	directory: string;
	/** The same for all processes that use the account. */
	name: string;
	pid: number;
	/** Returns numbers from 0 to 1. */
	random: () => number;
	/** Milliseconds since the host started, including sleep: every process of the host reads the same. */
	elapsed: () => number;
	/** The wall clock, which dates the entries of other hosts. */
	date?: () => number;
	/** Identifies this host since its last start; empty where that is not known. */
	host?: string;
	files?: LedgerFs;
	/** The number of bytes after which a file is sealed and continued in a shorter one. */
	maxBytes?: number;
	/** Called with the reason when this process begins to count alone. */
	onTrouble?: (message: string) => void;
};

// The ledgers of other hosts are read before each request, but only this often (in milliseconds) when the
// budget is merely shown.
const othersInterval = 1_000;

/**
 * Counts the requests of all processes of the host, and survives their deaths. Hosts that share the folder
 * over a network keep a ledger each, because two hosts cannot agree on the order of appends to one file.
 * Each of them reads the others' ledgers as well.
 *
 *     pace-1f-HOST.7      this host's, read and written      host-ledger.ts
 *     pace-1f-OTHER.3     another host's, only read          other-hosts.ts
 *
 * While the files cannot be used, this process counts alone. One function, because its methods share whether
 * it does.
 */
export function createDiskLedger(options: DiskLedgerOptions): Ledger {
	const { directory, name, pid, random, elapsed, files = nodeFiles, maxBytes = 65_536 } = options;
	const { date = elapsed, host = '' } = options;
	// A process id alone is not unique: each container counts its own.
	const writer = `${pid}-${Math.floor(random() * 2 ** 32).toString(36)}`;
	const own = host === '' ? name : `${name}-${host}`;
	const now = () => Math.floor(elapsed());
	const others = createOtherHosts(files, { directory, name, own });
	const ahead = () => date() - elapsed();
	const onDeleted = () => {
		aloneAt = now();
	};
	const hostFiles = { files, directory, name: own, writer };
	const ledger = createHostLedger({ ...hostFiles, now, ahead, maxBytes, onDeleted });

	let trouble: string | undefined;
	/** When this process last counted alone, or lost what others had written. */
	let aloneAt = Number.NEGATIVE_INFINITY;
	let othersReadAt = Number.NEGATIVE_INFINITY;
	let isClosed = false;
	let ids = 0;

	function readOthers(olderThan: number) {
		if (now() - othersReadAt < olderThan) return;
		others.readNew(now(), date());
		othersReadAt = now();
	}

	/** If the files cannot be used, this process goes on counting alone, and tries again each time. */
	function orAlone(tryFiles: () => void, countAlone: () => void): LedgerState {
		try {
			tryFiles();
		} catch (error) {
			const message = messageOf(error);
			if (trouble === undefined && !isClosed) options.onTrouble?.(message);
			trouble = message;
			aloneAt = now();
			// It may have failed halfway through a file.
			ledger.reopen();
			countAlone();
		}
		// The clock is read after the files, so no entry is in the future.
		prune(ledger.state(), now());
		return others.addedTo(ledger.state(), now());
	}

	return {
		elapsed: now,
		newId: () => `${writer}.${++ids}`,
		refresh: () =>
			orAlone(
				() => {
					ledger.refresh();
					readOthers(othersInterval);
				},
				() => undefined,
			),
		append: entry =>
			orAlone(
				() => {
					// The create limit lasts an hour, so it must survive a crash of the host; and other hosts see
					// only what has reached the disk.
					const isDurable = () =>
						'scope' in entry && (entry.scope === 'create' || others.haveEntries());
					ledger.append(entry, isDurable);
					// The other processes may have counted alone until now, too.
					if (trouble !== undefined) aloneAt = now();
					trouble = undefined;
					readOthers(0);
				},
				() => ledger.applyHere(entry),
			),
		trouble: () => trouble,
		isAlone: within => trouble !== undefined || now() < aloneAt + within,
		close() {
			isClosed = true;
			ledger.close();
		},
	};
}
