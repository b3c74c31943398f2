import { isUnderWay } from '../fleet/operations/operation.ts';
import { withOperationsEnded } from './our-operations.ts';
import type { AccountState } from './state.ts';
import { usageWithout } from './usage-history.ts';

// Removed ids are remembered for longer than any request takes, so that no late answer restores a removed
// computer.
const rememberedForMs = 300_000;

/**
 * Returns whether a computer was removed after a request about it was sent. The answer to such a request must not
 * restore the computer.
 */
export function wasRemoved({ removalTimes }: AccountState, id: string, askedAt: number): boolean {
	const at = removalTimes.get(id);
	return at !== undefined && askedAt < at && at - askedAt < rememberedForMs;
}

/** Removes computers and everything stored about them, including their failed operations. */
export function withoutComputers(
	account: AccountState,
	ids: readonly string[],
	at: number,
): AccountState {
	if (ids.length === 0) return account;
	const away = new Set(ids);
	const failed = [...account.operations.values()].filter(
		operation => !isUnderWay(operation) && away.has(operation.spec.computer ?? ''),
	);
	const isHere = ([id]: readonly [string, unknown]) => !away.has(id);
	const recent = [...account.removalTimes].filter(
		([, time]) => Math.abs(at - time) < rememberedForMs,
	);
	return withOperationsEnded(
		{
			...account,
			computers: new Map([...account.computers].filter(isHere)),
			computerReads: new Map([...account.computerReads].filter(isHere)),
			usage: usageWithout(account.usage, away),
			removalTimes: new Map([...recent, ...ids.map(id => [id, at] as const)]),
		},
		failed.map(({ spec }) => spec.key),
	);
}
