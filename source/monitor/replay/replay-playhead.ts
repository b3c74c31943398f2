import type { Clock } from '../../foundation/clock.ts';
import type { Timeline } from '../../recording/timeline.ts';
import type { ReplayAction } from '../../views/scene.ts';

type Playhead = ReturnType<typeof createPlayhead>;

// The most time that one tick may advance. More elapsed time means that the program was suspended.
const maxStepMs = 1500;

// The most time that one tick may spend on folding facts. If there are more facts, the replay falls behind, so that
// keys are still answered.
const maxFoldMs = 50;

/**
 * Creates the playhead: the position of a replay in its recording. The position is a time and the number of
 * facts up to it, because several facts may have the same time.
 */
export function createPlayhead(timeline: Timeline, clock: Clock) {
	const [start, end] = [timeline.timeOfFact(1), timeline.timeOfFact(timeline.factCount)];
	const minCount = timeline.factCountAt(start);
	let time = start;
	let count = minCount;
	let movedAt = clock.now();

	const clampedTime = (to: number) => Math.max(start, Math.min(to, end));

	function setPosition(nextTime: number, nextCount = timeline.factCountAt(nextTime)) {
		time = nextTime;
		count = nextCount;
		movedAt = clock.now();
	}

	return {
		start,
		end,
		time: () => time,
		count: () => count,
		isAtEnd: () => count === timeline.factCount,
		state: () => timeline.stateAfter(count),
		untilNextFact: () => timeline.timeOfFact(count + 1) - time,
		/** The positions, as numbers of facts, of the next and the previous log line. */
		nextChange: () => timeline.factCountAtNextChange(count),
		lastChange: () => timeline.factCountAtPreviousChange(count),
		moveTo(to: number) {
			setPosition(clampedTime(to));
		},
		/** Moves to a number of facts. Returns false if the recording does not have that many. */
		stepTo(next: number | undefined): boolean {
			if (next === undefined || next < minCount || next > timeline.factCount) return false;
			setPosition(timeline.timeOfFact(next), next);
			return true;
		},
		/** Advances by the time since the last tick, or by less if folding the facts takes too long. */
		advance(speed: number) {
			const startedAt = clock.now();
			const elapsed = Math.max(0, Math.min(startedAt - movedAt, maxStepMs));
			const to = clampedTime(time + elapsed * speed);
			const dueCount = Math.max(count, timeline.factCountAt(to));
			let next = count;
			while (next < dueCount && clock.now() - startedAt < maxFoldMs) {
				next += 1;
				timeline.stateAfter(next);
			}
			setPosition(next < dueCount ? timeline.timeOfFact(next) : to, next);
		},
		/** Keeps the position although time has passed since the last move. */
		ignoreElapsed() {
			movedAt = clock.now();
		},
	};
}

type PlayheadAction = Exclude<ReplayAction, { type: 'pause' | 'speed' }>;

/** Moves the playhead. Returns a notice if the recording has nothing in that direction. */
export function movePlayhead(playhead: Playhead, action: PlayheadAction): string | undefined {
	switch (action.type) {
		case 'fact':
			if (playhead.stepTo(playhead.count() + action.direction)) return undefined;
			return action.direction > 0
				? 'This is the end of the recording'
				: 'This is the start of the recording';
		case 'change':
			if (playhead.stepTo(action.direction > 0 ? playhead.nextChange() : playhead.lastChange()))
				return undefined;
			return action.direction > 0 ? 'No later log line' : 'No earlier log line';
		case 'jump':
			playhead.moveTo(playhead.time() + action.durationMs);
			return undefined;
		case 'end':
			playhead.moveTo(action.edge === 'first' ? playhead.start : playhead.end);
			return undefined;
	}
}
