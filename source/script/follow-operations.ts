import type { Clock } from '../fleet/clock.ts';
import { durationText } from '../fleet/duration.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Fleet } from './fleet.ts';
import type { OperationResult } from './outcome.ts';

type FollowOptions = {
	fleet: Pick<Fleet, 'session' | 'signal'>;
	clock: Clock;
	specs: readonly OperationSpec[];
	/**
	 * The latest result of each operation, by the key of the operation. The map changes while the operations
	 * run.
	 */
	resultByKey: ReadonlyMap<string, OperationResult>;
	/**
	 * Whether to follow each operation until it is finished, instead of only until the platform has accepted
	 * it.
	 */
	waitsForEnd: boolean;
	onResult: (spec: OperationSpec, result: OperationResult) => void;
	/** Receives the operations that have not ended yet, whenever something has changed. */
	onRemaining: (remaining: readonly OperationSpec[]) => void;
	notify: (line: string) => void;
};

// A shorter wait is over before a person has read the notice about it.
const minNoticedWaitMs = 2_000;
const noticeIntervalMs = 10_000;

/** Resolves when all operations have ended, or when the command is interrupted. */
export function followOperations(options: FollowOptions): Promise<'over' | 'interrupted'> {
	const { fleet, clock, specs, resultByKey, waitsForEnd, onResult, onRemaining, notify } = options;
	const { session, signal } = fleet;
	const reported = new Map<string, OperationResult['stage']>();
	let noticedAt = Number.NEGATIVE_INFINITY;

	function isOver(result: OperationResult | undefined) {
		if (!result || result.stage === 'unknown') return false;
		return !(waitsForEnd && result.stage === 'accepted');
	}

	function reportResults() {
		for (const spec of specs) {
			const result = resultByKey.get(spec.key);
			if (!result || reported.get(spec.key) === result.stage) continue;
			reported.set(spec.key, result.stage);
			onResult(spec, result);
		}
	}

	function noticeRateLimit() {
		const now = clock.now();
		if (now - noticedAt < noticeIntervalMs) return;
		const waitingFor = session.operations.waitReasonsAt();
		const waits = specs
			.filter(({ key }) => !resultByKey.has(key))
			.map(({ key }) => waitingFor(key))
			.flatMap(waiting => (waiting?.type === 'turn' ? [waiting.until - now] : []));
		const longestWaitMs = Math.max(0, ...waits);
		if (longestWaitMs < minNoticedWaitMs) return;
		noticedAt = now;
		notify(
			`Waiting for the rate limit: ${waits.length} not sent yet, about ${durationText(longestWaitMs)} left`,
		);
	}

	return new Promise(resolve => {
		const update = () => {
			reportResults();
			const remaining = specs.filter(({ key }) => !isOver(resultByKey.get(key)));
			if (remaining.length === 0) return finish('over');
			noticeRateLimit();
			onRemaining(remaining);
		};
		const onAbort = () => finish('interrupted');
		const unsubscribe = [session.store.subscribe(update), session.pace.subscribe(update)];
		signal.addEventListener('abort', onAbort, { once: true });
		const finish = (reason: 'over' | 'interrupted') => {
			for (const each of unsubscribe) each();
			signal.removeEventListener('abort', onAbort);
			resolve(reason);
		};
		if (signal.aborted) onAbort();
		else update();
	});
}
