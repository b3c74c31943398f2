import { setImmediate as nextTurn } from 'node:timers/promises';
import { activityFromPast } from '../fleet/activity-hours.ts';
import { computerIdOf, mergeChanges } from '../fleet/change.ts';
import { mergeSamples } from '../fleet/computers/runway.ts';
import type { Fact } from '../fleet/fact.ts';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { messageOf } from '../foundation/error.ts';
import { latestChanges } from '../store/change-log.ts';
import type { FactListener } from '../store/store.ts';
import { fileVersion, isNewer, type LinesOwner, type UnversionedLines } from './file-version.ts';
import {
	changeEntryFrom,
	creditEntryFrom,
	isEntryOfOwner,
	type JournalEntry,
	newEntriesOf,
} from './journal-entry.ts';
import { createLineFile, type LineFile } from './line-file.ts';
import { hasSnapshot, readSnapshot, snapshotFile } from './snapshot-file.ts';
import { type AccountFile, createSnapshotWriter } from './snapshot-writer.ts';
import { readUsage, usageFile } from './usage-file.ts';

/**
 * A file that cannot be read or written, and the reason. The problem is reported once, and again only after the
 * file was read or written successfully.
 */
export type JournalProblem = { file: 'journal' | 'credits' | 'fleet' | 'usage'; message: string };

/** Facts that were read from disk, and the number of damaged lines. */
type RecalledFacts = { facts: readonly Fact[]; damagedLineCount: number };

export type Journal = {
	/** Receives every fact of the store, and stores those that matter after the program has ended. */
	onFact: FactListener;
	/** Reads the last known fleet of an account. The first frame waits for this, so it must be quick. */
	recallFleet(account: string): Promise<RecalledFacts>;
	/**
	 * Reads the CPU and memory of the last 30 minutes, and saves them from now on. The first frame does not wait for this.
	 */
	recallUsage(account: string): RecalledFacts;
	/**
	 * Reads the changes and credits of earlier sessions. Entries without a version are written again with a
	 * version, because the next sign-in destroys the proof that they belong to this account.
	 */
	recallPast(account: string): Promise<RecalledFacts>;
	/** Reads all changes of one computer. */
	recallHistory(account: string, id: string): Promise<RecalledFacts>;
	/** Resolves when everything is on disk, or writing has failed. */
	close(): Promise<void>;
};

type JournalOptions = {
	/** The folder of the journal. If it is missing, it is created for its owner only. */
	directory: string;
	clock: Clock;
	pid: number;
	/** Counts the reads and writes in progress. */
	activity?: Activity | undefined;
	onProblem: (trouble: JournalProblem) => void;
	/** The size limit of the newest journal file. All journal files together may take four times as much. */
	maxFileBytes?: number;
	/** Identifies the account's entries without a version. */
	unversionedLines?: UnversionedLines | undefined;
};

// Several processes may have written the same change. At most this many of the newest changes are sorted and
// freed of duplicates.
const maxMergedChanges = 5_000;

// After this many lines, reading pauses so that keys are handled.
const linesPerPause = 1_000;

//  journal.jsonl, journal.<time>-<pid>.jsonl     changes                     line-file.ts
//  credits.jsonl, credits.<time>-<pid>.jsonl     the balance over time       line-file.ts
//  fleet-HASH.jsonl                              the last known fleet        snapshot-file.ts
//  usage-HASH.jsonl                              CPU and memory lately       usage-file.ts

