import type { Wish } from '../fleet/fact.ts';
import type { Details, OperationRule } from './rule.ts';

/** One operation from its answer until its request is over. */
export type Run = {
	wish: Wish;
	details: Details;
	/** Only what has not gone can be called off. */
	stage: 'grace' | 'queued' | 'trying' | 'gone';
	/** When its grace ends. */
	until: number;
	/** What is left of its grace while that is held. */
	heldWith?: number;
	controller: AbortController;
	sentAt?: number;
	/** How often the rate limit has refused it. */
	refusals?: number;
	/** The store knows that it was asked for. */
	isTold: boolean;
};

/** Those whose turn has not come, each scope by itself. */
export type Queue = {
	add(scope: OperationRule['scope'], runs: readonly Run[]): void;
	/** It had its turn, and goes first when the next one comes. */
	putBack(scope: OperationRule['scope'], run: Run): void;
	/** The next one. What was asked for singly does not wait for the rest of a batch. */
	take(scope: OperationRule['scope']): Run | undefined;
	/** How many are before it; -1 when it does not wait here. */
	placeOf(scope: OperationRule['scope'], run: Run): number;
	remove(runs: ReadonlySet<Run>): void;
};

export function createQueue(): Queue {
	const lines: Record<OperationRule['scope'], Run[]> = { create: [], other: [] };

	return {
		add(scope, runs) {
			const line = lines[scope];
			const firstOfBatch = line.findIndex(({ wish }) => wish.batch !== undefined);
			const isSingle = runs.every(({ wish }) => wish.batch === undefined);
			lines[scope] =
				isSingle && firstOfBatch >= 0
					? [...line.slice(0, firstOfBatch), ...runs, ...line.slice(firstOfBatch)]
					: [...line, ...runs];
		},
		putBack(scope, run) {
			lines[scope].unshift(run);
		},
		take: scope => lines[scope].shift(),
		placeOf: (scope, run) => lines[scope].indexOf(run),
		remove(runs) {
			for (const scope of ['create', 'other'] as const) {
				lines[scope] = lines[scope].filter(run => !runs.has(run));
			}
		},
	};
}
