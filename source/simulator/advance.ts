import { changeCredits, creditsEndAt, grant, nextMidnight } from './credits.ts';
import { finishState, stopAllBurning } from './lifecycle.ts';
import { nextReleaseAt, nextVersion, releaseOf } from './releases.ts';
import type { WorldState } from './world-state.ts';

/**
 * Advances the world to a time by handling the due events in order. All values between two events are
 * computed from the time, so it does not matter how often this is called. Returns the number of events.
 */
export function advanceTo(world: WorldState, now: number): number {
	let events = 0;
	for (;;) {
		const emptyAt = creditsEndAt(world.account);
		const at = Math.min(world.due.nextAt(), world.grantAt, world.releaseAt, emptyAt);
		if (at > now) break;
		world.now = at;
		events += 1;
		if (at === world.grantAt) {
			grant(world.account, world.terms, at);
			world.grantAt = nextMidnight(at);
		} else if (at === world.releaseAt) {
			publishRelease(world, at, nextVersion(world.seed, world.releases));
		} else if (at === emptyAt) {
			changeCredits(world.account, at, { daily: 0, monthly: 0, extra: 0 });
			stopAllBurning(world, at);
		} else {
			const due = world.due.take();
			if (due && due.what.dueAt === at) finishState(world, due.what, at);
		}
	}
	world.now = Math.max(world.now, now);
	return events;
}

export function publishRelease(world: WorldState, at: number, version: string): void {
	const { seed, releases } = world;
	releases.push(releaseOf(seed, releases.length, version, at));
	world.releaseAt = nextReleaseAt(seed, releases);
}
