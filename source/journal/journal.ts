import {
	type Change,
	computerIdOf,
	mergeChanges,
	type OperationMove,
	stateOf,
	subjectOf,
} from '../fleet/change.ts';
import type { Fact } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact-sharing.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import { latestChanges } from '../store/change-log.ts';
import type { State } from '../store/state.ts';
import type { FactListener } from '../store/store.ts';
import { hasFleet, haveSameSnapshot, keepFleet, readFleet } from './fleet-file.ts';
import { changeOf, changesToKeep, entryFrom, logLine, withoutOwnPane } from './log-entry.ts';
import { appendLines, readLines } from './log-files.ts';

export type JournalProblem = {
	file: 'log' | 'fleet';
	message: string;
	sent?: OperationSpec;
};

type RecalledFacts = { facts: readonly Fact[]; damagedCount: number };

export type Journal = {
	/** Stores the operations of this process and, if it records, everything that was read. */
	onFact: FactListener;
	addSteps(account: string, steps: readonly OperationMove[]): void;
	takeOver(): void;
	recallFleet(account: string): RecalledFacts;
	recallPast(account: string): RecalledFacts;
	recallHistory(account: string, id: string): RecalledFacts;
	close(): void;
};

type JournalOptions = {
	directory: string;
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
/** A process without a last known fleet cannot notice changes from before its first answer. */
const firstFleetMs = 100;
/** A large file is written less often. */
const bytesPerMs = 10;

export function createJournal(options: JournalOptions): Journal {
	const { directory, clock, process, machine, onProblem, isRecorder = () => true } = options;
	const failing = new Set<JournalProblem['file']>();
	const waiting: string[] = [];
	const due = new Set<string>();
	let latest: State | undefined;
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

	function append(account: string, changes: readonly Change[]) {
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

	function changesIn(account: string, isIncluded: (line: string) => boolean = () => true) {
		const lines = attempt('log', () => readLines(directory)) ?? [];
		const quoted = JSON.stringify(account);
		const ours = lines.filter(line => line.includes(quoted) && isIncluded(line)).slice(-maxRead);
		const entries = ours.map(entryFrom);
		const changes = entries.flatMap(entry =>
			entry?.account === account ? withoutOwnPane(changeOf(entry, machine), process) : [],
		);
		return { changes, damagedCount: entries.filter(entry => entry === undefined).length };
	}

	function keepDueFleets() {
		cancelWrite?.();
		cancelWrite = undefined;
		for (const account of due) {
			const state = latest?.accounts.get(account);
			if (!state) continue;
			const bytes = attempt('fleet', () => keepFleet(directory, account, state, clock.now()));
			if (bytes === undefined) continue;
			fleetBytes = bytes;
			due.delete(account);
		}
	}

	function keepFleetSoon(account: string) {
		due.add(account);
		if (cancelWrite) return;
		const interval = hasFleet(directory, account) ? fleetIntervalMs : firstFleetMs;
		cancelWrite = clock.after(Math.max(interval, fleetBytes / bytesPerMs), () => {
			// While this process was stopped, another one may have written a newer fleet.
			if (!isRecorder()) due.clear();
			keepDueFleets();
		});
	}

	return {
		onFact(fact, before, after) {
			latest = after;
			const { account, type } = fact;
			const isOfOperation = audienceByFact[type] === 'panes';
			if (isOfOperation ? fact.pane === undefined : isRecorder())
				append(account, changesToKeep(before, fact, after, process));
			if (!isRecorder()) return due.clear();
			const [known, now] = [before.accounts.get(account), after.accounts.get(account)];
			if (!now || type === 'recalled' || (known && haveSameSnapshot(known, now))) return;
			keepFleetSoon(account);
		},
		addSteps(account, steps) {
			append(
				account,
				steps.map(step => ({ ...step, pane: process })),
			);
		},
		takeOver() {
			const since = clock.now() - takenOverMs;
			for (const [account, { changes }] of latest?.accounts ?? []) {
				const held = changes.filter(({ at, type }) => at >= since && type !== 'operationMoved');
				if (held.length === 0) continue;
				const isRecent = (line: string) => Number(/"at":(\d+)/.exec(line)?.[1] ?? since) >= since;
				const written = changesIn(account, isRecent).changes;
				append(account, missingChanges(written, held));
			}
		},
		recallFleet(account) {
			const none = { facts: [], damagedCount: 0 };
			return attempt('fleet', () => readFleet(directory, account)) ?? none;
		},
		recallPast(account) {
			const { changes, damagedCount } = changesIn(account);
			const past: Fact = {
				account,
				at: clock.now(),
				type: 'recalled',
				changes: latestChanges(mergeChanges([], changes)),
			};
			return { facts: [past], damagedCount };
		},
		recallHistory(account, id) {
			const quotedId = JSON.stringify(id);
			const { changes, damagedCount } = changesIn(account, line => line.includes(quotedId));
			const own = changes.filter(change => computerIdOf(change) === id);
			const history = { id, changes: mergeChanges([], own) };
			const fact: Fact = { account, at: clock.now(), type: 'recalled', history };
			return { facts: [fact], damagedCount };
		},
		close() {
			if (waiting.length > 0) attempt('log', writeWaiting);
			keepDueFleets();
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
