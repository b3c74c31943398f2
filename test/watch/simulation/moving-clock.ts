import type { Clock } from '../../../source/foundation/clock.ts';

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

type Entry = { due: number; order: number; call: (() => void) | undefined };

/** A clock for simulations, which advances thousands of times faster than real time. */
export function createMovingClock(start = Date.UTC(2026, 10, 21, 8)): MovingClock {
	const heap: Entry[] = [];
	let lived = 0;
	let slept = 0;
	let wall = start;
	let order = 0;

	const isBefore = (a: Entry, b: Entry) => a.due < b.due || (a.due === b.due && a.order < b.order);

	function push(entry: Entry) {
		heap.push(entry);
		for (let at = heap.length - 1; at > 0; ) {
			const above = (at - 1) >> 1;
			const parent = heap[above];
			if (!parent || !isBefore(entry, parent)) break;
			heap[at] = parent;
			heap[above] = entry;
			at = above;
		}
	}

	function pop(): Entry | undefined {
		const top = heap[0];
		const entry = heap.pop();
		if (!entry || !top || heap.length === 0) return top;
		heap[0] = entry;
		for (let at = 0; ; ) {
			const left = heap[2 * at + 1];
			const right = heap[2 * at + 2];
			if (!left) break;
			const isRight = right !== undefined && isBefore(right, left);
			const child = isRight ? right : left;
			if (!isBefore(child, entry)) break;
			const below = 2 * at + (isRight ? 2 : 1);
			heap[at] = child;
			heap[below] = entry;
			at = below;
		}
		return top;
	}

	return {
		now: () => wall + lived + slept,
		elapsed: () => lived + slept,
		monotonic: () => lived + slept,
		lived: () => lived,
		after(milliseconds, call) {
			const entry: Entry = { due: lived + Math.max(0, milliseconds), order: order++, call };
			push(entry);
			return () => {
				entry.call = undefined;
			};
		},
		async live(milliseconds) {
			const end = lived + milliseconds;
			for (let next = heap[0]; next && next.due <= end; next = heap[0]) {
				pop();
				if (!next.call) continue;
				lived = Math.max(lived, next.due);
				next.call();
				await settled();
			}
			lived = end;
		},
		sleep(milliseconds) {
			slept += milliseconds;
		},
		adjust(milliseconds) {
			wall += milliseconds;
		},
	};
}

/** Resolves after pending promise callbacks have run. */
function settled(): Promise<void> {
	return new Promise(resolve => setImmediate(resolve));
}
