import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import type { Details, OperationApi, OperationRow } from './operation-row.ts';
import { operationTable } from './operation-table.ts';
import { type SendResult, sendOnce } from './send-once.ts';

/** One operation from its answer until its request is over. */
export type PendingOperation = {
	spec: OperationSpec;
	details: Details;
	/** Only what has not gone can be called off. */
	stage: 'grace' | 'queued' | 'trying' | 'gone';
	/** When its grace ends. */
	graceEndsAt: number;
	/** What is left of its grace while that is held. */
	heldGrace?: number;
	controller: AbortController;
	sentAt?: number;
	/** How often the rate limit has refused it. */
	rateLimitRefusals?: number;
	/** The store knows that it was asked for. */
	isVisible: boolean;
};

/** Those whose turn has not come, each scope by itself. */
export type Queue = {
	add(scope: OperationRow['scope'], runs: readonly PendingOperation[]): void;
	/** It had its turn, and goes first when the next one comes. */
	putBack(scope: OperationRow['scope'], run: PendingOperation): void;
	/** The next one. What was asked for singly does not wait for the rest of a batch. */
	take(scope: OperationRow['scope']): PendingOperation | undefined;
	/** How many are before it; -1 when it does not wait here. */
	placeOf(scope: OperationRow['scope'], run: PendingOperation): number;
	remove(runs: ReadonlySet<PendingOperation>): void;
};

export function createQueue(): Queue {
	const lines: Record<OperationRow['scope'], PendingOperation[]> = { create: [], other: [] };

	return {
		add(scope, runs) {
			const line = lines[scope];
			const firstOfBatch = line.findIndex(({ spec }) => spec.batch !== undefined);
			const isSingle = runs.every(({ spec }) => spec.batch === undefined);
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

/** Whether a request may go out now. An obstacle means that it makes no sense any more. */
export type SendPermission = 'go' | 'hold' | 'drop' | { obstacle: string };

/** Lets those that wait go out, a few at a time. */
export type Dispatch = {
	add(runs: readonly PendingOperation[]): void;
	/** Not done for now: it goes again, before the others. */
	putBack(run: PendingOperation): void;
	/** Called off, all at once. What has gone is past that. */
	remove(runs: ReadonlySet<PendingOperation>): void;
	/** Whether something may go has changed. */
	pump(): void;
	placeOf(run: PendingOperation): number;
};

type DispatchOptions = {
	platform: OperationApi;
	/** Asked when a run's turn here has come, and again when pace has let it through. */
	permitFor: (run: PendingOperation) => SendPermission;
	isBlocked: (scope: OperationRow['scope']) => boolean;
	onRefused: (run: PendingOperation, permit: Exclude<SendPermission, 'go' | 'hold'>) => void;
	onSent: (run: PendingOperation) => void;
	onEnd: (run: PendingOperation, end: SendResult) => void;
};

// Pace is where they wait; enough to fill its slots, and the rest stays here, where a later single one
// overtakes a batch. Creates go one by one: the list then tells what became of one that got lost.
const atOnce = { create: 1, other: 3 };

export function createDispatch(parts: DispatchOptions): Dispatch {
	const { platform, permitFor, isBlocked, onRefused, onSent, onEnd } = parts;
	const queue = createQueue();
	const busy = { create: 0, other: 0 };

	const scopeOf = ({ spec }: PendingOperation) => operationTable[spec.operation].scope;

	function pump() {
		for (const scope of ['create', 'other'] as const) {
			while (busy[scope] < atOnce[scope] && !isBlocked(scope)) {
				const run = queue.take(scope);
				if (!run) break;
				const permit = permitFor(run);
				if (permit === 'hold') {
					queue.putBack(scope, run);
					break;
				}
				if (permit === 'go') void go(run);
				else onRefused(run, permit);
			}
		}
	}

	async function go(run: PendingOperation) {
		const scope = scopeOf(run);
		const { spec, details } = run;
		run.stage = 'trying';
		run.controller = new AbortController();
		busy[scope] += 1;
		const end = await sendOnce({
			request: asking =>
				operationTable[spec.operation].request(platform, { ...details, ...spec }, asking),
			controller: run.controller,
			mayGo: () => permitFor(run) === 'go',
			onSent() {
				run.stage = 'gone';
				onSent(run);
			},
		}).finally(() => {
			busy[scope] -= 1;
		});
		onEnd(run, end);
		pump();
	}

	return {
		add(runs) {
			for (const scope of ['create', 'other'] as const) {
				const some = runs.filter(run => scopeOf(run) === scope);
				for (const run of some) run.stage = 'queued';
				if (some.length > 0) queue.add(scope, some);
			}
			pump();
		},
		putBack(run) {
			run.stage = 'queued';
			queue.putBack(scopeOf(run), run);
		},
		remove(runs) {
			queue.remove(runs);
			for (const run of runs) run.controller.abort();
		},
		pump,
		placeOf: run => queue.placeOf(scopeOf(run), run),
	};
}

/**
 * Of a very large batch the store is told only of those whose turn is near. Each that it knows makes
 * every change to it dearer, and thousands that are called off would push all else out of the log.
 */
export type VisibleQueue = {
	add(runs: readonly PendingOperation[]): void;
	/** Its turn has come: whatever happens to it next, it is known. */
	show(run: PendingOperation): void;
	/** One that was known waits no longer: the next one takes its place. */
	next(): void;
	/** Forgets those that nobody wants any more, and fills their places. */
	refill(): void;
	/** What the computers wait for of which the store does not know. */
	hidden(): ReadonlyMap<string, OperationId>;
};

const most = 500;

type VisibleQueueOptions = {
	isWaiting: (run: PendingOperation) => boolean;
	countWaiting: () => number;
	tell: (runs: readonly PendingOperation[]) => void;
};

export function createVisibleQueue({
	isWaiting,
	countWaiting,
	tell,
}: VisibleQueueOptions): VisibleQueue {
	let untold: readonly PendingOperation[] = [];

	function fill(places: number) {
		const next = untold.slice(0, Math.max(0, places));
		untold = untold.slice(next.length);
		for (const run of next) run.isVisible = true;
		if (next.length > 0) tell(next);
	}

	return {
		add(runs) {
			untold = [...untold, ...runs];
			fill(most - (countWaiting() - untold.length));
		},
		show(run) {
			if (run.isVisible) return;
			untold = [run, ...untold.filter(each => each !== run)];
			fill(1);
		},
		next: () => fill(1),
		refill() {
			untold = untold.filter(isWaiting);
			fill(most - (countWaiting() - untold.length));
		},
		hidden: () => new Map(untold.map(({ spec }) => [spec.computer ?? '', spec.operation])),
	};
}
