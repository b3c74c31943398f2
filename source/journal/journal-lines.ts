import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change } from '../fleet/change.ts';
import type { CreditSample } from '../fleet/computers/runway.ts';
import { fileVersion, isOfNewerVersion } from './file-version.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { LineFile } from './line-file.ts';

// After this many lines, reading pauses so that keys are handled.
const linesPerPause = 1_000;

/** Returns the line that stores a change or a credit sample. The line of an operation names its machine. */
export const journalLine = (
	account: string,
	what: Change | CreditSample,
	machine?: string | undefined,
): string => {
	const isOperation = 'type' in what && what.type === 'operationMoved';
	return JSON.stringify({ version: fileVersion, account, what, ...(isOperation && { machine }) });
};

/** Returns a function that tells whether a line is of this time or later, without the cost of decoding the line. */
export const createLineTimeTest = (time: number) => (line: string) => {
	const at = /"at":(\d+)/.exec(line)?.[1];
	return at === undefined || Number(at) >= time;
};

/** Returns the entries of the account in a file, oldest first, and the number of damaged lines. */
export async function entriesIn<T extends { at: number }>(
	file: LineFile,
	entryFrom: (line: string) => JournalEntry<T> | undefined,
	account: string,
	/** Lines of other accounts are skipped without being decoded. */
	isIncluded: (line: string) => boolean = () => true,
): Promise<{ kept: readonly T[]; damagedCount: number }> {
	const kept: T[] = [];
	let damaged = 0;
	for (const [place, line] of (await file.read()).entries()) {
		if (place % linesPerPause === linesPerPause - 1) await nextTurn();
		if (!isIncluded(line) || isOfNewerVersion(line)) continue;
		const entry = entryFrom(line);
		if (!entry) damaged += 1;
		if (entry?.account === account) kept.push(entry.what);
	}
	return { kept, damagedCount: damaged };
}
