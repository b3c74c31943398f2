import type { Computer } from './computer.ts';
import { type CreditAccount, createCreditAccount, nextMidnightAfter } from './credits.ts';
import { createDueQueue, type DueQueue } from './due-queue.ts';
import { type Plan, type PlanTerms, planTermsByPlan } from './plans.ts';
import { randomFraction } from './random.ts';
import { nextReleaseAt, type Release, releasesBefore } from './releases.ts';

/** The simulated world at the time `now`. Only `advanceTo` moves the world to a later time. */
export type WorldState = {
	readonly seed: number;
	readonly plan: Plan;
	readonly terms: PlanTerms;
	now: number;
	/** The computers by id, in the order of their numbers. */
	readonly computers: Map<string, Computer>;
	/** The deleted computers, which some services still list. */
	readonly deletedComputers: Computer[];
	readonly eventQueue: DueQueue<Computer>;
	createdCount: number;
	/** The number of computers that burn credits. */
	burningCount: number;
	readonly creditAccount: CreditAccount;
	nextGrantAt: number;
	hasPaymentMethod: boolean;
	/** The published releases, oldest first. */
	readonly releases: Release[];
	nextReleaseAt: number;
};

export type WorldOptions = { seed: number; plan: Plan; computers: number };

export function createWorldState({ seed, plan, computers }: WorldOptions, now: number): WorldState {
	const terms = planTermsByPlan[plan];
	const releases = releasesBefore(seed, now);
	return {
		seed,
		plan,
		terms,
		now,
		computers: new Map(),
		deletedComputers: [],
		eventQueue: createDueQueue(),
		createdCount: 0,
		burningCount: 0,
		creditAccount: createCreditAccount(terms, computers, now),
		nextGrantAt: nextMidnightAfter(now),
		hasPaymentMethod: terms.hasPaymentMethod,
		releases,
		nextReleaseAt: nextReleaseAt(seed, releases),
	};
}

/** Draws the next random number of a computer. */
export function drawRandomFraction({ seed }: WorldState, computer: Computer): number {
	return randomFraction(seed, computer.number, computer.randomDrawCount++);
}
