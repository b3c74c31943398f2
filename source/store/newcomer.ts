import { isUnderWay, type Operation } from '../fleet/operation.ts';
import type { AccountState } from './state.ts';

/**
 * The create that has no row to tell of it: it waits, was just sent, or nobody knows what became of it;
 * or else one that failed and was not seen.
 */
export function newcomerIn({ operations }: AccountState): Operation | undefined {
	const all = [...operations.values()].filter(
		({ wish }) => wish.operation === 'create' && wish.computer === undefined,
	);
	return all.find(isUnderWay) ?? all.at(-1);
}
