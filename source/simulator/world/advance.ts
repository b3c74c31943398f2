import { changeCredits, creditsEndAt, grantCredits, nextMidnightAfter } from './credits.ts';
import { finishState, stopComputersThatCost } from './lifecycle.ts';
import { createRelease, nextReleaseAt, nextVersion } from './releases.ts';
import type { WorldState } from './world-state.ts';

/**
 * Advances the world to a time by handling the due events in order, and returns their number. Values such as
 * the balance are computed from the time, so nothing has to be updated between two events.
 */
export function advanceTo(world: WorldState, now: number): number {
	let eventCount = 0;
	for (;;) {
		const creditsEmptyAt = creditsEndAt(world.creditAccount);
		const at = Math.min(
			world.eventQueue.nextDueTime(),
			world.nextGrantAt,
			world.nextReleaseAt,
			creditsEmptyAt,
		);
		if (at > now) break;
		world.now = at;
		eventCount += 1;
		if (at === world.nextGrantAt) {
			grantCredits(world.creditAccount, world.terms, at);
			world.nextGrantAt = nextMidnightAfter(at);
		} else if (at === world.nextReleaseAt) {
			publishRelease(world, at, nextVersion(world.seed, world.releases));
		} else if (at === creditsEmptyAt) {
			changeCredits(world.creditAccount, at, { daily: 0, monthly: 0, extra: 0 });
			stopComputersThatCost(world, at);
		} else {
			const dueEvent = world.eventQueue.takeEarliest();
			if (dueEvent && dueEvent.item.stateEndsAt === at) finishState(world, dueEvent.item, at);
		}
	}
	world.now = Math.max(world.now, now);
	return eventCount;
}

/** Publishes a release, and plans the next one. */
export function publishRelease(world: WorldState, at: number, version: string): void {
	const { seed, releases } = world;
	releases.push(createRelease(seed, releases.length, version, at));
	world.nextReleaseAt = nextReleaseAt(seed, releases);
}