/** The function is over 60 lines because its methods share the three kinds of files. */
export function createJournal(options: JournalOptions): Journal {
	const {
		directory,
		clock,
		pid,
		activity,
		onProblem,
		maxFileBytes = 1_000_000,
		unversionedLines,
	} = options;
	const lineFile = (name: 'journal' | 'credits', bytes: number) =>
		createLineFile({
			directory,
			baseName: name,
			clock,
			pid,
			activity,
			maxFileBytes: bytes,
			onProblem: message => onProblem({ file: name, message }),
		});
	const changes = lineFile('journal', maxFileBytes);
	const credits = lineFile('credits', maxFileBytes / 4);
	const fileWriter = (file: AccountFile, name: 'fleet' | 'usage') =>
		createSnapshotWriter({
			...{ file, directory, clock, activity },
			onProblem: message => onProblem({ file: name, message }),
		});
	const snapshots = fileWriter(snapshotFile, 'fleet');
	// A command reads a single list, which must not replace the usage that a monitor has collected.
	let usages: ReturnType<typeof fileWriter> | undefined;

	return {
		onFact(fact, before, after) {
			const entries = newEntriesOf(before, fact, after);
			changes.append(entries.changes.map(entry => lineOf(entry)));
			credits.append(entries.credits.map(entry => lineOf(entry)));
			snapshots.onFact(fact, before, after);
			usages?.onFact(fact, before, after);
		},
		recallFleet(account) {
			return readSnapshot({ directory, account, unversionedLines }).catch(error => {
				onProblem({ file: 'fleet', message: messageOf(error) });
				return { facts: [], damagedLineCount: 0 };
			});
		},
		recallUsage(account) {
			usages ??= fileWriter(usageFile, 'usage');
			try {
				return readUsage({ directory, account }, clock.now());
			} catch (error) {
				onProblem({ file: 'usage', message: messageOf(error) });
				return { facts: [], damagedLineCount: 0 };
			}
		},
		async recallPast(account) {
			const owner: LinesOwner = { account, unversionedLines };
			const moves = await entriesIn(changes, changeEntryFrom, owner);
			const samples = await entriesIn(credits, creditEntryFrom, owner);
			if (unversionedLines && !(await hasSnapshot({ directory, account }))) {
				changes.append(
					moves.unversioned.map(what => lineOf({ version: fileVersion, account, what })),
				);
				credits.append(
					samples.unversioned.map(what => lineOf({ version: fileVersion, account, what })),
				);
			}
			const at = clock.now();
			const merged = mergeChanges([], moves.kept.slice(-maxMergedChanges));
			const past: Fact = {
				account,
				at,
				type: 'pastRecalled',
				changes: latestChanges(merged),
				samples: mergeSamples([], samples.kept),
				activity: activityFromPast(merged, samples.kept, at),
			};
			return { facts: [past], damagedLineCount: moves.damagedCount + samples.damagedCount };
		},
		async recallHistory(account, id) {
			const quotedId = JSON.stringify(id).slice(1, -1);
			const { kept, damagedCount } = await entriesIn(
				changes,
				changeEntryFrom,
				{ account, unversionedLines },
				quotedId,
			);
			const changesOfId = kept.filter(change => computerIdOf(change) === id);
			const history: Fact = {
				account,
				at: clock.now(),
				type: 'historyRecalled',
				id,
				changes: mergeChanges([], changesOfId.slice(-maxMergedChanges)),
			};
			return { facts: [history], damagedLineCount: damagedCount };
		},
		async close() {
			await Promise.all([
				...[changes.flush(), credits.flush()],
				...[snapshots.close(), usages?.close()],
			]);
		},
	};
}

const lineOf = <T>(entry: JournalEntry<T>): string => JSON.stringify(entry);

async function entriesIn<T extends { at: number }>(
	file: LineFile,
	entryFrom: (line: string) => JournalEntry<T> | undefined,
	owner: LinesOwner,
	/** Lines that do not contain this text are skipped. */
	requiredText = '',
): Promise<{ kept: readonly T[]; unversioned: readonly T[]; damagedCount: number }> {
	const kept: T[] = [];
	const unversioned: T[] = [];
	let damaged = 0;
	for (const [place, line] of (await file.read()).entries()) {
		if (place % linesPerPause === linesPerPause - 1) await nextTurn();
		if (!line.includes(requiredText) || isNewer(line)) continue;
		const entry = entryFrom(line);
		if (!entry) damaged += 1;
		if (!entry || !isEntryOfOwner(owner, entry)) continue;
		kept.push(entry.what);
		if (entry.version === 0) unversioned.push(entry.what);
	}
	return { kept, unversioned, damagedCount: damaged };
}
