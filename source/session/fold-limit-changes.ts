import type { RateLimitUsage, ScopeUsage } from '../fleet/fact.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Slots } from '../limits/slots.ts';
import type { Store } from '../store/store.ts';
import type { Host } from './host.ts';

/** The limiter notifies after every request. Only changed slots become a fact. */
export function foldLimitChanges(
	account: string,
	limiter: Limiter,
	store: Store,
	clock: Host['clock'],
) {
	let lastSerialised = '';
	return limiter.subscribe(() => {
		const { create, status, other } = limiter.slots();
		const standings: RateLimitUsage = {
			create: usageOf(create),
			status: usageOf(status),
			other: usageOf(other),
		};
		const serialised = JSON.stringify(standings);
		if (serialised === lastSerialised) return;
		lastSerialised = serialised;
		store.receive([{ account, at: clock.now(), type: 'limitsChanged', standings }]);
	});
}

const usageOf = ({
	limit,
	free,
	nextAt,
	frozenUntil,
	isAlone,
	spentElsewhere,
}: Slots): ScopeUsage => ({
	limit,
	spent: limit - free.operation,
	...(free.read === 0 && { nextReadAt: nextAt.read }),
	...(free.operation === 0 && { nextOperationAt: nextAt.operation }),
	...(spentElsewhere > 0 && { elsewhere: spentElsewhere }),
	...(frozenUntil !== undefined && { frozenUntil }),
	...(isAlone && { isAlone }),
});
