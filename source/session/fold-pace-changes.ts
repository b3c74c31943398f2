import type { Pace } from '../pace/pace.ts';
import type { Store } from '../store/store.ts';
import type { Host } from './host.ts';

/** The rate limiter notifies after every request. Only a changed budget becomes a fact. */
export function foldPaceChanges(account: string, pace: Pace, store: Store, clock: Host['clock']) {
	let lastSerialised = '';
	return pace.subscribe(() => {
		const standings = rateLimitUsageOf(pace);
		const serialised = JSON.stringify(standings);
		if (serialised === lastSerialised) return;
		lastSerialised = serialised;
		store.fold({ account, at: clock.now(), type: 'paceChanged', standings });
	});
}

function rateLimitUsageOf(pace: Pace) {
	const budgets = pace.budgets();
	const usageOf = ({
		limit,
		requestsLeft,
		nextRequestAt,
		frozenUntil,
		countsThisProcessOnly: isAlone,
	}: (typeof budgets)['other']) => ({
		limit,
		spent: limit - requestsLeft.operation,
		...(requestsLeft.read === 0 && { nextReadAt: nextRequestAt.read }),
		...(frozenUntil !== undefined && { frozenUntil }),
		...(isAlone && { isAlone }),
	});
	return {
		create: usageOf(budgets.create),
		status: usageOf(budgets.status),
		other: usageOf(budgets.other),
	};
}
