import type { OperationId } from '../fleet/fact.ts';
import type { Run } from './queue.ts';

/**
 * Of a very large batch the store is told only of those whose turn is near. Each that it knows makes
 * every change to it dearer, and thousands that are called off would push all else out of the log.
 */
export type Ahead = {
	add(runs: readonly Run[]): void;
	/** Its turn has come: whatever happens to it next, it is known. */
	ensure(run: Run): void;
	/** One that was known waits no longer: the next one takes its place. */
	next(): void;
	/** Forgets those that nobody wants any more, and fills their places. */
	refill(): void;
	/** What the computers wait for of which the store does not know. */
	untold(): ReadonlyMap<string, OperationId>;
};

const most = 500;

type Parts = {
	isWaiting: (run: Run) => boolean;
	countWaiting: () => number;
	tell: (runs: readonly Run[]) => void;
};

export function createAhead({ isWaiting, countWaiting, tell }: Parts): Ahead {
	let untold: readonly Run[] = [];

	function fill(places: number) {
		const next = untold.slice(0, Math.max(0, places));
		untold = untold.slice(next.length);
		for (const run of next) run.isTold = true;
		if (next.length > 0) tell(next);
	}

	return {
		add(runs) {
			untold = [...untold, ...runs];
			fill(most - (countWaiting() - untold.length));
		},
		ensure(run) {
			if (run.isTold) return;
			untold = [run, ...untold.filter(each => each !== run)];
			fill(1);
		},
		next: () => fill(1),
		refill() {
			untold = untold.filter(isWaiting);
			fill(most - (countWaiting() - untold.length));
		},
		untold: () => new Map(untold.map(({ wish }) => [wish.computer ?? '', wish.operation])),
	};
}
