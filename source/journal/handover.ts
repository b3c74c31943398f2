import type { Change } from '../fleet/change.ts';
import type { Clock } from '../foundation/clock.ts';
import { missingChanges } from './missing-changes.ts';

/**
 * Writes the changes that reads reveal to the journal. When another process becomes the recorder, no change is lost
 * or written twice.
 */
export type Handover = {
	/** Writes changes that only this process knows of, after all earlier changes. */
	writeOwn(changes: readonly Change[]): void;
	/** Writes changes that reads revealed, because this process is the recorder. */
	write(changes: readonly Change[]): void;
	/**
	 * Keeps changes until they are in the journal. Another process is the recorder, and it may be killed before it
	 * writes them.
	 */
	keep(changes: readonly Change[]): void;
	/** Makes this process the recorder: it writes what the earlier recorder has not written. */
	takeOver(): void;
	/** Resolves when all changes have been passed on to be written. */
	flush(): Promise<void>;
	/** Forgets the changes that were kept, because the program ends. */
	close(): void;
};

type HandoverOptions = {
	clock: Clock;
	/**
	 * How long changes are kept before the journal is searched for them. It is random, so that two processes do not
	 * read the journal at the same moment.
	 */
	keptMs: number;
	append: (changes: readonly Change[]) => void;
	/** Returns the changes in the journal that were noticed at a time or later. */
	readSince: (time: number) => Promise<readonly Change[]>;
	/** Whether this process is the recorder. Another process may replace it while it is stopped. */
	isRecorder: () => boolean;
};

// The most changes that are kept. Only a platform that invents computers would cause more.
const maxKept = 5_000;

/**
 * Each process notices every change by itself, at slightly different times. The journal may already have a change if
 * another process was the recorder when this process last saw the old value:
 *
 * ```
 *   another process records        │ this process records
 *        old value ────────────────┼──── new value            may be written: compare with the journal
 *                                  │        old ──── new      only this process can have written it
 * ```
 *
 */
export function createHandover(options: HandoverOptions): Handover {
	const { clock, keptMs, append, readSince, isRecorder } = options;
	let kept: readonly Change[] = [];
	let cancelCheck: (() => void) | undefined;
	/** When this process became the recorder. */
	let recordsSince = clock.now();
	/** Resolves when the changes that wait for the journal to be read were passed on; undefined if none wait. */
	let waiting: Promise<void> | undefined;
	let isClosed = false;

	function keep(changes: readonly Change[]) {
		if (changes.length === 0) return;
		kept = [...kept, ...changes].slice(-maxKept);
		cancelCheck ??= clock.after(keptMs, writeOldest);
	}

	/** Writes the kept changes that no recorder has written in time. */
	function writeOldest() {
		const isOld = ({ at }: Change) => at <= clock.now() - keptMs;
		const [old, recent] = [kept.filter(isOld), kept.filter(change => !isOld(change))];
		cancelCheck = undefined;
		kept = [];
		keep(recent);
		appendMissing(old);
	}

	function appendMissing(changes: readonly Change[]) {
		if (changes.length > 0) inOrder(async () => append(await findMissing(changes)));
	}

	const findMissing = async (changes: readonly Change[]) =>
		missingChanges(await readSince(Math.min(...changes.map(beginningOf))), changes);

	async function writeUncertain(changes: readonly Change[]) {
		const missing = await findMissing(changes);
		// While this process was stopped, another process may have become the recorder.
		if (isRecorder()) append(missing);
		else if (!isClosed) keep(changes);
	}

	function inOrder(step: () => void | Promise<void>) {
		const turn = (waiting ?? Promise.resolve()).then(step).then(() => {
			if (waiting === turn) waiting = undefined;
		});
		waiting = turn;
	}

	function writeOwn(changes: readonly Change[]) {
		if (waiting) inOrder(() => append(changes));
		else append(changes);
	}

	return {
		keep,
		writeOwn,
		write(changes) {
			if (changes.some(change => beginningOf(change) < recordsSince))
				inOrder(() => writeUncertain(changes));
			else writeOwn(changes);
		},
		takeOver() {
			recordsSince = clock.now();
			cancelCheck?.();
			cancelCheck = undefined;
			appendMissing(kept);
			kept = [];
		},
		async flush() {
			await waiting;
		},
		close() {
			isClosed = true;
			cancelCheck?.();
			kept = [];
		},
	};
}

const beginningOf = (change: Change): number =>
	'notBefore' in change ? change.notBefore : change.at;
