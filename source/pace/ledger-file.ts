import { Buffer } from 'node:buffer';
import { entryFromLine } from './ledger-entry.ts';
import type { LedgerFs } from './ledger-rotation.ts';
import type { LedgerEntry } from './ledger-state.ts';

/** How far a file can be trusted after it was read. */
export type FileCondition =
	| 'live'
	/** It goes on in the next generation. */
	| 'sealed'
	/** Something in it is no entry, or it became shorter. */
	| 'broken'
	/** Somebody deleted it. */
	| 'gone';

export type LedgerFile = {
	generation: number;
	/** Bytes read so far. */
	length(): number;
	/** Hands over every entry that was not read before, in the order of the file. */
	readNew(each: (entry: LedgerEntry, line: string) => void): FileCondition;
	append(text: string): void;
	/** Waits until what was written would outlive the host. */
	sync(): void;
	close(): void;
};

// Appending is one system call, and the system puts concurrent ones one after the other: that order is
// what all processes agree on. So there is no lock, and nothing that a killed process could leave
// locked; and what it had not yet wholly written counts for nobody.
export function createLedgerFile(
	files: LedgerFs,
	descriptor: number,
	generation: number,
): LedgerFile {
	const chunk = Buffer.alloc(16_384);
	let offset = 0;
	let unfinished = '';
	let hasBegun = false;
	let condition: FileCondition = 'live';

	function readLines(): string[] {
		const texts = [unfinished];
		for (;;) {
			const count = files.readSync(descriptor, chunk, 0, chunk.length, offset);
			if (count === 0) break;
			offset += count;
			texts.push(chunk.toString('latin1', 0, count));
		}
		// The last one may be half visible while another process writes it.
		const lines = texts.join('').split('\n');
		unfinished = lines.pop() ?? '';
		return lines;
	}

	return {
		generation,
		length: () => offset,
		readNew(each) {
			const { size, nlink } = files.fstatSync(descriptor);
			if (size < offset) condition = 'broken';
			for (const line of size > offset ? readLines() : []) {
				if (condition !== 'live') break;
				const entry = entryFromLine(line);
				if (entry === 'torn') continue;
				// Files are put in place whole: one without its beginning lost it.
				hasBegun ||= entry !== 'broken' && entry.kind === 'carried';
				if (entry === 'broken' || !hasBegun) condition = 'broken';
				else if (entry.kind === 'sealed') condition = 'sealed';
				else each(entry, line);
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
				// It is closed all the same.
			}
		},
	};
}
