/** The remaining credits at one time. */
export type CreditSample = { at: number; balance: number };

export type Runway = {
	burnPerHour: number;
	/** Milliseconds until the credits run out at this rate; null when no credits are spent. */
	timeLeft: number | null;
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const measuredSpanMs = 3 * hour;
const minMeasuredMs = 10 * minute;
const maxGapMs = hour;

/**
 * The burn rate of the last hours and how long the credits last; null with too few samples. A time in which the
 * balance rose is left out, because a top-up hides the spending. A long time without samples is left out, too.
 */
export function runwayOf(samples: readonly CreditSample[]): Runway | null {
	const newest = samples.at(-1);
	if (!newest) return null;
	let burnt = 0;
	let measured = 0;
	for (let place = samples.length - 1; place > 0; place -= 1) {
		const [earlier, later] = [samples[place - 1], samples[place]];
		if (!earlier || !later || earlier.at < newest.at - measuredSpanMs) break;
		const isMeasured = later.balance <= earlier.balance && later.at - earlier.at <= maxGapMs;
		if (!isMeasured) continue;
		burnt += earlier.balance - later.balance;
		measured += later.at - earlier.at;
	}
	if (measured < minMeasuredMs) return null;
	const burnPerHour = (burnt / measured) * hour;
	const timeLeft = burnPerHour > 0 ? (Math.max(0, newest.balance) / burnPerHour) * hour : null;
	return { burnPerHour, timeLeft };
}

/** Merges samples in order of time and drops most of the old ones: two months keep about 1,400 samples. */
export function mergeSamples(
	one: readonly CreditSample[],
	other: readonly CreditSample[],
): readonly CreditSample[] {
	const all = [...one, ...other].sort((a, b) => a.at - b.at);
	const newest = all.at(-1);
	if (!newest) return all;
	let last = '';
	return all.filter((sample, place) => {
		const step = slotLengthAt(newest.at - sample.at);
		const slot = `${step} ${Math.floor(sample.at / step)}`;
		const isFirst = slot !== last && Number.isFinite(step);
		last = slot;
		return isFirst || (sample === newest && sample.at !== all[place - 1]?.at);
	});
}

// The first sample of each slot is kept. Each wide slot starts at the start of a narrow one, so its first
// sample was also kept while the slots were narrow.
function slotLengthAt(age: number): number {
	if (age <= measuredSpanMs) return minute;
	if (age <= 3 * day) return 10 * minute;
	return age <= 60 * day ? 2 * hour : Number.POSITIVE_INFINITY;
}
