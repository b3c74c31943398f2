import type { Credits } from './account.ts';
import { isMeasuredLong, type Runway } from './runway.ts';

export type CreditsLevel = 'low' | 'enough';

// A forecast moves a little with every balance. So the credits count as enough again only when the forecast is
// clearly above the threshold.
const recoveryFactor = 1.2;

/**
 * Returns whether the credits are low: the platform runs no computer with them, or they last no longer than the setting
 * `notify.creditsLeft`. Returns undefined while it is not known how long they last. `before` is the level until now.
 */
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
