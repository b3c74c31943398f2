import { Buffer } from 'node:buffer';
import type { Stats } from 'node:fs';
import { entryFromLine } from './ledger-entry.ts';
import type { LedgerFs } from './ledger-rotation.ts';
import type { LedgerEntry } from './ledger-state.ts';

/** The condition of a file after reading it. */
type LedgerFileCondition =
	| 'live'
	/** The file is complete, and the ledger continues in the next file. */
	| 'sealed'
	/** The file contains something that is not an entry, or has become shorter. */
	| 'broken'
	/** The file was deleted. */
	| 'gone';

export type LedgerFile = {
	generation: number;
	/** Returns how many bytes were read so far. */
	bytesRead(): number;
	/** Calls a function with every entry that was not read before, in the order of the file. */
	readNewEntries(onEntry: (entry: LedgerEntry, line: string) => void): LedgerFileCondition;
	append(text: string): void;
	/** Waits until the written entries would survive a crash of the host. */
	sync(): void;
	close(): void;
};

// A ledger file that several processes append to. Each append is one system call, and the system orders
// concurrent calls. So all processes agree on the order of entries without a lock, which a killed process could
// leave behind.
export function createLedgerFile(
	files: LedgerFs,
	descriptor: number,
	generation: number,
): LedgerFile {
	const lines = createLineReader(files);
	let hasBegun = false;
	let condition: LedgerFileCondition = 'live';

	return {
		generation,
		bytesRead: lines.offset,
		readNewEntries(onEntry) {
			const stats = files.fstatSync(descriptor);
			const { size, nlink } = stats;
			if (size < lines.offset() || !isReadable(stats)) condition = 'broken';
			const canRead = condition === 'live' && size > lines.offset();
			for (const line of canRead ? lines.readFrom(descriptor) : []) {
				if (condition !== 'live') break;
				const entry = entryFromLine(line);
				if (entry === 'torn') continue;
				// Every file starts with carried entries. A file without them has lost its beginning.
				hasBegun ||= entry !== 'broken' && entry.kind === 'carried';
				if (entry === 'broken' || !hasBegun) condition = 'broken';
				else if (entry.kind === 'sealed') condition = 'sealed';
				else onEntry(entry, line);
			}
			if (!hasBegun) condition = 'broken';
			return condition === 'live' && nlink === 0 ? 'gone' : condition;
		},
		append: text => void files.writeSync(descriptor, text),
		sync: () => files.fdatasyncSync(descriptor),
		close() {
			try {
				files.closeSync(descriptor);
			} catch {
				// The system closes the descriptor even when it reports an error.
			}
		},
	};
}

// A ledger is sealed at 64 kB.
const maxLedgerBytes = 1_000_000;

/** Whether the ledger is a file of a size that this program could have written. A pipe would keep the reader waiting. */
export const isReadable = (stats: Pick<Stats, 'size' | 'isFile'>): boolean =>
	stats.isFile() && stats.size <= maxLedgerBytes;

/** Creates a reader that returns the complete lines appended to a file since the last call. */
export function createLineReader(files: Pick<LedgerFs, 'readSync'>) {
	const chunk = Buffer.alloc(16_384);
	let offset = 0;
	let unfinishedLine = '';

	return {
		offset: () => offset,
		readFrom(descriptor: number): string[] {
			const texts = [unfinishedLine];
			for (;;) {
				const count = files.readSync(descriptor, chunk, 0, chunk.length, offset);
				if (count === 0) break;
				offset += count;
				texts.push(chunk.toString('latin1', 0, count));
			}
			// The last line may be incomplete, so it is not returned before its line break arrives.
			const lines = texts.join('').split('\n');
			unfinishedLine = lines.pop() ?? '';
			return lines;
		},
	};
}
