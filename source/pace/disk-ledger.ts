import * as nodeFiles from 'node:fs';
import {
	type Book,
	carriedFrom,
	createBook,
	type Entry,
	keep,
	note,
	prune,
	scopes,
} from './book.ts';
import { textFromEntry } from './entry-text.ts';
import { createGenerations, type Files } from './generations.ts';
import type { Ledger } from './ledger.ts';
import { createLedgerFile, type LedgerFile } from './ledger-file.ts';

type Parts = {
	directory: string;
	/** See `ledgerName`. */
	name: string;
	pid: number;
	/** From 0 to 1. */
	random: () => number;
	/** Milliseconds since the host started, asleep or awake, as `os.uptime` tells every process alike. */
	elapsed: () => number;
	files?: Files;
	/** Bytes after which a file is sealed and shortened. */
	longest?: number;
	/** Told why this process counts alone from now on; not again until it does not. */
	onTrouble?: (message: string) => void;
};

// Far more often than other processes can make this one start over.
const mostTries = 50;

const sealed = textFromEntry({ kind: 'sealed' });

const textFromBook = (book: Book) => carriedFrom(book).map(textFromEntry).join('');

/** Counts for all processes of the host, and through their deaths. */
export function createDiskLedger(parts: Parts): Ledger {
	const { directory, name, pid, random, elapsed, files = nodeFiles, longest = 65_536 } = parts;
	// Process ids alone repeat where processes live in containers.
	const writer = `${pid}-${Math.floor(random() * 2 ** 32).toString(36)}`;
	const generations = createGenerations(files, { directory, name, writer });
	const now = () => Math.floor(elapsed());

	let book = createBook();
	let file: LedgerFile | undefined;
	let brokenSince: number | undefined;
	let trouble: string | undefined;
	let isClosed = false;
	let minted = 0;

	function open(): LedgerFile | undefined {
		const newest = generations.newest();
		// Then look again: if this process was held up, others may be far beyond the first.
		if (newest === 0) generations.create(1, textFromBook(createBook()));
		const descriptor = generations.open(newest);
		if (descriptor === undefined) return undefined;
		const opened = createLedgerFile(files, descriptor, newest);
		const earlier = book;
		book = createBook();
		brokenSince = undefined;
		opened.follow(entry => note(book, entry));
		remember(earlier);
		return opened;
	}

	/** What this process knew and the file does not: it was deleted, or could not be written. */
	function remember(earlier: Book) {
		for (const scope of scopes) {
			const page = book[scope];
			const { spends, freeze } = earlier[scope];
			for (const spend of spends.values()) if (!page.spends.has(spend.id)) keep(page, spend);
			if (freeze) page.freeze ??= freeze;
		}
	}

	/** The file in use, read to its end. */
	function current(): LedgerFile {
		for (let tries = 0; tries < mostTries && !isClosed; tries++) {
			file ??= open();
			if (!file) continue;
			const condition = file.follow(entry => note(book, entry));
			if (condition === 'live') return file;
			if (condition !== 'gone') succeed(file, condition === 'broken');
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
			append(sealed);
		}
		prune(book, now());
		if (generations.newest() === generation) {
			generations.create(generation + 1, textFromBook(book));
		}
		if (isBroken) generations.setAside(generation);
	}

	/** An entry counts once it was read back from before any seal. */
	function record(entry: Entry) {
		const text = textFromEntry(entry);
		const line = text.trim();
		for (let tries = 0; tries < mostTries; tries++) {
			const { append, follow, settle, length } = current();
			append(text);
			let isIn = false;
			follow((each, eachLine) => {
				note(book, each);
				if (eachLine === line) isIn = true;
			});
			if (!isIn) continue;
			// An hour outlives a crash of the host; the minute of the other scopes does not.
			if (entry.kind === 'take' && entry.scope === 'create') settle();
			if (length() > longest) append(sealed);
			trouble = undefined;
			return;
		}
		throw new Error('The ledger cannot be written');
	}

	function leave() {
		file?.close();
		file = undefined;
	}

	/** Without the ledger this process goes on counting by itself, and tries again each time. */
	function attempt(deed: () => void, instead: () => void): Book {
		try {
			deed();
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (trouble === undefined && !isClosed) parts.onTrouble?.(message);
			trouble = message;
			// Read from its beginning again: the failure may have come in the middle of reading.
			leave();
			instead();
		}
		// After reading: what was read was written before.
		prune(book, now());
		return book;
	}

	return {
		elapsed: now,
		mint: () => `${writer}.${++minted}`,
		look: () => attempt(current, () => undefined),
		write: entry =>
			attempt(
				() => record(entry),
				() => {
					// The numbers belong to the file; a spend without one is counted all the same.
					if (entry.kind === 'take') keep(book[entry.scope], entry);
					else note(book, entry);
				},
			),
		trouble: () => trouble,
		close() {
			isClosed = true;
			leave();
		},
	};
}
