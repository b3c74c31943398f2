export type WindowKind = 'rolling' | 'fixed';

/** Counts the requests in one scope as the platform does, independently of the limiter. */
export type Window = {
	arrive(at: number, isOurs: boolean): { isRefused: boolean; remaining: number; reset: number };
	/** The most requests of ours in any rolling window. */
	readonly worst: number;
	/** How many of our requests were refused. */
	readonly refused: number;
	/** Counts of the requests of the other client: all, and the refused ones. */
	readonly arrivedElsewhere: number;
	readonly refusedElsewhere: number;
};

export function createWindow(limit: number, length: number, kind: WindowKind): Window {
	/** The arrival times in the last window, oldest first. */
	let all: number[] = [];
	let ours: number[] = [];
	let [worst, refused] = [0, 0];
	let [arrivedElsewhere, refusedElsewhere] = [0, 0];

	return {
		arrive(at, isOurs) {
			const from = kind === 'rolling' ? at - length : Math.floor(at / length) * length;
			all = since(all, from);
			all.push(at);
			const isRefused = all.length > limit;
			if (isOurs) {
				ours = since(ours, at - length);
				ours.push(at);
				worst = Math.max(worst, ours.length);
				if (isRefused) refused += 1;
			} else {
				arrivedElsewhere += 1;
				if (isRefused) refusedElsewhere += 1;
			}
			const end = (kind === 'rolling' ? (all[0] ?? at) : from) + length;
			return { isRefused, remaining: Math.max(0, limit - all.length), reset: end - at };
		},
		get worst() {
			return worst;
		},
		get refused() {
			return refused;
		},
		get arrivedElsewhere() {
			return arrivedElsewhere;
		},
		get refusedElsewhere() {
			return refusedElsewhere;
		},
	};
}

// A request that arrived exactly one window ago still counts.
const since = (times: number[], from: number) =>
	(times[0] ?? from) < from ? times.filter(each => each >= from) : times;
