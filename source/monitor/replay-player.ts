import type { Clock, Ticker } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';
import type { ReplayAct } from '../keys/binding.ts';
import type { Timeline } from '../recording/timeline.ts';
import type { State } from '../store/state.ts';
import type { ReplayState } from '../wording/replay-text.ts';

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

// A longer pause means that the program was suspended; the replay continues where it was.
const maxStep = 1.5 * second;

// Folding many facts takes time. After this long, keys are answered first and the replay falls behind.
const maxFoldTime = 50;

export function createPlayer({ timeline, clock, show, ...begin }: PlayerOptions): Player {
	const [start, end] = [timeline.timeOf(1), timeline.timeOf(timeline.length)];
	const least = timeline.countAt(start);
	const listeners = createListeners();
	let gap: number = minTickGaps.second;
	let { speed, isPaused } = begin;
	let time = start;
	let count = least;
	let shownAt = clock.now();
	let callOff: (() => void) | undefined;
	let picture = pictureNow();

	function pictureNow(): ReplayState {
		return { time, start, end, speed, isPaused, isOver: count === timeline.length };
	}

	function move(next: number, nextCount = timeline.countAt(next)) {
		time = next;
		count = nextCount;
		shownAt = clock.now();
	}

	function tell() {
		picture = pictureNow();
		show(timeline.after(count));
		listeners.notify();
		wait();
	}

	const within = (wanted: number) => Math.max(start, Math.min(wanted, end));
	const isRunning = () => !isPaused && count < timeline.length;

	/** Advances by the elapsed time, or by as much as the time limit allows. */
	function goOn() {
		if (!isRunning()) return;
		const began = clock.now();
		const passed = Math.max(0, Math.min(began - shownAt, maxStep));
		const wanted = within(time + passed * speed);
		const due = Math.max(count, timeline.countAt(wanted));
		let next = count;
		while (next < due && clock.now() - began < maxFoldTime) {
			next += 1;
			timeline.after(next);
		}
		move(next < due ? timeline.timeOf(next) : wanted, next);
	}

	function wait() {
		callOff?.();
		callOff = undefined;
		if (!isRunning() || listeners.isEmpty()) return;
		const untilFact = timeline.timeOf(count + 1) - time;
		const untilSecond = second - (time % second);
		const delay = Math.min(untilFact, untilSecond) / speed;
		callOff = clock.after(Math.max(gap, delay), () => {
			goOn();
			tell();
		});
	}

	function step(next: number | undefined, nothing: string): string | undefined {
		if (next === undefined || next < least || next > timeline.length) return nothing;
		move(timeline.timeOf(next), next);
		return undefined;
	}

	function speedBeside(by: 1 | -1): number {
		const others = speeds.filter(each => (by > 0 ? each > speed : each < speed));
		return (by > 0 ? others[0] : others.at(-1)) ?? speed;
	}

	function done(wanted: ReplayAct): string | undefined {
		switch (wanted.do) {
			case 'pause':
				if (count === timeline.length) return 'The recording has ended: 0 starts it again';
				isPaused = !isPaused;
				// The time that passed during a pause must not count when it ends.
				shownAt = clock.now();
				return undefined;
			case 'speed':
				speed = speedBeside(wanted.by);
				return undefined;
			case 'fact':
				isPaused = true;
				return step(count + wanted.by, wanted.by > 0 ? 'This is the end' : 'This is the start');
			case 'change':
				return wanted.by > 0
					? step(timeline.nextChange(count), 'No later log line')
					: step(timeline.lastChange(count), 'No earlier log line');
			case 'jump':
				move(within(time + wanted.by));
				return undefined;
			case 'end':
				move(wanted.which === 'first' ? start : end);
				return undefined;
		}
	}

	move(within(begin.from));
	tell();

	return {
		now: () => time,
		picture: () => picture,
		act(wanted) {
			goOn();
			const notice = done(wanted);
			tell();
			return notice;
		},
		subscribe(call) {
			if (listeners.isEmpty()) shownAt = clock.now();
			const unsubscribe = listeners.subscribe(call);
			wait();
			return () => {
				unsubscribe();
				wait();
			};
		},
		setStep(step) {
			gap = minTickGaps[step];
		},
		stop() {
			listeners.clear();
			wait();
		},
	};
}
