import type { Change } from '../fleet/change.ts';
import type { Clock } from '../foundation/clock.ts';
import { missingChanges } from './missing-changes.ts';

/** Writes the changes that were read, without a gap or a repetition when another process becomes the recorder. */
export type Handover = {
	/** Writes changes that only this process knows of, after the changes before. */
	writeOwn(changes: readonly Change[]): void;
	/** Writes changes that were read, because this process is the recorder. */
	write(changes: readonly Change[]): void;
	/** Keeps changes, because the recorder, another process, may be killed before it writes them. */
	keep(changes: readonly Change[]): void;
	/** Makes this process the recorder: it writes what the earlier recorder has not written. */
	takeOver(): void;
	/** Resolves when all changes were passed on. */
	flush(): Promise<void>;
};

type HandoverOptions = {
	clock: Pick<Clock, 'now'>;
	append: (changes: readonly Change[]) => void;
	/** Returns the changes in the journal that were noticed at a time or later. */
	readSince: (time: number) => Promise<readonly Change[]>;
	/** Whether this process is the recorder. Another process may replace it while it is stopped. */
	isRecorder: () => boolean;
};

// A recorder that is killed or stopped is replaced by the next answer of another process. While the platform fails,
// answers are a minute apart.
const keptMs = 10 * 60_000;

// More changes at once would be a platform that invents computers.
const maxKept = 5_000;

/**
 * Each process notices every change for itself, with times of its own. One fact decides whether the journal may have a
 * change already: whether this process was the recorder when it last saw the old value.
 *
 * ```
 *   another process records        │ this process records
 *        old value ────────────────┼──── new value            may be written: compare with the journal
 *                                  │        old ──── new      only this process can have written it
 * ```
 */
export function createHandover(options: HandoverOptions): Handover {
	const { clock, append, readSince, isRecorder } = options;
	let kept: readonly Change[] = [];
	/** When this process became the recorder. */
	let recordsSince = clock.now();
	/** Resolves when the changes that wait for the journal to be read were passed on; undefined if none wait. */
	let waiting: Promise<void> | undefined;

	function keep(changes: readonly Change[]) {
		if (changes.length === 0) return;
		const oldest = clock.now() - keptMs;
		kept = [...kept.filter(({ at }) => at >= oldest), ...changes].slice(-maxKept);
	}

	async function appendMissing(changes: readonly Change[]) {
		const recorded = await readSince(Math.min(...changes.map(beginningOf)));
		// This process may have been stopped meanwhile, and replaced.
		if (isRecorder()) append(missingChanges(recorded, changes));
		else keep(changes);
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
				inOrder(() => appendMissing(changes));
			else writeOwn(changes);
		},
		takeOver() {
			recordsSince = clock.now();
			const unwritten = kept;
			kept = [];
			if (unwritten.length > 0) inOrder(() => appendMissing(unwritten));
		},
		async flush() {
			await waiting;
		},
	};
}

const beginningOf = (change: Change): number =>
	'notBefore' in change ? change.notBefore : change.at;
