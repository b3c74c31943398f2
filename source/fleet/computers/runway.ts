import { dayMs, hourMs, minuteMs } from '../../foundation/duration.ts';
import * as v from '../../foundation/schema.ts';
import type { Credits } from './account.ts';
import { type Phase, phaseOf } from './computer.ts';

export const creditSampleSchema = v.object({ at: v.time, balance: v.number });

export type CreditSample = v.ValueOf<typeof creditSampleSchema>;

export type Runway = {
	burnPerHour: number;
	eachPerHour?: number | undefined;
	timeLeftMs: number | null;
	measuredMs?: number;
	isEstimate?: true | undefined;
	/** Set by `createJointRunwaySelector`, which knows what counts as low. */
	level?: CreditsLevel | undefined;
};

type SpendingAccount = {
	samples: readonly CreditSample[];
	computers: ReadonlyMap<string, { phase: Phase }>;
	changes: readonly { type: string; at: number; id?: string; from?: unknown; to?: unknown }[];
};

const measuredSpanMs = 3 * hourMs;
const minMeasuredSpanMs = 10 * minuteMs;
const sureSpanMs = hourMs;
const maxGapMs = hourMs;

/** The platform rounds balances to this. */
const balanceStep = 0.01;

const minSteps = 5;

/** The platform tells no price: what was spent is divided by the hours of active computers, and counted for those of now. */
export function runwayOf({ samples, computers, changes }: SpendingAccount): Runway | null {
	const newest = samples.at(-1);
	if (!newest) return null;
	const stretches = stretchesOf(samples.filter(({ at }) => at >= newest.at - measuredSpanMs));
	const steps = stretches.flatMap(stepsIn);
	const measuredMs = sum(steps.map(({ ms }) => ms));
	const spent = sum(steps.map(({ fall }) => fall));
	if (measuredMs < minMeasuredSpanMs && spent < (minSteps - 0.5) * balanceStep) return null;
	const activeNow = [...computers.values()].filter(({ phase }) => phase === 'active').length;
	const moves = movesOf(changes, computers);
	const perActiveHour = slopeOf(stretches, ({ at: until }) => {
		// Only differences count. The number of an earlier time is that of now without the starts and stops since.
		const moved = moves.map(({ at, by }) => by * Math.max(0, at - until));
		return (sum(moved) - activeNow * (newest.at - until)) / hourMs;
	});
	// Where no computer was seen active, whatever is spent goes on.
	const perHour =
		perActiveHour === undefined
			? (slopeOf(stretches, ({ at }) => at / hourMs) ?? 0)
			: perActiveHour * activeNow;
	const burnPerHour = Math.max(0, perHour);
	return {
		burnPerHour,
		eachPerHour: perActiveHour === undefined ? undefined : Math.max(0, perActiveHour),
		timeLeftMs: timeLeftAt(newest.balance, burnPerHour),
		measuredMs,
		isEstimate: measuredMs < sureSpanMs || undefined,
	};
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Less than this an hour is printed as 0.00, and comes from rounding. */
const leastBurn = 0.005;

export function timeLeftAt(balance: number, burnPerHour: number): number | null {
	return burnPerHour < leastBurn ? null : (Math.max(0, balance) / burnPerHour) * hourMs;
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

type Stretch = readonly CreditSample[];

/** From the first and the last one alone, a rate would change with every read, because balances are rounded. */
function slopeOf(
	stretches: readonly Stretch[],
	placeOf: (sample: CreditSample) => number,
): number | undefined {
	let [covariance, variance] = [0, 0];
	for (const stretch of stretches) {
		const places = stretch.map(placeOf);
		const mean = sum(places) / places.length;
		const begin = stretch[0]?.balance ?? 0;
		for (const [index, { balance }] of stretch.entries()) {
			const distance = (places[index] ?? mean) - mean;
			covariance += distance * (begin - balance);
			variance += distance ** 2;
		}
	}
	return variance > 1e-9 ? covariance / variance : undefined;
}

const stepsIn = (samples: readonly CreditSample[]) =>
	samples.slice(1).map((after, place) => {
		const { at, balance } = samples[place] ?? after;
		return { after, fall: balance - after.balance, ms: after.at - at };
	});

/** A top-up would hide the spending, and so would a charge. */
function stretchesOf(samples: readonly CreditSample[]): readonly Stretch[] {
	const steps = stepsIn(samples);
	const charge = chargeIn(steps);
	const stretches = [samples.slice(0, 1)];
	for (const step of steps) {
		const goesOn = step !== charge && step.fall >= 0 && step.ms <= maxGapMs;
		if (goesOn) stretches.at(-1)?.push(step.after);
		else stretches.push([step.after]);
	}
	return stretches;
}

const suddenFactor = 10;

/** One sudden fall is a charge or a new rate. A platform that takes credits once an hour has several. */
function chargeIn(steps: ReturnType<typeof stepsIn>) {
	const totalMs = sum(steps.map(({ ms }) => ms));
	const spent = sum(steps.map(({ fall }) => Math.max(0, fall)));
	const [first, ...others] = steps.filter(({ fall, ms }) => {
		const isLarge = fall > minSteps * balanceStep && ms < minMeasuredSpanMs;
		const usual = (spent - fall) / Math.max(1, totalMs - ms);
		return isLarge && fall > suddenFactor * usual * ms;
	});
	return others.length === 0 ? first : undefined;
}

/** Two months keep about 1,400 samples. */
export function mergeSamples(
	samples: readonly CreditSample[],
	otherSamples: readonly CreditSample[],
): readonly CreditSample[] {
	const sorted = [...samples, ...otherSamples].sort((a, b) => a.at - b.at);
	const newest = sorted.at(-1);
	let lastSlot = '';
	return sorted.filter((sample, index) => {
		const slotMs = slotLengthMsAt((newest?.at ?? 0) - sample.at);
		const slot = `${slotMs} ${Math.floor(sample.at / slotMs)}`;
		const isFirstInSlot = slot !== lastSlot && slotMs < Infinity;
		lastSlot = slot;
		return isFirstInSlot || (sample === newest && sample.at !== sorted[index - 1]?.at);
	});
}

// A wide slot begins where a narrow slot begins, so its first sample was not removed while the slots were narrow.
function slotLengthMsAt(ageMs: number): number {
	if (ageMs <= measuredSpanMs) return minuteMs;
	if (ageMs <= 3 * dayMs) return 10 * minuteMs;
	return ageMs <= 60 * dayMs ? 2 * hourMs : Infinity;
}

/** The worst first. What the account notes at each: `creditsEvents` in `store/account-notes.ts`; its colour: `views/billing.ts`. */
export const creditsLevels = ['low', 'enough'] as const;

export type CreditsLevel = (typeof creditsLevels)[number];

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
	// An estimate of a few minutes moves too much to raise an alarm.
	if (!runway || (runway.measuredMs ?? minMeasuredSpanMs) < minMeasuredSpanMs) return undefined;
	if (runway.timeLeftMs === null) return 'enough';
	const threshold = lowCreditsMs * (before === 'low' ? recoveryFactor : 1);
	return runway.timeLeftMs <= threshold ? 'low' : 'enough';
}
