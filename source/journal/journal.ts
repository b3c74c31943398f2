import type { StoreApi } from 'zustand/vanilla';
import { type Change, computerIdOf, mergeChanges, stateOf, subjectOf } from '../fleet/change.ts';
import { audienceByFact, type FactBody } from '../fleet/fact.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import { latestChanges } from '../store/change-log.ts';
import { lastSteps } from '../store/fold-operation.ts';
import { emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { keepFleet, readFleet } from './fleet-file.ts';
import {
	appendLines,
	changeIn,
	changesToKeep,
	logLine,
	readLines,
	withoutOwnPane,
} from './log-files.ts';

/** Whether this process writes what was read to the log, and runs the hooks. */
export type Recorder = StoreApi<boolean>;

export type JournalOptions = {
	directory: string;
	account: string;
	store: Store;
	clock: Clock;
	process: string;
	machine?: string;
	recorder: Pick<Recorder, 'getState' | 'subscribe'>;
	onProblem: (message: string) => void;
	/** A command that shows no history does not load it. */
	needsHistory?: boolean;
};

/** A stopped leader is replaced well before this, so its followers hold what it has not written. */
const takenOverMs = 2 * 60_000;

const maxWaiting = 5_000;

const maxRead = 2_000;

const fleetIntervalMs = 30_000;

/** The next process could not notice what changes before its own first list. */
const firstFleetMs = 100;

const forgottenAfterMs = 10 * 60_000;

export function openJournal(options: JournalOptions) {
	const { directory, account, store, clock, process, machine, onProblem } = options;
	const { getState: isRecorder, subscribe: onRecording } = options.recorder;
	/** By file and by reason: a full disk is one problem, not one of each file. */
	const failedAt = new Map<string, number>();
	let untracedBatch: string | undefined;
	const waiting: string[] = [];
	let isListKept = false;
	let cancelWrite: (() => void) | undefined;

	const state = () => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);

	function attempt<T>(
		file: 'journal' | 'last known fleet',
		work: () => T,
		onFailure?: (reason: string) => void,
	): T | undefined {
		try {
			return work();
		} catch (error) {
			const reason = stateFileErrorText(error);
			const now = clock.now();
			const times = [file, reason].map(key => failedAt.get(key) ?? Number.NEGATIVE_INFINITY);
			for (const key of [file, reason]) failedAt.set(key, now);
			onFailure?.(reason);
			if (now - Math.max(...times) > forgottenAfterMs)
				onProblem(`Cannot save the ${file}: ${reason}`);
			return undefined;
		}
	}

	function reportUntraced({ operation, batch, name, computer }: OperationSpec, reason: string) {
		if (batch !== undefined && batch === untracedBatch) return;
		untracedBatch = batch;
		const { label } = operationRowOf(operation);
		const target = name ?? computer;
		onProblem(
			`${label}${target === undefined ? '' : ` of ${target}`} is sent, but the journal cannot note it: ${reason}. If crowsnest is killed now, nobody looks up what became of it.`,
		);
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
		attempt('journal', writeWaiting, reason => {
			if (move?.type === 'operationMoved' && move.to === 'sent') reportUntraced(move.wish, reason);
		});
	}

	function changesIn(isIncluded: (line: string) => boolean = () => true): readonly Change[] {
		const lines = attempt('journal', () => readLines(directory)) ?? [];
		const quoted = JSON.stringify(account);
		const ours = lines.filter(line => line.includes(quoted) && isIncluded(line)).slice(-maxRead);
		const changes = ours.flatMap(line => changeIn(line, account, machine) ?? []);
		return changes.map(change => withoutOwnPane(change, process));
	}

	function keepFleetNow() {
		cancelWrite?.();
		cancelWrite = undefined;
		attempt('last known fleet', () => {
			keepFleet(directory, account, state(), clock.now());
			isListKept ||= state().reads.list?.answer !== undefined;
		});
	}

	function keepFleetSoon() {
		cancelWrite ??= clock.after(isListKept ? fleetIntervalMs : firstFleetMs, () => {
			cancelWrite = undefined;
			// While this process was stopped, another one may have written a newer fleet.
			if (isRecorder()) keepFleetNow();
		});
	}

	function takeOver() {
		const since = clock.now() - takenOverMs;
		const held = state().changes.filter(({ at, type }) => at >= since && type !== 'operationMoved');
		if (held.length === 0) return;
		const written = changesIn().filter(({ at }) => at >= since);
		append(missingChanges(written, held));
	}

	const kept = attempt('last known fleet', () => readFleet(directory, account)) ?? [];
	isListKept = kept.some(fact => fact.type === 'recalled' && Boolean(fact.computers?.length));
	store.receive(kept);
	if (options.needsHistory ?? true)
		fold({ type: 'recalled', changes: latestChanges(mergeChanges([], changesIn())) });

	const stopKeeping = store.onFact((fact, { accounts }, after) => {
		if (fact.account !== account) return;
		const before = accounts.get(account) ?? emptyAccount;
		const latest = after.accounts.get(account) ?? emptyAccount;
		const isOfOperation = audienceByFact[fact.type] === 'panes';
		if (isOfOperation ? fact.pane === undefined : isRecorder())
			append(changesToKeep(before, latest, process));
		if (fact.type !== 'recalled' && isRecorder()) keepFleetSoon();
	});
	const stopTakingOver = onRecording(begins => begins && takeOver());

	return {
		loadHistory(id: string) {
			const quotedId = JSON.stringify(id);
			const own = changesIn(line => line.includes(quotedId)).filter(
				change => computerIdOf(change) === id,
			);
			fold({ type: 'recalled', history: { id, changes: mergeChanges([], own) } });
		},
		close() {
			append(lastSteps(state(), clock.now()).map(step => ({ ...step, pane: process })));
			stopKeeping();
			stopTakingOver();
			if (waiting.length > 0) attempt('journal', writeWaiting);
			if (cancelWrite) keepFleetNow();
		},
	};
}

/** Two failures of a computer are two lines, and an error whose reason is known now is written once more. */
function missingChanges(written: readonly Change[], held: readonly Change[]): readonly Change[] {
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
