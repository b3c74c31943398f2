import type { Operation } from '../fleet/operation.ts';
import { newcomerIn } from '../store/newcomer.ts';
import { operationsByComputer } from '../store/rows.ts';
import type { AccountState } from '../store/state.ts';

/**
 * What may be asked for again: what failed on the computer that one looks at, or else all that failed
 * as the last one did. One question is about one operation.
 */
export function failedAlike(
	account: AccountState,
	lookedAt: Operation | undefined,
): readonly Operation[] {
	if (lookedAt?.stage === 'failed') return [lookedAt];
	const onComputers = [...operationsByComputer(account.operations).values()];
	const failed = onComputers.filter(({ stage }) => stage === 'failed');
	const last = failed.at(-1);
	if (last) {
		const { operation, port } = last.wish;
		return failed.filter(({ wish }) => wish.operation === operation && wish.port === port);
	}
	const newcomer = newcomerIn(account);
	return newcomer?.stage === 'failed' ? [newcomer] : [];
}
