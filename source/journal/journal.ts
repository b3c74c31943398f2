import {
	type Change,
	computerIdOf,
	mergeChanges,
	type OperationMove,
	stateOf,
	subjectOf,
} from '../fleet/change.ts';
import { audienceByFact, type Fact } from '../fleet/fact.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import { latestChanges } from '../store/change-log.ts';
import { emptyAccount } from '../store/state.ts';
import type { FactListener } from '../store/store.ts';
import { haveSameSnapshot, keepFleet, readFleet } from './fleet-file.ts';
import { changeOf, changesToKeep, entryFrom, logLine, withoutOwnPane } from './log-entry.ts';
import { appendLines, readLines } from './log-files.ts';

export type JournalProblem = {
	file: 'log' | 'fleet';
	message: string;
	sent?: OperationSpec;
};

/** What is kept of one account between runs. */
export type Journal = {
	/** Stores the operations of this process and, if it records, everything that was read. */
	onFact: FactListener;
	addSteps(steps: readonly OperationMove[]): void;
	takeOver(): void;
	recallFleet(): readonly Fact[];
	recallPast(): Fact;
	recallHistory(id: string): Fact;
	close(): void;
};

type JournalOptions = {
	directory: string;
	account: string;
	clock: Clock;
	process: string;
	/** Absent if the state folder belongs to one machine only. */
	machine?: string | undefined;
	onProblem: (problem: JournalProblem) => void;
	isRecorder?: () => boolean;
};

/** A leader that is stopped is replaced well before this, so its followers hold what it has not written. */
const takenOverMs = 2 * 60_000;

const maxWaiting = 5_000;

const maxRead = 2_000;

const fleetIntervalMs = 30_000;
/** Without a list of the last known fleet, the next process cannot notice what changed before its own first one. */
const firstFleetMs = 100;
/** A large file is written less often. */
const bytesPerMs = 10;

export function createJournal(options: JournalOptions): Journal {
	const { directory, account, clock, process, machine, onProblem } = options;
	const { isRecorder = () => true } = options;
	const failing = new Set<JournalProblem['file']>();
	const waiting: string[] = [];
	let latest = emptyAccount;
	let isFleetDue = false;
	/** What was kept before the first list, such as the balance, has no computers. */
	let isListKept = false;
	let cancelWrite: (() => void) | undefined;
	let fleetBytes = 0;

	function attempt<T>(file: JournalProblem['file'], work: () => T): T | undefined {
		try {
			const result = work();
			failing.delete(file);
			return result;
		} catch (error) {
			if (!failing.has(file)) onProblem({ file, message: stateFileErrorText(error) });
			failing.add(file);
			return undefined;
		}
	}

	function writeWaiting() {
		appendLines(directory, waiting, clock.now());
		waiting.length = 0;
	}

	function append(changes: readonly Change[]) {
		if (changes.length === 0) return;
		waiting.push(...changes.map(change => logLine(account, change, machine)));
		if (waiting.length > maxWaiting) waiting.splice(0, waiting.length - maxWaiting);
		const [move] = changes;
		attempt('log', () => {
			try {
				writeWaiting();
			} catch (error) {
				if (move?.type === 'operationMoved' && move.to === 'sent')
					onProblem({ file: 'log', message: stateFileErrorText(error), sent: move.wish });
				throw error;
			}
		});
	}

	function changesIn(isIncluded: (line: string) => boolean = () => true): readonly Change[] {
		const lines = attempt('log', () => readLines(directory)) ?? [];
		const quoted = JSON.stringify(account);
		const ours = lines.filter(line => line.includes(quoted) && isIncluded(line)).slice(-maxRead);
		return ours.flatMap(line => {
			const entry = entryFrom(line);
			return entry?.account === account ? withoutOwnPane(changeOf(entry, machine), process) : [];
		});
	}

	function keepDueFleet() {
		cancelWrite?.();
		cancelWrite = undefined;
		if (!isFleetDue) return;
		const bytes = attempt('fleet', () => keepFleet(directory, account, latest, clock.now()));
		if (bytes === undefined) return;
		fleetBytes = bytes;
		isFleetDue = false;
		isListKept ||= latest.reads.list?.answer !== undefined;
	}

	function keepFleetSoon() {
		isFleetDue = true;
		if (cancelWrite) return;
		const interval = isListKept ? fleetIntervalMs : firstFleetMs;
		cancelWrite = clock.after(Math.max(interval, fleetBytes / bytesPerMs), () => {
			// While this process was stopped, another one may have written a newer fleet.
			if (!isRecorder()) isFleetDue = false;
			keepDueFleet();
		});
	}

	return {
		onFact(fact, { accounts }, after) {
			if (fact.account !== account) return;
			const before = accounts.get(account) ?? emptyAccount;
			latest = after.accounts.get(account) ?? emptyAccount;
			const isOfOperation = audienceByFact[fact.type] === 'panes';
			if (isOfOperation ? fact.pane === undefined : isRecorder())
				append(changesToKeep(before, latest, process));
			if (!isRecorder()) {
				isFleetDue = false;
				return;
			}
			if (fact.type !== 'recalled' && !haveSameSnapshot(before, latest)) keepFleetSoon();
		},
		addSteps: steps => append(steps.map(step => ({ ...step, pane: process }))),
		takeOver() {
			const since = clock.now() - takenOverMs;
			const held = latest.changes.filter(
				({ at, type }) => at >= since && type !== 'operationMoved',
			);
			if (held.length === 0) return;
			const isRecent = (line: string) => Number(/"at":(\d+)/.exec(line)?.[1] ?? since) >= since;
			append(missingChanges(changesIn(isRecent), held));
		},
		recallFleet() {
			const facts = attempt('fleet', () => readFleet(directory, account)) ?? [];
			isListKept = facts.some(
				fact => fact.type === 'recalled' && (fact.computers?.length ?? 0) > 0,
			);
			return facts;
		},
		recallPast() {
			const changes = latestChanges(mergeChanges([], changesIn()));
			return { account, at: clock.now(), type: 'recalled', changes };
		},
		recallHistory(id) {
			const quotedId = JSON.stringify(id);
			const own = changesIn(line => line.includes(quotedId)).filter(
				change => computerIdOf(change) === id,
			);
			const history = { id, changes: mergeChanges([], own) };
			return { account, at: clock.now(), type: 'recalled', history };
		},
		close() {
			if (waiting.length > 0) attempt('log', writeWaiting);
			keepDueFleet();
		},
	};
}

/** Two failures of a computer are two lines, and an error whose reason is known now is written once more. */
export function missingChanges(
	written: readonly Change[],
	held: readonly Change[],
): readonly Change[] {
	const left = new Map<string, number>();
	for (const key of written.map(stateKeyOf)) left.set(key, (left.get(key) ?? 0) + 1);
	return held.filter(change => {
		const key = stateKeyOf(change);
		const count = left.get(key) ?? 0;
		left.set(key, count - 1);
		return count <= 0;
	});
}

function stateKeyOf(change: Change): string {
	const error = change.type === 'statusChanged' ? change.error : undefined;
	return JSON.stringify([change.type, subjectOf(change), stateOf(change), error]);
}
