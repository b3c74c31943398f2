import type { Clock, Ticker } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';
import type { ReplayAct } from '../keys/binding.ts';
import type { Timeline } from '../recording/timeline.ts';
import type { State } from '../store/state.ts';
import type { ReplayState } from '../wording/replay-text.ts';
import { createPlayhead, movePlayhead } from './replay-playhead.ts';

/** Plays a recording. It is the ticker of the screen, in the recording's time. */
export type Player = Ticker & {
	picture(): ReplayState;
	/** Returns a notice when the action is impossible. */
	act(act: ReplayAct): string | undefined;
	stop(): void;
};

type PlayerOptions = {
	timeline: Timeline;
	clock: Clock;
	/** Replaces the state of the fleet on screen. */
	show: (state: State) => void;
	from: number;
	speed: number;
	isPaused: boolean;
};

const second = 1000;
const speeds = [1, 4, 16, 60, 300];

// The shortest time between two frames; longer where bytes are expensive.
const minTickGaps = { second: 100, minute: second } as const;

/** One function, because every action and every tick changes the speed, the pause or the timer. */
export function createPlayer({ timeline, clock, show, ...begin }: PlayerOptions): Player {
	const playhead = createPlayhead(timeline, clock);
	const listeners = createListeners();
	let minGap: number = minTickGaps.second;
	let { speed, isPaused } = begin;
	let cancelTick: (() => void) | undefined;
	let picture = pictureNow();

	function pictureNow(): ReplayState {
		const { start, end } = playhead;
		return { time: playhead.time(), start, end, speed, isPaused, isOver: playhead.isAtEnd() };
	}

	const isRunning = () => !isPaused && !playhead.isAtEnd();

	function advance() {
		if (isRunning()) playhead.advance(speed);
	}

	function update() {
		picture = pictureNow();
		show(playhead.state());
		listeners.notify();
		scheduleTick();
	}

	function scheduleTick() {
		cancelTick?.();
		cancelTick = undefined;
		if (!isRunning() || listeners.isEmpty()) return;
		const untilSecond = second - (playhead.time() % second);
		const delay = Math.min(playhead.untilNextFact(), untilSecond) / speed;
		cancelTick = clock.after(Math.max(minGap, delay), () => {
			advance();
			update();
		});
	}

	function perform(act: ReplayAct): string | undefined {
		switch (act.do) {
			case 'pause':
				if (playhead.isAtEnd()) return 'The recording has ended: 0 starts it again';
				isPaused = !isPaused;
				// The time that passed during a pause must not count when it ends.
				playhead.ignoreElapsed();
				return undefined;
			case 'speed':
				speed = nextSpeed(speed, act.by);
				return undefined;
			case 'fact':
				isPaused = true;
				return movePlayhead(playhead, act);
			default:
				return movePlayhead(playhead, act);
		}
	}

	playhead.moveTo(begin.from);
	update();

	return {
		now: playhead.time,
		picture: () => picture,
		act(act) {
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
			minGap = minTickGaps[step];
		},
		stop() {
			listeners.clear();
			scheduleTick();
		},
	};
}

function nextSpeed(speed: number, by: 1 | -1): number {
	const others = speeds.filter(each => (by > 0 ? each > speed : each < speed));
	return (by > 0 ? others[0] : others.at(-1)) ?? speed;
}
