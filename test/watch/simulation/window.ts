export type WindowKind = 'rolling' | 'fixed';

/** Counts the requests in one scope as the platform does, independently of the limiter. */
export type Window = {
	arrive(at: number, isOurs: boolean): { isRefused: boolean; remaining: number; reset: number };
	/** The most requests of ours in any rolling window. */
	readonly worst: number;
	/** Counts of our requests: all, the refused ones, and those refused while no other client sent any. */
	readonly arrived: number;
	readonly refused: number;
	readonly refusedAlone: number;
	/** Counts of the requests of the other client: all, and the refused ones. */
	readonly arrivedElsewhere: number;
	readonly refusedElsewhere: number;
};

export function createWindow(limit: number, length: number, kind: WindowKind): Window {
	/** The arrival times in the last window, oldest first. */
	let all: number[] = [];
	let ours: number[] = [];
	let theirsAt = Number.NEGATIVE_INFINITY;
	let [worst, arrived, refused, refusedAlone] = [0, 0, 0, 0];
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
				arrived += 1;
				if (isRefused) refused += 1;
				if (isRefused && theirsAt < from) refusedAlone += 1;
			} else {
				theirsAt = at;
				arrivedElsewhere += 1;
				if (isRefused) refusedElsewhere += 1;
			}
			const end = (kind === 'rolling' ? (all[0] ?? at) : from) + length;
			return { isRefused, remaining: Math.max(0, limit - all.length), reset: end - at };
		},
		get worst() {
			return worst;
		},
		get arrived() {
			return arrived;
		},
		get refused() {
			return refused;
		},
		get refusedAlone() {
			return refusedAlone;
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
