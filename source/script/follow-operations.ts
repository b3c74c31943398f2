import type { Clock } from '../fleet/clock.ts';
import { durationText } from '../fleet/duration.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Fleet } from './fleet.ts';
import type { Ending } from './outcome.ts';

type FollowOptions = {
	fleet: Pick<Fleet, 'session' | 'signal'>;
	clock: Clock;
	wishes: readonly OperationSpec[];
	ends: ReadonlyMap<string, Ending>;
	/** Until they have settled, and not only until the platform has taken them on. */
	isWaiting: boolean;
	/** Something more is known of it. */
	onEnd: (wish: OperationSpec, end: Ending) => void;
	/** So many of them are not over yet. */
	onLeft: (left: readonly OperationSpec[]) => void;
	say: (line: string) => void;
};

// Shorter waits are over before one has read of them.
const noticeable = 2_000;
const noticeEvery = 10_000;

/** Waits for what becomes of them: until all is over, or the command is ended. */
export function followOperations(parts: FollowOptions): Promise<'over' | 'ended'> {
	const { fleet, clock, wishes, ends, isWaiting, onEnd, onLeft, say } = parts;
	const { session, signal } = fleet;
	const told = new Map<string, Ending['result']>();
	let noticedAt = Number.NEGATIVE_INFINITY;

	function isOver(end: Ending | undefined) {
		return end !== undefined && end.result !== 'lost' && !(isWaiting && end.result === 'accepted');
	}

	function tellEnds() {
		for (const wish of wishes) {
			const end = ends.get(wish.key);
			if (!end || told.get(wish.key) === end.result) continue;
			told.set(wish.key, end.result);
			onEnd(wish, end);
		}
	}

	function tellWait() {
		const now = clock.now();
		if (now - noticedAt < noticeEvery) return;
		const waitingFor = session.operations.waiting();
		const turns = wishes
			.filter(({ key }) => !ends.has(key))
			.map(({ key }) => waitingFor(key))
			.flatMap(waiting => (waiting?.for === 'turn' ? [waiting.until - now] : []));
		const longest = Math.max(0, ...turns);
		if (longest < noticeable) return;
		noticedAt = now;
		say(`waiting for the rate limit: ${turns.length} to go, about ${durationText(longest)}`);
	}

	return new Promise(resolve => {
		const look = () => {
			tellEnds();
			const left = wishes.filter(({ key }) => !isOver(ends.get(key)));
			if (left.length === 0) return finish('over');
			tellWait();
			onLeft(left);
		};
		const onAbort = () => finish('ended');
		const endings = [session.store.subscribe(look), session.pace.subscribe(look)];
		signal.addEventListener('abort', onAbort, { once: true });
		const finish = (how: 'over' | 'ended') => {
			for (const end of endings) end();
			signal.removeEventListener('abort', onAbort);
			resolve(how);
		};
		if (signal.aborted) onAbort();
		else look();
	});
}
