import type { OperationId } from '../fleet/fact.ts';
import { runwayOf } from '../fleet/runway.ts';
import { idleLimitOf } from '../fleet/sleep.ts';
import type { Budget } from '../pace/budget.ts';
import type { AccountState } from '../store/state.ts';
import type { Circumstances } from './rule.ts';
import { usualDuration } from './usual-duration.ts';

/** What is known of the account when a question opens. */
export function circumstancesFrom(
	account: AccountState,
	operation: OperationId,
	creates: Budget,
	now: number,
): Circumstances {
	const { release, subscription, credits, samples, computers, changes } = account;
	const usual = usualDuration(changes, operation);
	const idleLimit = idleLimitOf(subscription?.plan);
	return {
		now,
		...(release && { latest: release.version }),
		...(release?.title && { releaseTitle: release.title }),
		...(idleLimit !== undefined && { idleLimit }),
		...(subscription && { planName: subscription.planName }),
		...(credits && { credits }),
		runway: runwayOf(samples),
		activeCount: [...computers.values()].filter(({ phase }) => phase === 'active').length,
		creates,
		...(usual !== undefined && { usual }),
	};
}
