import { isUnderWay } from '../fleet/operation.ts';
import type { AccountState } from './state.ts';

// Longer than any request takes whose answer could still name them.
const rememberedFor = 300_000;

/** Answers that were asked for before a computer went away cannot bring it back. */
export function wasRemoved({ removed }: AccountState, id: string, askedAt: number): boolean {
	const at = removed.get(id);
	return at !== undefined && askedAt < at && at - askedAt < rememberedFor;
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
	const recent = [...account.removed].filter(([, time]) => Math.abs(at - time) < rememberedFor);
	return {
		...account,
		computers: new Map([...account.computers].filter(isHere)),
		computerReads: new Map([...account.computerReads].filter(isHere)),
		removed: new Map([...recent, ...ids.map(id => [id, at] as const)]),
		operations: new Map(
			[...account.operations].filter(
				([, operation]) => isUnderWay(operation) || !away.has(operation.spec.computer ?? ''),
			),
		),
	};
}
