import type { Clock } from '../fleet/clock.ts';
import { durationText } from '../fleet/duration.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Fleet } from './fleet.ts';
import type { Ending } from './outcome.ts';

type FollowOptions = {
	fleet: Pick<Fleet, 'session' | 'signal'>;
	clock: Clock;
	specs: readonly OperationSpec[];
	/** How far each operation has come, by its key; updated while the operations run. */
	endings: ReadonlyMap<string, Ending>;
	/**
	 * Whether to follow each operation until it is finished, instead of only until the platform has accepted
	 * it.
	 */
	waitsForEnd: boolean;
	onEnding: (spec: OperationSpec, ending: Ending) => void;
	/** Receives the operations that have not ended yet. */
	onRemaining: (left: readonly OperationSpec[]) => void;
	notify: (line: string) => void;
};

// A shorter wait ends before a person has read the notice.
const noticeableWait = 2_000;
const noticeInterval = 10_000;

/** Resolves when all operations have ended, or when the command is interrupted. */
export function followOperations(options: FollowOptions): Promise<'over' | 'interrupted'> {
	const { fleet, clock, specs, endings, waitsForEnd, onEnding, onRemaining, notify } = options;
	const { session, signal } = fleet;
	const reported = new Map<string, Ending['result']>();
	let noticedAt = Number.NEGATIVE_INFINITY;

	function isOver(ending: Ending | undefined) {
		if (!ending || ending.result === 'lost') return false;
		return !(waitsForEnd && ending.result === 'accepted');
	}

	function reportEndings() {
		for (const spec of specs) {
			const ending = endings.get(spec.key);
			if (!ending || reported.get(spec.key) === ending.result) continue;
			reported.set(spec.key, ending.result);
			onEnding(spec, ending);
		}
	}

	function noticeRateLimit() {
		const now = clock.now();
		if (now - noticedAt < noticeInterval) return;
		const waitingFor = session.operations.waiting();
		const waits = specs
			.filter(({ key }) => !endings.has(key))
			.map(({ key }) => waitingFor(key))
			.flatMap(waiting => (waiting?.for === 'turn' ? [waiting.until - now] : []));
		const longest = Math.max(0, ...waits);
		if (longest < noticeableWait) return;
		noticedAt = now;
		notify(
			`Waiting for the rate limit: ${waits.length} not sent yet, about ${durationText(longest)} left`,
		);
	}

	return new Promise(resolve => {
		const update = () => {
			reportEndings();
			const left = specs.filter(({ key }) => !isOver(endings.get(key)));
			if (left.length === 0) return finish('over');
			noticeRateLimit();
			onRemaining(left);
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
