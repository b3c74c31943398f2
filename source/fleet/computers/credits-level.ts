import type { Credits } from './account.ts';
import { isMeasuredLong, type Runway } from './runway.ts';

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
