import type { Clock, Ticker } from '../../foundation/clock.ts';
import { createListeners } from '../../foundation/listeners.ts';
import type { Timeline } from '../../recording/timeline.ts';
import type { State } from '../../store/state.ts';
import type { ReplayAction, ReplayControl, ReplayState } from '../../views/scene.ts';
import { createPlayhead, movePlayhead } from './replay-playhead.ts';

/**
 * Plays a recording. The screen uses the player as its ticker, so that the screen shows the time of the
 * recording.
 */
export type ReplayPlayer = Ticker & ReplayControl & { stop(): void };

type ReplayPlayerOptions = {
	timeline: Timeline;
	clock: Clock;
	/** Shows a state of the recording on the screen. */
	showState: (state: State) => void;
	startTime: number;
	speed: number;
	isPaused: boolean;
};

const secondMs = 1000;
const replaySpeeds = [1, 4, 16, 60, 300];

// The shortest times between two frames. The screen ticks by the minute with --low-bandwidth.
const minTickIntervalsMs = { second: 100, minute: secondMs } as const;

/** Creates a player. */
export function createPlayer({
	timeline,
	clock,
	showState,
	...initialOptions
}: ReplayPlayerOptions): ReplayPlayer {
	const playhead = createPlayhead(timeline, clock);
	const listeners = createListeners();
	let minTickGapMs: number = minTickIntervalsMs.second;
	let { speed, isPaused } = initialOptions;
	let cancelTick: (() => void) | undefined;
	let replayState = currentReplayState();

	function currentReplayState(): ReplayState {
		const { start, end } = playhead;
		return { time: playhead.time(), start, end, speed, isPaused, isOver: playhead.isAtEnd() };
	}

	const isRunning = () => !isPaused && !playhead.isAtEnd();

	function advance() {
		if (isRunning()) playhead.advance(speed);
	}

	function update() {
		replayState = currentReplayState();
		showState(playhead.state());
		listeners.notify();
		scheduleTick();
	}

	function scheduleTick() {
		cancelTick?.();
		cancelTick = undefined;
		if (!isRunning() || listeners.isEmpty()) return;
		const untilSecondMs = secondMs - (playhead.time() % secondMs);
		const delayMs = Math.min(playhead.untilNextFact(), untilSecondMs) / speed;
		cancelTick = clock.after(Math.max(minTickGapMs, delayMs), () => {
			advance();
			update();
		});
	}

	function perform(act: ReplayAction): string | undefined {
		switch (act.type) {
			case 'pause':
				if (playhead.isAtEnd()) return 'The recording has ended: 0 starts it again';
				isPaused = !isPaused;
				// The replay must not skip the time that has passed during a pause.
				playhead.ignoreElapsed();
				return undefined;
			case 'speed':
				speed = nextSpeed(speed, act.direction);
				return undefined;
			case 'fact':
				isPaused = true;
				return movePlayhead(playhead, act);
			default:
				return movePlayhead(playhead, act);
		}
	}

	playhead.moveTo(initialOptions.startTime);
	update();

	return {
		now: playhead.time,
		replayState: () => replayState,
		perform(act) {
			advance();
			const notice = perform(act);
			update();
			return notice;
		},
		subscribe(call) {
			if (listeners.isEmpty()) playhead.ignoreElapsed();
			const unsubscribe = listeners.subscribe(call);
			scheduleTick();
			return () => {
				unsubscribe();
				scheduleTick();
			};
		},
		setStep(step) {
			minTickGapMs = minTickIntervalsMs[step];
		},
		stop() {
			listeners.clear();
			scheduleTick();
		},
	};
}

function nextSpeed(speed: number, direction: 1 | -1): number {
	const candidates = replaySpeeds.filter(candidate =>
		direction > 0 ? candidate > speed : candidate < speed,
	);
	return (direction > 0 ? candidates[0] : candidates.at(-1)) ?? speed;
}
