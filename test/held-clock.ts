import type { Clock } from '../source/fleet/clock.ts';

export type HeldClock = Clock & {
	/** Moves time on and makes every call that falls due on the way, in order. */
	move(milliseconds: number): void;
	/** Sets it on, or back; what waits goes on waiting as long as it would have. */
	jump(milliseconds: number): void;
	/** Moves time on to the next call and makes it; false when none is due so soon. */
	moveToNext(within: number): boolean;
	/** How many calls wait. */
	readonly waiting: number;
};

export function createHeldClock(start = Date.UTC(2026, 10, 21, 8)): HeldClock {
	let now = start;
	let set = 0;
	let calls: { due: number; call: () => void }[] = [];

	const nextBefore = (end: number) =>
		calls.reduce<(typeof calls)[number] | undefined>(
			(first, each) => (each.due <= end && (!first || each.due < first.due) ? each : first),
			undefined,
		);

	return {
		now: () => now + set,
		after(milliseconds, call) {
			const entry = { due: now + Math.max(0, milliseconds), call };
			calls.push(entry);
			return () => {
				calls = calls.filter(each => each !== entry);
			};
		},
		move(milliseconds) {
			const end = now + milliseconds;
			for (let next = nextBefore(end); next; next = nextBefore(end)) {
				const { due, call } = next;
				calls = calls.filter(each => each !== next);
				now = Math.max(now, due);
				call();
			}
			now = end;
		},
		moveToNext(within) {
			const next = nextBefore(now + within);
			if (next) this.move(next.due - now);
			return next !== undefined;
		},
		jump(milliseconds) {
			set += milliseconds;
		},
		get waiting() {
			return calls.length;
		},
	};
}
