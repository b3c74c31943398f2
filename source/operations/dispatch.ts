import { type Attempt, attempt } from './attempt.ts';
import { operations } from './operations.ts';
import { createQueue, type Run } from './queue.ts';
import type { Doer, OperationRule } from './rule.ts';

/** Whether a request may go out now. An obstacle means that it makes no sense any more. */
export type Permit = 'go' | 'hold' | 'drop' | { obstacle: string };

/** Lets those that wait go out, a few at a time. */
export type Dispatch = {
	add(runs: readonly Run[]): void;
	/** Not done for now: it goes again, before the others. */
	putBack(run: Run): void;
	/** Called off, all at once. What has gone is past that. */
	remove(runs: ReadonlySet<Run>): void;
	/** Whether something may go has changed. */
	pump(): void;
	placeOf(run: Run): number;
};

type Parts = {
	platform: Doer;
	/** Asked when a run's turn here has come, and again when pace has let it through. */
	permitFor: (run: Run) => Permit;
	isBlocked: (scope: OperationRule['scope']) => boolean;
	onRefused: (run: Run, permit: Exclude<Permit, 'go' | 'hold'>) => void;
	onSent: (run: Run) => void;
	onEnd: (run: Run, end: Attempt) => void;
};

// Pace is where they wait; enough to fill its slots, and the rest stays here, where a later single one
// overtakes a batch. Creates go one by one: the list then tells what became of one that got lost.
const atOnce = { create: 1, other: 3 };

export function createDispatch(parts: Parts): Dispatch {
	const { platform, permitFor, isBlocked, onRefused, onSent, onEnd } = parts;
	const queue = createQueue();
	const busy = { create: 0, other: 0 };

	const scopeOf = ({ wish }: Run) => operations[wish.operation].scope;

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

	async function go(run: Run) {
		const scope = scopeOf(run);
		const { wish, details } = run;
		run.stage = 'trying';
		run.controller = new AbortController();
		busy[scope] += 1;
		const end = await attempt({
			request: asking =>
				operations[wish.operation].request(platform, { ...details, ...wish }, asking),
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
