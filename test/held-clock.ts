import type { Clock } from '../source/fleet/clock.ts';

export type HeldClock = Clock & {
	/** Moves the time forward and makes every call that falls due meanwhile, in order. */
	move(milliseconds: number): void;
	/** Sets the clock forward or back, without a change to when waiting calls are made. */
	jump(milliseconds: number): void;
	/** Moves the time to the next call and makes it; returns false if none is due within that time. */
	moveToNext(within: number): boolean;
	/** The number of waiting calls. */
	readonly waiting: number;
};

export function createHeldClock(start = Date.UTC(2026, 10, 21, 8)): HeldClock {
	let now = start;
	let offset = 0;
	let calls: { due: number; call: () => void }[] = [];

	const nextBefore = (end: number) =>
		calls.reduce<(typeof calls)[number] | undefined>(
			(first, each) => (each.due <= end && (!first || each.due < first.due) ? each : first),
			undefined,
		);

	return {
		now: () => now + offset,
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
			offset += milliseconds;
		},
		get waiting() {
			return calls.length;
		},
	};
}
