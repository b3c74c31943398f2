import * as nodeFiles from 'node:fs';
import type { Ledger } from './ledger.ts';
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
	scopes,
	snapshotEntries,
} from './ledger-state.ts';
import { createOtherHosts } from './other-hosts.ts';

type Parts = {
	directory: string;
	/** Of one account, and the same for all processes that use it. */
	name: string;
	pid: number;
	/** From 0 to 1. */
	random: () => number;
	/** Milliseconds since the host started, asleep or awake, as `os.uptime` tells every process alike. */
	elapsed: () => number;
	/** The wall's clock, by which entries of other hosts are judged. */
	date?: () => number;
	/** Tells this start of this host from all others; nothing where that is not known. */
	host?: string;
	files?: LedgerFs;
	/** Bytes after which a file is sealed and shortened. */
	longest?: number;
	/** Told why this process counts alone from now on; not again until it does not. */
	onTrouble?: (message: string) => void;
};

// Far more often than other processes can make this one start over.
const mostTries = 50;

// What other hosts write is read with every request, and this often for what is only shown.
const glance = 1_000;

/**
 * Counts for all processes of the host, and through their deaths. Each host that shares the folder, over
 * a network say, has a ledger of its own there: two hosts cannot append to one file in an order that
 * both agree on. Each reads the others' as well.
 */
export function createDiskLedger(parts: Parts): Ledger {
	const { directory, name, pid, random, elapsed, files = nodeFiles, longest = 65_536 } = parts;
	// Process ids alone repeat where processes live in containers.
	const writer = `${pid}-${Math.floor(random() * 2 ** 32).toString(36)}`;
	const { date = elapsed, host = '' } = parts;
	const own = host === '' ? name : `${name}-${host}`;
	const generations = createLedgerRotation(files, { directory, name: own, writer });
	const others = createOtherHosts(files, { directory, name, own });
	const now = () => Math.floor(elapsed());
	const textFrom = (entry: LedgerEntry) =>
		textFromEntry(entry, { now: now(), ahead: date() - elapsed() });
	const textFromBook = (book: LedgerState) => snapshotEntries(book).map(textFrom).join('');
	const sealed = () => textFrom({ kind: 'sealed' });

	let book = createLedgerState();
	let file: LedgerFile | undefined;
	let brokenSince: number | undefined;
	let wasDeleted = false;
	let trouble: string | undefined;
	/** When this process last counted alone, or lost what others had written. */
	let aloneAt = Number.NEGATIVE_INFINITY;
	let glancedAt = Number.NEGATIVE_INFINITY;
	let isClosed = false;
	let minted = 0;

	function open(): LedgerFile | undefined {
		const newest = generations.newest();
		// Then look again: if this process was held up, others may be far beyond the first.
		if (newest === 0) generations.create(1, textFromBook(createLedgerState()));
		const descriptor = generations.open(newest);
		if (descriptor === undefined) return undefined;
		const opened = createLedgerFile(files, descriptor, newest);
		const earlier = book;
		book = createLedgerState();
		brokenSince = undefined;
		opened.readNew(entry => applyEntry(book, entry));
		const unknownThere = remember(earlier);
		// Only where the file was deleted: then the others may know no more than this one says.
		if (wasDeleted) for (const entry of unknownThere) opened.append(textFrom(entry));
		wasDeleted = false;
		return opened;
	}

	/** What this process knew and the file does not: it was deleted, or could not be written. */
	function remember(earlier: LedgerState): readonly LedgerEntry[] {
		const missing: LedgerEntry[] = [];
		for (const scope of scopes) {
			const page = book[scope];
			const { spends, freeze } = earlier[scope];
			for (const spend of spends.values()) {
				if (page.spends.has(spend.id)) continue;
				addSpend(page, spend);
				missing.push({ kind: 'done', scope, ...spend });
			}
			if (freeze) page.freeze ??= freeze;
		}
		return missing;
	}

	/** Someone emptied the folder. What the others wrote since it was last read is lost. */
	function noteDeletion() {
		wasDeleted = true;
		aloneAt = now();
	}

	/** The file in use, read to its end. */
	function current(): LedgerFile {
		for (let tries = 0; tries < mostTries && !isClosed; tries++) {
			file ??= open();
			if (!file) continue;
			const condition = file.readNew(entry => applyEntry(book, entry));
			if (condition === 'live') return file;
			if (condition === 'gone') noteDeletion();
			else succeed(file, condition === 'broken');
			leave();
		}
		throw new Error(isClosed ? 'The ledger is closed' : 'The ledger does not hold still');
	}

	/** Any process may do this, and several at once: the first to link the next file has made it. */
	function succeed({ generation, append }: LedgerFile, isBroken: boolean) {
		if (isBroken) {
			brokenSince ??= now();
			for (const scope of scopes) book[scope].fullSince = brokenSince;
			// For those who had read on beyond what is broken now.
			append(sealed());
		}
		prune(book, now());
		if (generations.newest() === generation) {
			generations.create(generation + 1, textFromBook(book));
		}
		if (isBroken) generations.setAside(generation);
	}

	/** An entry counts once it was read back from before any seal. */
	function record(entry: LedgerEntry) {
		const text = textFrom(entry);
		const line = text.trim();
		for (let tries = 0; tries < mostTries; tries++) {
			const { append, readNew, sync, length } = current();
			append(text);
			let isIn = false;
			const condition = readNew((each, eachLine) => {
				applyEntry(book, each);
				if (eachLine === line) isIn = true;
			});
			if (condition === 'gone') {
				// It was written to a file that nobody will open again.
				if (entry.kind === 'take') book[entry.scope].spends.delete(entry.id);
				continue;
			}
			if (!isIn) continue;
			// An hour outlives a crash of the host; the minute of the other scopes does not. And another
			// host sees only what has reached the disk.
			if (entry.kind === 'take' && (entry.scope === 'create' || others.haveEntries())) sync();
			if (length() > longest) append(sealed());
			// The others may have counted alone until now as well.
			if (trouble !== undefined) aloneAt = now();
			trouble = undefined;
			return;
		}
		throw new Error('The ledger cannot be written');
	}

	function leave() {
		file?.close();
		file = undefined;
	}

	function glanceAtOthers(within: number) {
		if (now() - glancedAt < within) return;
		others.readNew(now(), date());
		glancedAt = now();
	}

	/** Without the ledger this process goes on counting by itself, and tries again each time. */
	function attempt(deed: () => void, instead: () => void): LedgerState {
		try {
			deed();
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (trouble === undefined && !isClosed) parts.onTrouble?.(message);
			trouble = message;
			aloneAt = now();
			// Read from its beginning again: the failure may have come in the middle of reading.
			leave();
			instead();
		}
		// After reading: what was read was written before.
		prune(book, now());
		return others.addedTo(book, now());
	}

	return {
		elapsed: now,
		newId: () => `${writer}.${++minted}`,
		refresh: () =>
			attempt(
				() => {
					current();
					glanceAtOthers(glance);
				},
				() => undefined,
			),
		append: entry =>
			attempt(
				() => {
					record(entry);
					glanceAtOthers(0);
				},
				() => {
					// The numbers belong to the file; a spend without one is counted all the same.
					if (entry.kind === 'take') addSpend(book[entry.scope], entry);
					else applyEntry(book, entry);
				},
			),
		trouble: () => trouble,
		isAlone: within => trouble !== undefined || now() < aloneAt + within,
		close() {
			isClosed = true;
			leave();
		},
	};
}
