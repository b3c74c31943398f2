import type { Clock } from '../source/foundation/clock.ts';

export type HeldClock = Clock & {
	/** Moves the time forward, and runs every timer that falls due in that time, in order. */
	move(milliseconds: number): void;
	/** Sets the clock forward or back, as a person does. Timers still run after the same delay. */
	jump(milliseconds: number): void;
	/** Puts the machine to sleep for that time, in which no timer runs. */
	sleep(milliseconds: number): void;
	/** Moves the time to the next timer and runs it. Returns false if no timer is due within the given time. */
	moveToNext(within: number): boolean;
	/** The number of timers that have not run yet. */
	readonly waiting: number;
	/** In how many milliseconds each of these timers is due, soonest first. */
	readonly due: readonly number[];
};

export function createHeldClock(start = Date.UTC(2026, 10, 21, 8)): HeldClock {
	let now = start;
	let offset = 0;
	let slept = 0;
	let calls: { due: number; call: () => void }[] = [];

	const nextBefore = (end: number) =>
		calls.reduce<(typeof calls)[number] | undefined>(
			(first, each) => (each.due <= end && (!first || each.due < first.due) ? each : first),
			undefined,
		);

	return {
		now: () => now + slept + offset,
		monotonic: () => now + slept,
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
		sleep(milliseconds) {
			slept += milliseconds;
		},
		get waiting() {
			return calls.length;
		},
		get due() {
			return calls.map(({ due }) => due - now).sort((a, b) => a - b);
		},
	};
}

/** A clock that follows another one from `catchUp` to `catchUp`, once it is late. What draws by it draws only what is looked at. */
export function createLateClock(clock: HeldClock): Clock & { beLate(): void; catchUp(): void } {
	const own = createHeldClock(clock.now());
	let current: HeldClock = clock;

	function catchUp() {
		own.move(clock.monotonic() - own.monotonic());
		own.jump(clock.now() - own.now());
	}

	return {
		now: () => current.now(),
		monotonic: () => current.monotonic(),
		after: (milliseconds, call) => current.after(milliseconds, call),
		beLate() {
			catchUp();
			current = own;
		},
		catchUp,
	};
}
