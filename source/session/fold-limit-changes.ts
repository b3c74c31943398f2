import type { ScopeUsage } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Slots } from '../limits/slots.ts';
import type { Store } from '../store/store.ts';

/** The limiter notifies after every request, also if nothing has changed. */
export function foldLimitChanges(account: string, limiter: Limiter, store: Store, clock: Clock) {
	let last = '';
	return limiter.subscribe(() => {
		const { create, status, other } = limiter.slots();
		const standings = { create: usageOf(create), status: usageOf(status), other: usageOf(other) };
		const text = JSON.stringify(standings);
		if (text === last) return;
		last = text;
		store.receive([{ account, at: clock.now(), type: 'limitsChanged', standings }]);
	});
}

function usageOf(slots: Slots): ScopeUsage {
	const { limit, free, nextAt, frozenUntil, isAlone, spentElsewhere } = slots;
	return {
		limit,
		spent: limit - free.operation,
		nextReadAt: free.read === 0 ? nextAt.read : undefined,
		nextOperationAt: free.operation === 0 ? nextAt.operation : undefined,
		elsewhere: spentElsewhere || undefined,
		frozenUntil,
		isAlone: isAlone || undefined,
	};
}
