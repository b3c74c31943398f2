import * as v from '../../foundation/schema.ts';

export const creditSampleSchema = v.object({ at: v.time, balance: v.number });

/** The remaining credits at one time. */
export type CreditSample = v.ValueOf<typeof creditSampleSchema>;

export type Runway = {
	burnPerHour: number;
	/** Milliseconds until the credits run out at this rate; null when no credits are spent. */
	timeLeftMs: number | null;
	/** Whether the spending was measured for so short a time that the values may be far off. */
	isEstimate?: true;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const measuredSpanMs = 3 * hourMs;
const minMeasuredSpanMs = 10 * minuteMs;
/** A rate that was measured for less than this is shown as an estimate. */
const sureSpanMs = hourMs;
const maxGapMs = hourMs;

/** Returns the burn rate of the last hours and how long the credits last, or null if there are too few samples. */
export function runwayOf(samples: readonly CreditSample[]): Runway | null {
	const measured = measuredBurnOf(samples);
	return measured && measured.measuredMs >= minMeasuredSpanMs ? runwayFrom(measured) : null;
}

/** A burn rate that was measured for a short time, with the range in which the time left may lie. */
export type EstimatedRunway = Runway & {
	spanMs: number;
	/** The shortest and the longest time that the credits may last. The longest may be infinite. */
	timeLeftRangeMs: readonly [shortest: number, longest: number];
};

/** The platform rounds balances to this. */
const balanceStep = 0.01;

/**
 * How many rounding steps the balance must have fallen before a rate is estimated. A rate from fewer steps is too
 * high.
 */
const minSteps = 5;

/** Estimates the burn rate as soon as the balance has fallen by more than the rounding of the platform can explain. */
export function estimatedRunwayOf(samples: readonly CreditSample[]): EstimatedRunway | null {
	const measured = measuredBurnOf(samples);
	if (!measured || measured.burnPerHour <= 0) return null;
	const { newest, burnPerHour, measuredMs, spent } = measured;
	if (spent < (minSteps - 0.5) * balanceStep) return null;
	const error = (balanceStep / measuredMs) * hourMs;
	const left = Math.max(0, newest.balance) * hourMs;
	const slowest = burnPerHour - error;
	const longest = slowest > 0 ? left / slowest : Number.POSITIVE_INFINITY;
	return {
		...runwayFrom(measured),
		spanMs: measuredMs,
		timeLeftRangeMs: [left / (burnPerHour + error), longest],
	};
}

type MeasuredBurn = {
	newest: CreditSample;
	burnPerHour: number;
	measuredMs: number;
	/** The credits that were spent in the measured time. */
	spent: number;
};

/**
 * Measures the spending of the last hours as the slope of the line through all balances. The platform rounds balances
 * to hundredths, so a rate from the first and the last balance alone would change with every read.
 */
function measuredBurnOf(samples: readonly CreditSample[]): MeasuredBurn | undefined {
	const newest = samples.at(-1);
	if (!newest) return undefined;
	let [measuredMs, spent] = [0, 0];
	let [covariance, variance] = [0, 0];
	for (const stretch of stretchesOf(samples, newest.at - measuredSpanMs)) {
		const [first] = stretch;
		const last = stretch.at(-1);
		if (!first || !last) continue;
		measuredMs += last.at - first.at;
		spent += first.balance - last.balance;
		const meanMs = stretch.reduce((sum, { at }) => sum + at - first.at, 0) / stretch.length;
		for (const { at, balance } of stretch) {
			const distanceMs = at - first.at - meanMs;
			covariance += distanceMs * (first.balance - balance);
			variance += distanceMs ** 2;
		}
	}
	const burnPerHour = variance > 0 ? (covariance / variance) * hourMs : 0;
	return { newest, burnPerHour, measuredMs, spent };
}

/**
 * Divides the samples since a time into stretches in which the balance only fell. A stretch ends at a top-up, which
 * would hide the spending, and at a long gap between samples.
 */
function stretchesOf(samples: readonly CreditSample[], since: number): CreditSample[][] {
	const stretches: CreditSample[][] = [];
	let earlier: CreditSample | undefined;
	for (const sample of samples) {
		if (sample.at < since) continue;
		const goesOn =
			earlier && sample.balance <= earlier.balance && sample.at - earlier.at <= maxGapMs;
		if (goesOn) stretches.at(-1)?.push(sample);
		else stretches.push([sample]);
		earlier = sample;
	}
	return stretches;
}

function runwayFrom({ newest, burnPerHour, measuredMs }: MeasuredBurn): Runway {
	const timeLeftMs = burnPerHour > 0 ? (Math.max(0, newest.balance) / burnPerHour) * hourMs : null;
	return { burnPerHour, timeLeftMs, ...(measuredMs < sureSpanMs && { isEstimate: true }) };
}

/** Merges samples in order of time and drops most of the old ones: two months keep about 1,400 samples. */
export function mergeSamples(
	samples: readonly CreditSample[],
	otherSamples: readonly CreditSample[],
): readonly CreditSample[] {
	const sortedSamples = [...samples, ...otherSamples].sort((a, b) => a.at - b.at);
	const newest = sortedSamples.at(-1);
	if (!newest) return sortedSamples;
	let lastSlot = '';
	return sortedSamples.filter((sample, index) => {
		const slotMs = slotLengthMsAt(newest.at - sample.at);
		const slot = `${slotMs} ${Math.floor(sample.at / slotMs)}`;
		const isFirstInSlot = slot !== lastSlot && Number.isFinite(slotMs);
		lastSlot = slot;
		return isFirstInSlot || (sample === newest && sample.at !== sortedSamples[index - 1]?.at);
	});
}

// Old samples are thinned out: only the first sample of each slot stays, and older slots are wider. A wide slot
// begins where a narrow slot begins, so its first sample was not removed while the slots were narrow.
function slotLengthMsAt(ageMs: number): number {
	if (ageMs <= measuredSpanMs) return minuteMs;
	if (ageMs <= 3 * dayMs) return 10 * minuteMs;
	return ageMs <= 60 * dayMs ? 2 * hourMs : Number.POSITIVE_INFINITY;
}
