import type { Change } from '../fleet/change.ts';
import { changesBetween } from '../store/change-log.ts';
import { fold } from '../store/fold.ts';
import { changeWithAccountName } from '../store/joint-account.ts';
import { emptyAccount, emptyState, type State } from '../store/state.ts';
import { factFrom, type PreviousLists } from './list-delta.ts';
import type { Recording } from './recording-file.ts';

/** The states of the fleet in the course of a recording. */
export type Timeline = {
	/** The number of facts in the recording. */
	factCount: number;
	/** Returns the state after the first `count` facts. */
	stateAfter(factCount: number): State;
	/** Returns the number of facts up to this time. */
	factCountAt(time: number): number;
	/** Returns the time of fact number `count`, counted from 1. */
	timeOfFact(factNumber: number): number;
	/**
	 * Returns the number of facts up to the next fact that adds a change to the log; undefined if there is none.
	 */
	factCountAtNextChange(factCount: number): number | undefined;
	/**
	 * Returns the number of facts up to the last fact that added a change to the log, before fact number
	 * `factCount`; undefined if there is none.
	 */
	factCountAtPreviousChange(factCount: number): number | undefined;
};

type Checkpoint = { factCount: number; lists: PreviousLists; state: State };

const maxCheckpoints = 64;
const minCheckpointDistance = 64;

//   facts        0 ─────────── every ─────────── 2·every ──────── … ──> length
//   checkpoints  ●               ●                   ●
//                                └── fold from here ──> count

/**
 * Creates the timeline of a recording. It stores some states as checkpoints, so that going back does not fold the
 * recording from its beginning.
 */
export function createTimeline({ times, entryAt }: Recording): Timeline {
	const length = times.length;
	const every = Math.max(minCheckpointDistance, Math.ceil(length / maxCheckpoints));
	const points: Checkpoint[] = [{ factCount: 0, lists: new Map(), state: emptyState }];
	let latest: Checkpoint = { factCount: 0, lists: new Map(), state: emptyState };

	function foldNext({ factCount, lists, state }: Checkpoint): Checkpoint {
		const next = factFrom(lists, entryAt(factCount).fact);
		const point = { factCount: factCount + 1, lists: next.lists, state: fold(state, next.fact) };
		if (point.factCount === points.length * every) points.push(point);
		return point;
	}

	function pointAt(count: number): Checkpoint {
		const known = points[Math.min(Math.floor(count / every), points.length - 1)] ?? latest;
		let point = latest.factCount <= count && latest.factCount > known.factCount ? latest : known;
		while (point.factCount < count) point = foldNext(point);
		latest = point;
		return point;
	}

	const after = (count: number) => pointAt(Math.max(0, Math.min(count, length))).state;

	function lastBetween(from: number, to: number): number | undefined {
		let last: number | undefined;
		let before = after(from);
		for (let count = from + 1; count <= to; count += 1) {
			const state = after(count);
			if (newChangesBetween(before, state).length > 0) last = count;
			before = state;
		}
		return last;
	}

	return {
		factCount: length,
		stateAfter: after,
		factCountAt(time) {
			let [low, high] = [0, length];
			while (low < high) {
				const middle = (low + high) >> 1;
				if ((times[middle] ?? Infinity) <= time) low = middle + 1;
				else high = middle;
			}
			return low;
		},
		timeOfFact: count => times[Math.max(0, Math.min(count, length) - 1)] ?? 0,
		factCountAtNextChange(count) {
			let before = after(count);
			for (let next = count + 1; next <= length; next += 1) {
				const state = after(next);
				if (newChangesBetween(before, state).length > 0) return next;
				before = state;
			}
			return undefined;
		},
		factCountAtPreviousChange(count) {
			for (let to = count - 1; to > 0; ) {
				const from = Math.floor((to - 1) / every) * every;
				const last = lastBetween(from, to);
				if (last !== undefined) return last;
				to = from;
			}
			return undefined;
		},
	};
}

/**
 * Returns the changes of all accounts that facts added to the log between two states. With labels, the names of
 * computers are preceded by the label of their account.
 */
export function newChangesBetween(
	before: State,
	after: State,
	labels: ReadonlyMap<string, string> = noLabels,
): readonly Change[] {
	return [...after.accounts].flatMap(([name, account]) => {
		const label = labels.get(name);
		const changes = changesBetween(before.accounts.get(name) ?? emptyAccount, account);
		return label === undefined
			? changes
			: changes.map(change => changeWithAccountName(label, change));
	});
}

const noLabels: ReadonlyMap<string, string> = new Map();
