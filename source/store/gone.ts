import { isUnderWay } from '../fleet/operation.ts';
import type { AccountState } from './state.ts';

// Longer than any request takes whose answer could still name them.
const keptFor = 300_000;

/** Answers that were asked for before a computer went away cannot bring it back. */
export function wasGone({ gone }: AccountState, id: string, askedAt: number): boolean {
	const at = gone.get(id);
	return at !== undefined && askedAt < at && at - askedAt < keptFor;
}

/** Takes computers away, and all that was kept beside them. What failed on one fails no more. */
export function withoutComputers(
	account: AccountState,
	ids: readonly string[],
	at: number,
): AccountState {
	if (ids.length === 0) return account;
	const away = new Set(ids);
	const isHere = ([id]: readonly [string, unknown]) => !away.has(id);
	const recent = [...account.gone].filter(([, time]) => Math.abs(at - time) < keptFor);
	return {
		...account,
		computers: new Map([...account.computers].filter(isHere)),
		sights: new Map([...account.sights].filter(isHere)),
		gone: new Map([...recent, ...ids.map(id => [id, at] as const)]),
		operations: new Map(
			[...account.operations].filter(
				([, operation]) => isUnderWay(operation) || !away.has(operation.wish.computer ?? ''),
			),
		),
	};
}
