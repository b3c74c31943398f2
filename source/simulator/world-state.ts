import type { Computer } from './computer.ts';
import { type CreditAccount, createCreditAccount, nextMidnight } from './credits.ts';
import { createDueQueue, type DueQueue } from './due-queue.ts';
import { type Plan, type PlanTerms, plans } from './plans.ts';
import { fraction } from './random.ts';
import { nextReleaseAt, type Release, releasesBefore } from './releases.ts';

/** The simulated world at the time `now`. Only `advanceTo` moves the world to a later time. */
export type WorldState = {
	readonly seed: number;
	readonly plan: Plan;
	readonly terms: PlanTerms;
	now: number;
	/** Keyed by id, in the order of their numbers. */
	readonly computers: Map<string, Computer>;
	/** The deleted computers, which some services still list. */
	readonly archived: Computer[];
	readonly due: DueQueue<Computer>;
	madeCount: number;
	/** The number of computers that burn credits. */
	burningCount: number;
	readonly account: CreditAccount;
	grantAt: number;
	hasPaymentMethod: boolean;
	/** The published versions, oldest first. */
	readonly releases: Release[];
	releaseAt: number;
};

export type WorldOptions = { seed: number; plan: Plan; computers: number };

export function createWorldState({ seed, plan, computers }: WorldOptions, now: number): WorldState {
	const terms = plans[plan];
	const releases = releasesBefore(seed, now);
	return {
		seed,
		plan,
		terms,
		now,
		computers: new Map(),
		archived: [],
		due: createDueQueue(),
		madeCount: 0,
		burningCount: 0,
		account: createCreditAccount(terms, computers, now),
		grantAt: nextMidnight(now),
		hasPaymentMethod: terms.hasPaymentMethod,
		releases,
		releaseAt: nextReleaseAt(seed, releases),
	};
}

/** Draws the next random number of a computer. */
export function draw({ seed }: WorldState, computer: Computer): number {
	return fraction(seed, computer.number, computer.drawCount++);
}
