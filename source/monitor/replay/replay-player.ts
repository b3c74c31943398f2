import type { Clock, Ticker } from '../../foundation/clock.ts';
import { createListeners } from '../../foundation/listeners.ts';
import type { Timeline } from '../../journal/timeline.ts';
import type { State } from '../../store/state.ts';
import type { ReplayAction, ReplayControl, ReplayState } from '../../views/scene.ts';

/** Plays a recording. The screen uses the player as its ticker, so that it shows the time of the recording. */
export type ReplayPlayer = Ticker & ReplayControl & { stop(): void };

type ReplayPlayerOptions = {
	timeline: Timeline;
	clock: Clock;
	showState: (state: State) => void;
	startTime: number;
	speed: number;
	isPaused: boolean;
};

const secondMs = 1000;
const replaySpeeds = [1, 4, 16, 60, 300];

/** The shortest times between two frames. The screen ticks by the minute with --low-bandwidth. */
const minTickIntervalsMs = { second: 100, minute: secondMs } as const;

/** The most time that one tick may advance. More elapsed time means that the program was suspended. */
const maxStepMs = 1500;

/** The most time that one tick may spend on facts. If there are more, the replay falls behind and keys are still answered. */
const maxFoldMs = 50;

export function createPlayer(options: ReplayPlayerOptions): ReplayPlayer {
	const { timeline, clock, showState } = options;
	const start = timeline.timeOfFact(1);
	const end = timeline.timeOfFact(timeline.factCount);
	const minCount = timeline.factCountAt(start);
	const listeners = createListeners();
	let { speed, isPaused } = options;
	let minTickMs: number = minTickIntervalsMs.second;
	let cancelTick = () => {};
	// The position is a time and the number of facts up to it, because several facts may have the same time.
	let time = start;
	let count = minCount;
	let movedAt = clock.now();
	moveTo(options.startTime);
	let replayState = currentState();

	const isOver = () => count === timeline.factCount;

	function currentState(): ReplayState {
		return { time, start, end, speed, isPaused, isOver: count === timeline.factCount };
	}

	function moveTo(to: number, toCount?: number) {
		time = Math.max(start, Math.min(to, end));
		count = toCount ?? timeline.factCountAt(time);
		movedAt = clock.now();
	}

	function stepTo(next: number | undefined, notice: string): string | undefined {
		if (next === undefined || next < minCount || next > timeline.factCount) return notice;
		moveTo(timeline.timeOfFact(next), next);
		return undefined;
	}

	/** Advances by the time since the last tick, or by less if folding the facts takes too long. */
	function advance() {
		if (isPaused || isOver()) return;
		const startedAt = clock.now();
		const elapsed = Math.max(0, Math.min(startedAt - movedAt, maxStepMs));
		const to = Math.min(time + elapsed * speed, end);
		const dueCount = timeline.factCountAt(to);
		let next = count;
		while (next < dueCount && clock.now() - startedAt < maxFoldMs) {
			next += 1;
			timeline.stateAfter(next);
		}
		moveTo(next < dueCount ? timeline.timeOfFact(next) : to, next);
	}

	function update() {
		replayState = currentState();
		showState(timeline.stateAfter(count));
		listeners.notify();
		scheduleTick();
	}

	function scheduleTick() {
		cancelTick();
		if (isPaused || isOver() || listeners.isEmpty()) return;
		const untilNextFact = timeline.timeOfFact(count + 1) - time;
		const delayMs = Math.min(untilNextFact, secondMs - (time % secondMs)) / speed;
		cancelTick = clock.after(Math.max(minTickMs, delayMs), () => {
			advance();
			update();
		});
	}

	function perform(action: ReplayAction): string | undefined {
		switch (action.type) {
			case 'pause':
				if (isOver()) return 'The recording has ended: 0 starts it again';
				isPaused = !isPaused;
				// The time that has passed during a pause is not skipped.
				movedAt = clock.now();
				return undefined;
			case 'speed':
				speed = nextSpeed(speed, action.direction);
				return undefined;
			case 'fact':
				isPaused = true;
				return action.direction > 0
					? stepTo(count + 1, 'This is the end of the recording')
					: stepTo(count - 1, 'This is the start of the recording');
			case 'change':
				return action.direction > 0
					? stepTo(timeline.factCountAtNextChange(count), 'No later log line')
					: stepTo(timeline.factCountAtPreviousChange(count), 'No earlier log line');
			case 'jump':
				moveTo(time + action.durationMs);
				return undefined;
			case 'end':
				moveTo(action.edge === 'first' ? start : end);
				return undefined;
		}
	}

	update();
	return {
		now: () => time,
		replayState: () => replayState,
		perform(action) {
			advance();
			const notice = perform(action);
			update();
			return notice;
		},
		subscribe(call) {
			if (listeners.isEmpty()) movedAt = clock.now();
			const unsubscribe = listeners.subscribe(call);
			scheduleTick();
			return () => {
				unsubscribe();
				scheduleTick();
			};
		},
		setStep(step) {
			minTickMs = minTickIntervalsMs[step];
		},
		stop() {
			listeners.clear();
			scheduleTick();
		},
	};
}

function nextSpeed(speed: number, direction: 1 | -1): number {
	return direction > 0
		? (replaySpeeds.find(each => each > speed) ?? speed)
		: (replaySpeeds.findLast(each => each < speed) ?? speed);
}
