import { Buffer } from 'node:buffer';
import { entryFromLine } from './ledger-entry.ts';
import type { LedgerFs } from './ledger-rotation.ts';
import type { LedgerEntry } from './ledger-state.ts';

/** Whether a file can be used after it was read. */
export type FileCondition =
	| 'live'
	/** The ledger continues in the next file. */
	| 'sealed'
	/** It holds something that is not an entry, or it became shorter. */
	| 'broken'
	/** It was deleted. */
	| 'gone';

export type LedgerFile = {
	generation: number;
	/** How many bytes were read so far. */
	length(): number;
	/** Passes on every entry that was not read before, in the order of the file. */
	readNew(onEntry: (entry: LedgerEntry, line: string) => void): FileCondition;
	append(text: string): void;
	/** Waits until what was written would survive a crash of the host. */
	sync(): void;
	close(): void;
};

// An append is one system call, and the system executes concurrent ones one after the other. All processes
// agree on that order, so they need no lock that a killed process could leave behind.
export function createLedgerFile(
	files: LedgerFs,
	descriptor: number,
	generation: number,
): LedgerFile {
	const lines = createLineReader(files);
	let hasBegun = false;
	let condition: FileCondition = 'live';

	return {
		generation,
		length: lines.offset,
		readNew(onEntry) {
			const { size, nlink } = files.fstatSync(descriptor);
			if (size < lines.offset()) condition = 'broken';
			for (const line of size > lines.offset() ? lines.readFrom(descriptor) : []) {
				if (condition !== 'live') break;
				const entry = entryFromLine(line);
				if (entry === 'torn') continue;
				// Every file starts with carried entries, so one without them has lost its beginning.
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
				// The descriptor is closed even if the system reports an error.
			}
		},
	};
}

/** Reads the complete lines that were appended to a file since it was last read. */
export function createLineReader(files: Pick<LedgerFs, 'readSync'>) {
	const chunk = Buffer.alloc(16_384);
	let offset = 0;
	let unfinished = '';

	return {
		offset: () => offset,
		readFrom(descriptor: number): string[] {
			const texts = [unfinished];
			for (;;) {
				const count = files.readSync(descriptor, chunk, 0, chunk.length, offset);
				if (count === 0) break;
				offset += count;
				texts.push(chunk.toString('latin1', 0, count));
			}
			// Another process may be writing the last line, so it waits for its line break.
			const lines = texts.join('').split('\n');
			unfinished = lines.pop() ?? '';
			return lines;
		},
	};
}
