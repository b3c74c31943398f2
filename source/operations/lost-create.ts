import type { Operation } from '../fleet/operation.ts';
import { isWholeFleetTold } from '../store/sight.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

/** The ids that were known when a create went out; absent when no whole list had been read by then. */
export type KnownBefore = ReadonlySet<string> | undefined;

// The platform's clock is not ours.
const tremor = 120_000;

export function knownIds(account: AccountState): KnownBefore {
	return isWholeFleetTold(account) ? new Set(account.computers.keys()) : undefined;
}

/**
 * The computer that a create made whose answer was lost: one that was not there before, is not another
 * create's, and is not called otherwise.
 */
export function computerOfLostCreate(
	{ computers, operations }: AccountState,
	{ wish, sentAt = 0 }: Operation,
	before: KnownBefore,
): ComputerState | undefined {
	const claimed = new Set([...operations.values()].map(each => each.wish.computer));
	const isNew = ({ id, phase, reading: { createdAt, name } }: ComputerState) => {
		if (claimed.has(id) || phase === 'archived') return false;
		if (wish.name && name && name !== wish.name) return false;
		const isOlder = typeof createdAt === 'number' && createdAt < sentAt - tremor;
		return before ? !before.has(id) && !isOlder : typeof createdAt === 'number' && !isOlder;
	};
	const found = [...computers.values()].filter(isNew);
	const called = found.find(({ reading }) => wish.name && reading.name === wish.name);
	return called ?? found.sort(byAge)[0];
}

function byAge(a: ComputerState, b: ComputerState): number {
	return (a.reading.createdAt ?? 0) - (b.reading.createdAt ?? 0);
}
