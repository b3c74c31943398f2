import type { Clock } from '../../source/foundation/clock.ts';
import { createHeldClock } from '../held-clock.ts';

export type MovingClock = Clock & {
	/** Advances the clock by this much, runs each timer that is due, and lets promises settle in between. */
	live(milliseconds: number): Promise<void>;
	/** Simulates a sleep of the machine: time passes, and every timer fires that much later. */
	sleep(milliseconds: number): void;
	/** The milliseconds since the start, including sleep. Adjusting the clock does not change it. */
	elapsed(): number;
	/** The milliseconds since the start, without sleep. */
	lived(): number;
	/** Moves the wall clock by this much, forward or back. */
	adjust(milliseconds: number): void;
};

/** A clock for simulations, which advances thousands of times faster than real time. */
export function createMovingClock(): MovingClock {
	const clock = createHeldClock();
	const start = clock.monotonic();
	let slept = 0;
	const lived = () => clock.monotonic() - start - slept;

	return {
		now: clock.now,
		monotonic: clock.monotonic,
		after: clock.after,
		elapsed: () => lived() + slept,
		lived,
		async live(milliseconds) {
			const end = lived() + milliseconds;
			while (clock.moveToNext(end - lived())) await settled();
			clock.move(end - lived());
		},
		sleep(milliseconds) {
			slept += milliseconds;
			clock.sleep(milliseconds);
		},
		adjust: clock.jump,
	};
}

/** Resolves after pending promise callbacks have run. */
function settled(): Promise<void> {
	return new Promise(resolve => setImmediate(resolve));
}
