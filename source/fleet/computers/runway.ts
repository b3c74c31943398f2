import * as v from '../../foundation/schema.ts';
import type { Credits } from './account.ts';
import { type Phase, phaseOf } from './computer.ts';

export const creditSampleSchema = v.object({ at: v.time, balance: v.number });

export type CreditSample = v.ValueOf<typeof creditSampleSchema>;

export type Runway = {
	burnPerHour: number;
	/** Undefined while no computer was active. */
	eachPerHour?: number | undefined;
	/** Null when no credits are spent. */
	timeLeftMs: number | null;
	measuredMs?: number;
	isEstimate?: true | undefined;
	/** Set by `createRunwaySelector`, which knows the level that counts as low. */
	isLow?: true;
};

type SpendingAccount = {
	samples: readonly CreditSample[];
	computers: ReadonlyMap<string, { phase: Phase }>;
	changes: readonly { type: string; at: number; id?: string; from?: unknown; to?: unknown }[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const measuredSpanMs = 3 * hourMs;
const minMeasuredSpanMs = 10 * minuteMs;
const sureSpanMs = hourMs;
const maxGapMs = hourMs;

/** The platform rounds balances to this. */
const balanceStep = 0.01;

const minSteps = 5;

const activeCountOf = (computers: SpendingAccount['computers']): number =>
	[...computers.values()].filter(({ phase }) => phase === 'active').length;

/**
 * The platform tells no price. So the spending of the last hours is divided by the hours that computers were active, and
 * counted for those that are active now.
 */
export function runwayOf(account: SpendingAccount): Runway | null {
	const newest = account.samples.at(-1);
	if (!newest) return null;
	const recent = account.samples.filter(({ at }) => at >= newest.at - measuredSpanMs);
	const stretches = stretchesOf(recent);
	const measuredMs = sum(stretches.map(all => lengthOf(all).ms));
	const spent = sum(stretches.map(all => lengthOf(all).spent));
	const isEnough = measuredMs >= minMeasuredSpanMs || spent >= (minSteps - 0.5) * balanceStep;
	if (!isEnough) return null;
	const perHour = slopeOf(stretches, ({ at }) => at / hourMs) ?? 0;
	const perActiveHour = slopeOf(stretches, activeHoursUntil(account, newest.at));
	// Where no computer was seen active, whatever is spent goes on.
	const burnPerHour = Math.max(
		0,
		perActiveHour === undefined ? perHour : perActiveHour * activeCountOf(account.computers),
	);
	return {
		burnPerHour,
		eachPerHour: perActiveHour === undefined ? undefined : Math.max(0, perActiveHour),
		timeLeftMs: burnPerHour > 0 ? (Math.max(0, newest.balance) / burnPerHour) * hourMs : null,
		measuredMs,
		isEstimate: measuredMs < sureSpanMs || undefined,
	};
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

export function timeLeftAt(balance: number, burnPerHour: number): number | null {
	return burnPerHour < leastBurn ? null : (Math.max(0, balance) / burnPerHour) * hourMs;
}

/** An estimate of a few minutes moves too much to raise an alarm. */
const isMeasuredLong = ({ measuredMs = minMeasuredSpanMs }: Runway): boolean =>
	measuredMs >= minMeasuredSpanMs;

/** Less than this an hour is printed as 0.00, and comes from rounding. */
const leastBurn = 0.005;

/**
 * Only differences count. The number of active computers of an earlier time is that of now without the starts and stops
 * since.
 */
function activeHoursUntil(
	{ computers, changes }: SpendingAccount,
	newestAt: number,
): (sample: CreditSample) => number {
	const activeNow = activeCountOf(computers);
	const moves = movesOf(changes, computers).map(({ at, by }) => ({
		at: Math.min(at, newestAt),
		by,
	}));
	return ({ at: until }) => {
		const later = moves.filter(({ at }) => at > until);
		const moved = sum(later.map(({ at, by }) => by * (at - until)));
		return (moved - activeNow * (newestAt - until)) / hourMs;
	};
}

/** A change that was noticed twice, or that does not lead to what came after it, does not count. */
function movesOf(
	changes: SpendingAccount['changes'],
	computers: SpendingAccount['computers'],
): readonly { at: number; by: number }[] {
	const activeById = new Map<string, boolean>();
	return changes.toReversed().flatMap(change => {
		if (change.type !== 'statusChanged' || change.id === undefined) return [];
		const { id, at, from, to } = change;
		const isActiveAfter = activeById.get(id) ?? computers.get(id)?.phase === 'active';
		if (isActive(to) !== isActiveAfter) return [];
		activeById.set(id, isActive(from));
		const by = Number(isActiveAfter) - Number(isActive(from));
		return by === 0 ? [] : [{ at, by }];
	});
}

const isActive = (status: unknown) => typeof status === 'string' && phaseOf(status) === 'active';

/**
 * The platform rounds balances to hundredths, so a rate from the first and the last one alone would change with every
 * read.
 */
function slopeOf(
	stretches: readonly Stretch[],
	placeOf: (sample: CreditSample) => number,
): number | undefined {
	let [covariance, variance] = [0, 0];
	for (const stretch of stretches) {
		const places = stretch.map(placeOf);
		const mean = sum(places) / places.length;
		for (const [index, { balance }] of stretch.entries()) {
			const distance = (places[index] ?? mean) - mean;
			covariance += distance * (stretch[0].balance - balance);
			variance += distance ** 2;
		}
	}
	return variance > 1e-9 ? covariance / variance : undefined;
}

type Stretch = readonly [CreditSample, ...CreditSample[]];

function lengthOf(stretch: Stretch) {
	const [first] = stretch;
	const last = stretch.at(-1) ?? first;
	return { ms: last.at - first.at, spent: first.balance - last.balance };
}

/** A top-up would hide the spending. */
function stretchesOf(samples: readonly CreditSample[]): readonly Stretch[] {
	const stretches: [CreditSample, ...CreditSample[]][] = [];
	const suddenFall = suddenFallIn(samples);
	for (const [place, sample] of samples.entries()) {
		const earlier = samples[place - 1];
		const goesOn =
			earlier &&
			place !== suddenFall &&
			sample.balance <= earlier.balance &&
			sample.at - earlier.at <= maxGapMs;
		if (goesOn) stretches.at(-1)?.push(sample);
		else stretches.push([sample]);
	}
	return stretches;
}

const suddenFactor = 10;

/**
 * A single sudden fall is a charge, or the first sign of a new rate. A platform that takes credits once an hour has
 * several.
 */
function suddenFallIn(samples: readonly CreditSample[]): number | undefined {
	const steps = samples.slice(1).map((after, before) => {
		const { at, balance } = samples[before] ?? after;
		return { place: before + 1, fall: Math.max(0, balance - after.balance), ms: after.at - at };
	});
	const total = { fall: sum(steps.map(({ fall }) => fall)), ms: sum(steps.map(({ ms }) => ms)) };
	const [first, ...others] = steps.filter(({ fall, ms }) => {
		const isLarge = fall > minSteps * balanceStep && ms < minMeasuredSpanMs;
		const usual = (total.fall - fall) / Math.max(1, total.ms - ms);
		return isLarge && fall > suddenFactor * usual * ms;
	});
	return others.length === 0 ? first?.place : undefined;
}

/** Two months keep about 1,400 samples. */
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

// A wide slot begins where a narrow slot begins, so its first sample was not removed while the slots were narrow.
function slotLengthMsAt(ageMs: number): number {
	if (ageMs <= measuredSpanMs) return minuteMs;
	if (ageMs <= 3 * dayMs) return 10 * minuteMs;
	return ageMs <= 60 * dayMs ? 2 * hourMs : Number.POSITIVE_INFINITY;
}

export type CreditsLevel = 'low' | 'enough';

// A forecast moves a little with every balance, so the way back to enough is longer.
const recoveryFactor = 1.2;

/** Undefined while it is not known how long the credits last. `before` is the level until now. */
export function creditsLevel(
	{ credits, runway }: { credits: Credits | undefined; runway: Runway | null },
	lowCreditsMs: number,
	before: CreditsLevel | undefined,
): CreditsLevel | undefined {
	if (!credits) return undefined;
	if (credits.canRun === false) return 'low';
	if (!runway || !isMeasuredLong(runway)) return undefined;
	if (runway.timeLeftMs === null) return 'enough';
	const threshold = lowCreditsMs * (before === 'low' ? recoveryFactor : 1);
	return runway.timeLeftMs <= threshold ? 'low' : 'enough';
}
