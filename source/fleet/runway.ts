/** The credits left at one time. */
export type CreditSample = { at: number; balance: number };

export type Runway = {
	burnPerHour: number;
	/** Milliseconds until the credits run out at this rate; null when nothing burns. */
	timeLeft: number | null;
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const span = 3 * hour;
const measuredAtLeast = 10 * minute;
const gapAtMost = hour;

/**
 * The burn rate of the last hours and how long the credits last; null with too few samples. A span in which
 * the balance rose does not count, because a top-up hides the burn. A long span without samples does not
 * count either.
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

/** Merges samples in order of time and thins old ones: about 1,400 samples for two months. */
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

// The first sample of each slot stays. A wide slot starts where a narrow one does, so its first one is left.
function stepAt(age: number): number {
	if (age <= span) return minute;
	if (age <= 3 * day) return 10 * minute;
	return age <= 60 * day ? 2 * hour : Number.POSITIVE_INFINITY;
}
