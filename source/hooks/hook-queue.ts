import type { Hook } from '../accounts/hook-settings.ts';
import type { Clock } from '../foundation/clock.ts';
import type { HookEvent } from './hook-event.ts';

type HookQueueOptions = Pick<Hook, 'cooldownMs' | 'maxRunning'> & {
	clock: Clock;
	/** Runs the hook. Never rejects. */
	run: (event: HookEvent) => Promise<void>;
	/** Called with the events that were dropped because too many events had waited for too long. */
	onDrop: (events: readonly HookEvent[]) => void;
};

// Beyond this number, events that have waited for longer than a minute are dropped.
const maxWaiting = 1_000;
const keptMs = 60_000;
const dropIntervalMs = 1_000;

/** Identifies the computer, operation or account that an event is about. */
export const queueKeyOf = ({ account, kind, edge }: HookEvent) =>
	JSON.stringify([account, kind, edge.subject]);

/**
 * Starts the runs of one hook: a few at the same time, and none for the same computer before its cooldown has passed.
 * Other events wait. A later event of the same computer takes the place of the one that waits, so no more events wait
 * than there are computers.
 */
export function createHookQueue({ cooldownMs, maxRunning, clock, run, onDrop }: HookQueueOptions) {
	const waiting = new Map<string, { event: HookEvent; since: number }>();
	/** When the hook was started for a subject, in order of time, until the cooldown has passed. */
	const startedAt = new Map<string, number>();
	let runningCount = 0;
	/** When the queue was last searched for events to drop. */
	let searchedAt = 0;
	let cancelTimer = () => {};

	function schedule(delayMs: number) {
		cancelTimer();
		cancelTimer = clock.after(delayMs, startWaiting);
	}

	/** A start in the future was noted before the clock was set back. */
	function forgetOldStarts(now: number) {
		for (const [key, at] of startedAt) {
			if (now - at < cooldownMs && at <= now) break;
			startedAt.delete(key);
		}
	}

	function startWaiting() {
		cancelTimer();
		const now = clock.now();
		forgetOldStarts(now);
		let nextAt = Number.POSITIVE_INFINITY;
		for (const [key, { event }] of waiting) {
			if (runningCount >= maxRunning) break;
			const at = startedAt.get(key);
			if (at !== undefined) {
				nextAt = Math.min(nextAt, at + cooldownMs);
				continue;
			}
			waiting.delete(key);
			startedAt.set(key, now);
			start(event);
		}
		dropOld(now);
		// If as many runs as allowed are under way, no timer is needed, because the end of a run starts the next one.
		if (runningCount < maxRunning && nextAt < Number.POSITIVE_INFINITY) schedule(nextAt - now);
	}

	function start(event: HookEvent) {
		runningCount += 1;
		void run(event).then(() => {
			runningCount -= 1;
			startWaiting();
		});
	}

	function dropOld(now: number) {
		// Searching all events after every run would take longer than the runs.
		if (waiting.size <= maxWaiting || Math.abs(now - searchedAt) < dropIntervalMs) return;
		searchedAt = now;
		const dropped: HookEvent[] = [];
		for (const [key, { event, since }] of waiting) {
			if (waiting.size <= maxWaiting) break;
			if (now - since <= keptMs) continue;
			waiting.delete(key);
			dropped.push(event);
		}
		if (dropped.length > 0) onDrop(dropped);
	}

	return {
		/** Adds events. The first runs begin in a moment, because the caller may be folding a fact. */
		add(events: readonly HookEvent[]) {
			const since = clock.now();
			for (const event of events) {
				const key = queueKeyOf(event);
				const replaced = waiting.get(key)?.event;
				const merged = event.merged + (replaced ? replaced.merged + 1 : 0);
				waiting.set(key, { event: { ...event, merged }, since });
			}
			if (events.length > 0) schedule(0);
		},
		/** Forgets the waiting events of an account, because another process runs its hooks now. */
		forget(account: string) {
			for (const [key, { event }] of waiting) if (event.account === account) waiting.delete(key);
		},
		close() {
			cancelTimer();
			waiting.clear();
		},
	};
}
