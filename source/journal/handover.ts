import type { Change } from '../fleet/change.ts';
import type { Clock } from '../foundation/clock.ts';
import { missingChanges } from './missing-changes.ts';

/** Writes the changes that were read, without a gap or a repetition when another process becomes the recorder. */
export type Handover = {
	/** Writes changes that only this process knows of, after the changes before. */
	writeOwn(changes: readonly Change[]): void;
	/** Writes changes that were read, because this process is the recorder. */
	write(changes: readonly Change[]): void;
	/** Keeps changes for a minute. The recorder, another process, may be killed before it writes them. */
	keep(changes: readonly Change[]): void;
	/** Makes this process the recorder: it writes what the earlier recorder has not written. */
	takeOver(): void;
	/** Resolves when all changes were passed on. */
	flush(): Promise<void>;
};

type HandoverOptions = {
	clock: Pick<Clock, 'now'>;
	append: (changes: readonly Change[]) => void;
	/** Returns the changes in the journal that were noticed at a time or later, oldest first. */
	readSince: (time: number) => Promise<readonly Change[]>;
};

// A recorder that is killed or stopped is replaced in less time than this.
const keptMs = 60_000;

// More changes at once would be a platform that invents computers.
const maxKept = 5_000;

export function createHandover({ clock, append, readSince }: HandoverOptions): Handover {
	let kept: readonly Change[] = [];
	/** Until this time, changes may be in the journal already, because the recorder before wrote them. */
	let comparesUntil = clock.now() + keptMs;
	/** Resolves when the changes that wait for the journal to be read were passed on; undefined if none wait. */
	let waiting: Promise<void> | undefined;

	function keep(changes: readonly Change[]) {
		if (changes.length === 0) return;
		const oldest = clock.now() - keptMs;
		kept = [...kept.filter(({ at }) => at >= oldest), ...changes].slice(-maxKept);
	}

	function writeMissing(changes: readonly Change[]) {
		if (changes.length === 0) return;
		const since = Math.min(...changes.map(beginningOf));
		appendInOrder(async () => missingChanges(await readSince(since), changes));
	}

	function appendInOrder(find: () => Promise<readonly Change[]>) {
		const turn = (waiting ?? Promise.resolve())
			.then(async () => append(await find()))
			.then(() => {
				if (waiting === turn) waiting = undefined;
			});
		waiting = turn;
	}

	function writeOwn(changes: readonly Change[]) {
		if (waiting) appendInOrder(async () => changes);
		else append(changes);
	}

	return {
		keep,
		writeOwn,
		write(changes) {
			if (clock.now() < comparesUntil) writeMissing(changes);
			else writeOwn(changes);
		},
		takeOver() {
			comparesUntil = clock.now() + keptMs;
			const unwritten = kept;
			kept = [];
			writeMissing(unwritten);
		},
		async flush() {
			await waiting;
		},
	};
}

const beginningOf = (change: Change): number =>
	'notBefore' in change ? change.notBefore : change.at;
