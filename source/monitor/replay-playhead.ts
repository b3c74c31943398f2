import type { Clock } from '../fleet/clock.ts';
import type { ReplayAction } from '../keys/binding.ts';
import type { Timeline } from '../recording/timeline.ts';

export type Playhead = ReturnType<typeof createPlayhead>;

// A longer pause means that the program was suspended; the replay continues where it was.
const maxStepMs = 1500;

// Folding many facts takes time. After this long, keys are answered first and the replay falls behind.
const maxFoldMs = 50;

/**
 * The place in a recording that is shown: its time, and how many facts have happened by then. Several facts
 * may have one time, so the time alone does not say which of them have happened.
 */
export function createPlayhead(timeline: Timeline, clock: Clock) {
	const [start, end] = [timeline.timeOf(1), timeline.timeOf(timeline.length)];
	const minCount = timeline.countAt(start);
	let time = start;
	let count = minCount;
	let movedAt = clock.now();

	const clampedTime = (to: number) => Math.max(start, Math.min(to, end));

	function setPosition(nextTime: number, nextCount = timeline.countAt(nextTime)) {
		time = nextTime;
		count = nextCount;
		movedAt = clock.now();
	}

	return {
		start,
		end,
		time: () => time,
		count: () => count,
		isAtEnd: () => count === timeline.length,
		state: () => timeline.after(count),
		untilNextFact: () => timeline.timeOf(count + 1) - time,
		/** The numbers of facts after which the log grew next, and last. */
		nextChange: () => timeline.nextChange(count),
		lastChange: () => timeline.lastChange(count),
		moveTo(to: number) {
			setPosition(clampedTime(to));
		},
		/** Returns false where the recording does not have this many facts. */
		stepTo(next: number | undefined): boolean {
			if (next === undefined || next < minCount || next > timeline.length) return false;
			setPosition(timeline.timeOf(next), next);
			return true;
		},
		/** Advances by the elapsed time, or by as much as the time limit for folding allows. */
		advance(speed: number) {
			const startedAt = clock.now();
			const elapsed = Math.max(0, Math.min(startedAt - movedAt, maxStepMs));
			const to = clampedTime(time + elapsed * speed);
			const dueCount = Math.max(count, timeline.countAt(to));
			let next = count;
			while (next < dueCount && clock.now() - startedAt < maxFoldMs) {
				next += 1;
				timeline.after(next);
			}
			setPosition(next < dueCount ? timeline.timeOf(next) : to, next);
		},
		/** Ignores the time that has passed until now. */
		ignoreElapsed() {
			movedAt = clock.now();
		},
	};
}

type PlayheadAct = Exclude<ReplayAction, { type: 'pause' | 'speed' }>;

/** Returns a notice where there is nothing to move to. */
export function movePlayhead(playhead: Playhead, act: PlayheadAct): string | undefined {
	switch (act.type) {
		case 'fact':
			if (playhead.stepTo(playhead.count() + act.by)) return undefined;
			return act.by > 0 ? 'This is the end of the recording' : 'This is the start of the recording';
		case 'change':
			if (playhead.stepTo(act.by > 0 ? playhead.nextChange() : playhead.lastChange()))
				return undefined;
			return act.by > 0 ? 'No later log line' : 'No earlier log line';
		case 'jump':
			playhead.moveTo(playhead.time() + act.by);
			return undefined;
		case 'end':
			playhead.moveTo(act.edge === 'first' ? playhead.start : playhead.end);
			return undefined;
	}
}
