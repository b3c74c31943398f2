import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Activity } from '../fleet/activity.ts';
import { computerIdOf, mergeChanges } from '../fleet/change.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Fact } from '../fleet/fact.ts';
import { mergeSamples } from '../fleet/runway.ts';
import { latestOf } from '../store/change-log.ts';
import type { Witness } from '../store/store.ts';
import { isNewer, type NotesOwner, type UnversionedNotes, version } from './file-version.ts';
import {
	changeEntryFrom,
	creditEntryFrom,
	entriesOf,
	isEntryOfOwner,
	type JournalEntry,
} from './journal-entry.ts';
import { createLineFile, type LineFile, messageOf } from './line-file.ts';
import { hasSnapshot, readSnapshot } from './snapshot-file.ts';
import { createSnapshotWriter } from './snapshot-writer.ts';

/** What could not be kept. Told once, until it works again. */
export type JournalTrouble = { of: 'journal' | 'credits' | 'fleet'; message: string };

/** Facts from disk, to be folded; and how many lines could not be read. */
export type Recollection = { facts: readonly Fact[]; damaged: number };

export type Journal = {
	/** Keeps what is worth keeping of every fact. Given to `store.witness`. */
	witness: Witness;
	/** The last known fleet of an account: quick, for the first picture. */
	recallFleet(account: string): Promise<Recollection>;
	/**
	 * What happened to it before, and its credits. What an earlier version kept of it is written down
	 * once more as this version does, because the proof of whose it is does not last.
	 */
	recallPast(account: string): Promise<Recollection>;
	/** All that is kept of one computer. */
	recallHistory(account: string, id: string): Promise<Recollection>;
	/** Ends when everything is on disk, or could not be. */
	close(): Promise<void>;
};

export type JournalOptions = {
	/** For what the program keeps between runs: made, for its owner only, when it is not there. */
	directory: string;
	clock: Clock;
	pid: number;
	/** Counts what is read and written. */
	activity?: Activity | undefined;
	onTrouble: (trouble: JournalTrouble) => void;
	/** Of the journal's newest file. In all it takes four times as much. */
	bytesAtMost?: number;
	/** What an earlier version kept of the account under another name. */
	earlier?: UnversionedNotes | undefined;
};

// The lines are nearly in order, and in them a few panes may have told the same.
const mergedAtMost = 5_000;

// Keys are answered between.
const linesAtOnce = 1_000;

export function createJournal(options: JournalOptions): Journal {
	const { directory, clock, pid, activity, onTrouble, bytesAtMost = 1_000_000, earlier } = options;
	const lineFile = (name: 'journal' | 'credits', bytes: number) =>
		createLineFile({
			directory,
			name,
			clock,
			pid,
			activity,
			bytesAtMost: bytes,
			onTrouble: message => onTrouble({ of: name, message }),
		});
	const changes = lineFile('journal', bytesAtMost);
	const credits = lineFile('credits', bytesAtMost / 4);
	const snapshots = createSnapshotWriter({
		directory,
		clock,
		pid,
		activity,
		onTrouble: message => onTrouble({ of: 'fleet', message }),
	});

	return {
		witness(fact, before, after) {
			const entries = entriesOf(before, fact, after);
			changes.append(entries.changes.map(entry => lineOf(entry)));
			credits.append(entries.credits.map(entry => lineOf(entry)));
			snapshots.witness(fact, before, after);
		},
		recallFleet(account) {
			return readSnapshot({ directory, account, earlier }).catch(error => {
				onTrouble({ of: 'fleet', message: messageOf(error) });
				return { facts: [], damaged: 0 };
			});
		},
		async recallPast(account) {
			const owner = { account, earlier };
			const moves = await entriesIn(changes, changeEntryFrom, owner);
			const samples = await entriesIn(credits, creditEntryFrom, owner);
			if (earlier && !(await hasSnapshot({ directory, account }))) {
				changes.append(moves.unversioned.map(what => lineOf({ version, account, what })));
				credits.append(samples.unversioned.map(what => lineOf({ version, account, what })));
			}
			const past: Fact = {
				account,
				at: clock.now(),
				type: 'pastRecalled',
				changes: latestOf(mergeChanges([], moves.kept.slice(-mergedAtMost))),
				samples: mergeSamples([], samples.kept),
			};
			return { facts: [past], damaged: moves.damaged + samples.damaged };
		},
		async recallHistory(account, id) {
			const named = JSON.stringify(id).slice(1, -1);
			const { kept, damaged } = await entriesIn(
				changes,
				changeEntryFrom,
				{ account, earlier },
				named,
			);
			const ofIt = kept.filter(change => computerIdOf(change) === id);
			const history: Fact = {
				account,
				at: clock.now(),
				type: 'historyRecalled',
				id,
				changes: mergeChanges([], ofIt.slice(-mergedAtMost)),
			};
			return { facts: [history], damaged };
		},
		async close() {
			await Promise.all([changes.flush(), credits.flush(), snapshots.close()]);
		},
	};
}

const lineOf = <T>(entry: JournalEntry<T>): string => JSON.stringify(entry);

async function entriesIn<T extends { at: number }>(
	file: LineFile,
	entryFrom: (line: string) => JournalEntry<T> | undefined,
	owner: NotesOwner,
	/** Without this in them, lines are not looked at. */
	sign = '',
): Promise<{ kept: readonly T[]; unversioned: readonly T[]; damaged: number }> {
	const kept: T[] = [];
	const unversioned: T[] = [];
	let damaged = 0;
	for (const [place, line] of (await file.read()).entries()) {
		if (place % linesAtOnce === linesAtOnce - 1) await nextTurn();
		if (!line.includes(sign) || isNewer(line)) continue;
		const entry = entryFrom(line);
		if (!entry) damaged += 1;
		if (!entry || !isEntryOfOwner(owner, entry)) continue;
		kept.push(entry.what);
		if (entry.version === 0) unversioned.push(entry.what);
	}
	return { kept, unversioned, damaged };
}
