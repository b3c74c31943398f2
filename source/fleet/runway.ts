/** What was left of the credits at one time. */
export type CreditSample = { at: number; balance: number };

export type Runway = {
	burnPerHour: number;
	/** Milliseconds until nothing is left at this pace; null when nothing burns. */
	timeLeft: number | null;
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const span = 3 * hour;
const measuredAtLeast = 10 * minute;
const gapAtMost = hour;

/**
 * The burn over the last hours and how long it lets the credits last; null when too little was seen.
 * Where the balance rose, somebody topped up: how much burnt meanwhile nobody knows, so that time does
 * not count, and neither does a time when nobody looked.
 */
export function runwayOf(samples: readonly CreditSample[]): Runway | null {
	const newest = samples.at(-1);
	if (!newest) return null;
	let burnt = 0;
	let measured = 0;
	for (let place = samples.length - 1; place > 0; place -= 1) {
		const [earlier, later] = [samples[place - 1], samples[place]];
		if (!earlier || !later || earlier.at < newest.at - span) break;
		const isMeasured = later.balance <= earlier.balance && later.at - earlier.at <= gapAtMost;
		if (!isMeasured) continue;
		burnt += earlier.balance - later.balance;
		measured += later.at - earlier.at;
	}
	if (measured < measuredAtLeast) return null;
	const burnPerHour = (burnt / measured) * hour;
	const timeLeft = burnPerHour > 0 ? (Math.max(0, newest.balance) / burnPerHour) * hour : null;
	return { burnPerHour, timeLeft };
}

/** Both together in the order of time, the older the fewer: some 1,400 samples over two months. */
export function mergeSamples(
	one: readonly CreditSample[],
	other: readonly CreditSample[],
): readonly CreditSample[] {
	const all = [...one, ...other].sort((a, b) => a.at - b.at);
	const newest = all.at(-1);
	if (!newest) return all;
	let last = '';
	return all.filter((sample, place) => {
		const step = stepAt(newest.at - sample.at);
		const slot = `${step} ${Math.floor(sample.at / step)}`;
		const isFirst = slot !== last && Number.isFinite(step);
		last = slot;
		return isFirst || (sample === newest && sample.at !== all[place - 1]?.at);
	});
}

// The first in each slot stays. A wide slot begins where a narrow one does, so its first is still there.
function stepAt(age: number): number {
	if (age <= span) return minute;
	if (age <= 3 * day) return 10 * minute;
	return age <= 60 * day ? 2 * hour : Number.POSITIVE_INFINITY;
}
