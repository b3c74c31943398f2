export type WindowKind = 'rolling' | 'fixed';

/** The platform's own counting of one scope, which knows nothing of ours. */
export type Window = {
	arrive(at: number, isOurs: boolean): { isRefused: boolean; remaining: number; reset: number };
	/** The most of ours that any rolling window held. */
	readonly worst: number;
	/** How many of ours there were, how many were refused, and how many of these by our own fault. */
	readonly arrived: number;
	readonly refused: number;
	readonly refusedAlone: number;
};

export function createWindow(limit: number, length: number, kind: WindowKind): Window {
	/** Arrivals in the last window, oldest first. */
	let all: number[] = [];
	let ours: number[] = [];
	let theirsAt = Number.NEGATIVE_INFINITY;
	let [worst, arrived, refused, refusedAlone] = [0, 0, 0, 0];

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
	};
}

// A request exactly a window ago still counts.
const since = (times: number[], from: number) =>
	(times[0] ?? from) < from ? times.filter(each => each >= from) : times;
