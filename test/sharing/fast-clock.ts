import type { Clock } from '../../source/foundation/clock.ts';

/** How many times as fast as real time the clock runs; the same in all processes of a test. */
export const speed = process.env['TEST_KILLS'] === undefined ? 8 : 4;

/** A clock that runs faster in all processes, so that a test waits less for polls and heartbeats. */
export function createFastClock(): Clock {
	return {
		now: () => Date.now() * speed,
		monotonic: () => performance.now() * speed,
		after(milliseconds, call) {
			const timer = setTimeout(call, milliseconds / speed);
			return () => clearTimeout(timer);
		},
	};
}
