import type { Operation } from '../fleet/operation.ts';
import { type Settlement, settlementOf } from '../fleet/settlement.ts';
import { statusSightOf } from './sight.ts';
import type { AccountState } from './state.ts';

/** How an operation ended, from what is known of its computer by now. */
export function settlementIn(account: AccountState, operation: Operation): Settlement {
	const computer = account.computers.get(operation.wish.computer ?? '');
	if (!computer) return settlementOf(operation, undefined);
	const { reading, phase, isMissing } = computer;
	const toldFrom = statusSightOf(account, computer)?.askedAt ?? Number.NEGATIVE_INFINITY;
	return settlementOf(operation, { reading, phase, toldFrom, isMissing });
}
