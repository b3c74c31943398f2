import { type Change, computerIdOf, mergeChanges, type OperationMove } from '../fleet/change.ts';
import { mergeSamples } from '../fleet/computers/runway.ts';
import type { Fact } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact-sharing.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import { latestChanges } from '../store/change-log.ts';
import type { FactListener } from '../store/store.ts';
import { createHandover, type Handover } from './handover.ts';
import {
	changeEntryFrom,
	changeOf,
	creditEntryFrom,
	newEntriesOf,
	withoutOwnPane,
} from './journal-entry.ts';
import { createLineTimeTest, entriesIn, journalLine } from './journal-lines.ts';
import { createLineFile } from './line-file.ts';
import { readSnapshot, snapshotFile } from './snapshot-file.ts';
import { type AccountFile, createSnapshotWriter } from './snapshot-writer.ts';
import { readUsage, usageFile } from './usage-file.ts';

/**
 * A file that cannot be read or written, and the reason. The problem is reported once, and again only after the
 * file was read or written successfully.
 */
export type JournalProblem = {
	file: 'journal' | 'credits' | 'fleet' | 'usage';
	message: string;
	/** The operation whose request leaves although its line could not be written. It is reported each time. */
	sent?: OperationSpec;
};

/** Facts that were read from disk, and the number of damaged lines. */
type RecalledFacts = { facts: readonly Fact[]; damagedLineCount: number };

export type Journal = {
	/**
	 * Receives every fact of an account, and stores those that matter after the program has ended: the operations of this
	 * process and, if it is the recorder, everything that was read.
	 */
	onFact: FactListener;
	/** Stores steps of operations of this process that no fact has brought. */
	addSteps(account: string, steps: readonly OperationMove[]): void;
	/** Writes what the previous recorder has not written, because this process has become the recorder. */
	takeOver(): void;
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
	/** The machine of this process; absent if the state folder belongs to one machine only. */
	machine?: string | undefined;
	/** Counts the reads and writes in progress. */
	activity?: Activity | undefined;
	onProblem: (trouble: JournalProblem) => void;
	/** Whether this process stores what was read; true if absent. Only one process of a host does. */
	isRecorder?: () => boolean;
	/** The size limit of the newest journal file. All journal files together may take four times as much. */
	maxFileBytes?: number;
};

// Another process replaces a killed or stopped recorder in less time than this.
const minKeptMs = 60_000;

// Several processes may have written the same change. Only this number of the newest changes are sorted and merged.
const maxMergedChanges = 5_000;

//  journal.jsonl, journal.<time>-<pid>.jsonl     changes                     line-file.ts
//  credits.jsonl, credits.<time>-<pid>.jsonl     the balance over time       line-file.ts
//  fleet-HASH.jsonl                              the last known fleet        snapshot-file.ts
//  usage-HASH.jsonl                              CPU and memory lately       usage-file.ts

export function createJournal(options: JournalOptions): Journal {
	const {
		directory,
		clock,
		pid,
		machine,
		activity,
		onProblem,
		isRecorder = () => true,
		maxFileBytes = 1_000_000,
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
			file,
			directory,
			clock,
			activity,
			mayWrite: isRecorder,
			beforeWrite: flushChanges,
			onProblem: message => onProblem({ file: name, message }),
		});
	const snapshots = fileWriter(snapshotFile, 'fleet');
	const handovers = new Map<string, Handover>();

	async function flushChanges() {
		await Promise.all([...handovers.values()].map(each => each.flush()));
		await changes.flush();
	}

	const changeLines = (account: string, added: readonly Change[]) =>
		added.map(change => journalLine(account, change, machine));

	function appendChanges(account: string, added: readonly Change[]) {
		changes.append(changeLines(account, added));
	}

	function shownEntryFrom(line: string) {
		const entry = changeEntryFrom(line);
		return entry && { ...entry, what: withoutOwnPane(changeOf(entry, machine), pid) };
	}

	/** Each process stores its own operations. */
	function storeOwn(fact: Fact, added: readonly Change[]) {
		const { account } = fact;
		// This fact comes right before the request. If the process is killed in between, the line is the only trace,
		// and another process looks up what became of the operation.
		if (fact.type !== 'operationChanged' || fact.step !== 'sent' || added.length === 0)
			return handoverOf(account).writeOwn(added);
		const message = changes.appendNow(changeLines(account, added));
		const [move] = added;
		if (message !== undefined && move?.type === 'operationMoved')
			onProblem({ file: 'journal', message, sent: move.wish });
	}

	function handoverOf(account: string): Handover {
		const known = handovers.get(account);
		if (known) return known;
		const handover = createHandover({
			clock,
			isRecorder,
			keptMs: minKeptMs + (pid % 30) * 1_000,
			append: added => appendChanges(account, added),
			async readSince(time) {
				await changes.flush();
				const isRecent = createLineTimeTest(time);
				return (await entriesIn(changes, changeEntryFrom, account, isRecent)).kept;
			},
		});
		handovers.set(account, handover);
		return handover;
	}

	// A command reads a single list, which must not replace the usage that a monitor has collected.
	let usages: ReturnType<typeof fileWriter> | undefined;

	return {
		onFact(fact, before, after) {
			const entries = newEntriesOf(before, fact, after, pid);
			const added = entries.changes.map(({ what }) => what);
			if (audienceByFact[fact.type] === 'panes') {
				if (fact.pane === undefined) storeOwn(fact, added);
			} else if (isRecorder()) {
				handoverOf(fact.account).write(added);
				credits.append(entries.credits.map(({ what }) => journalLine(fact.account, what)));
			} else {
				handoverOf(fact.account).keep(added);
			}
			snapshots.onFact(fact, before, after);
			usages?.onFact(fact, before, after);
		},
		addSteps(account, steps) {
			if (steps.length > 0)
				handoverOf(account).writeOwn(steps.map(step => ({ ...step, pane: pid })));
		},
		takeOver() {
			for (const handover of handovers.values()) handover.takeOver();
		},
		recallFleet(account) {
			return readSnapshot({ directory, account }).catch(error => {
				onProblem({ file: 'fleet', message: stateFileErrorText(error) });
				return { facts: [], damagedLineCount: 0 };
			});
		},
		recallUsage(account) {
			usages ??= fileWriter(usageFile, 'usage');
			try {
				return readUsage({ directory, account }, clock.now());
			} catch (error) {
				onProblem({ file: 'usage', message: stateFileErrorText(error) });
				return { facts: [], damagedLineCount: 0 };
			}
		},
		async recallPast(account) {
			const moves = await entriesIn(changes, shownEntryFrom, account);
			const samples = await entriesIn(credits, creditEntryFrom, account);
			const at = clock.now();
			const merged = mergeChanges([], moves.kept.slice(-maxMergedChanges));
			const past: Fact = {
				account,
				at,
				type: 'pastRecalled',
				changes: latestChanges(merged),
				samples: mergeSamples([], samples.kept),
			};
			return { facts: [past], damagedLineCount: moves.damagedCount + samples.damagedCount };
		},
		async recallHistory(account, id) {
			const quotedId = JSON.stringify(id).slice(1, -1);
			const { kept, damagedCount } = await entriesIn(changes, shownEntryFrom, account, line =>
				line.includes(quotedId),
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
			for (const handover of handovers.values()) handover.close();
			await flushChanges();
			await Promise.all([credits.flush(), snapshots.close(), usages?.close()]);
		},
	};
}
