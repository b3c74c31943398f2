import type { ScopeUsage } from '../../fleet/fact.ts';
import { isUnsent } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { replayRefusal } from '../../keys/replay-bindings.ts';
import { estimateSendingTime, type SendingBudget } from '../../operations/durations.ts';
import type { Operations } from '../../operations/operations.ts';
import { estimatedTurnOf, holdingReasonOf } from '../../operations/waiting.ts';
import type { Host } from '../../session/host.ts';
import { type AccountSession, openSession } from '../../session/session.ts';
import { type AccountState, emptyAccount } from '../../store/state.ts';
import { createStore } from '../../store/store.ts';

// The base URL of recordings without one. A replay sends no requests, so the host need not exist.
const defaultBaseUrl = 'https://platform.example/v1';

/**
 * Opens a session for a replay. Its store shows the recorded facts. The operations have an empty store of their
 * own, because they would judge the recorded operations by the present time.
 */
export function openReplaySession(
	host: Pick<Host, 'clock' | 'random' | 'msSinceBoot'>,
	{ account, baseUrl = defaultBaseUrl }: { account: string; baseUrl?: string | undefined },
): AccountSession {
	const session = openSession(host, {
		account,
		baseUrl,
		credentials: { kind: 'token', token: '' },
		fetch: () => Promise.reject(new Error(replayRefusal)),
		isReadOnly: true,
		lockAfterMs: Number.POSITIVE_INFINITY,
	});
	const store = createStore();
	const accountNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	return {
		...session,
		store,
		operations: { ...session.operations, ...recordedWaitReasons(accountNow) },
	};
}

/** Says why recorded operations wait, judged by the recorded facts alone. */
function recordedWaitReasons(
	accountNow: () => AccountState,
): Pick<Operations, 'waitReasonsAt' | 'estimateTimeLeft'> {
	return {
		waitReasonsAt(now = 0) {
			const account = accountNow();
			const queued = [...account.operations.values()].filter(({ stage }) => stage === 'queued');
			return key => {
				const operation = account.operations.get(key);
				if (!operation || !isUnsent(operation)) return undefined;
				const { spec } = operation;
				const conditions = { account, isLocked: false, isQueueHeld: false };
				return (
					holdingReasonOf(spec, operation, conditions) ??
					estimatedTurnOf(spec, queued.indexOf(operation), recordedBudgets(account, now), now)
				);
			};
		},
		estimateTimeLeft(id, now = 0) {
			const account = accountNow();
			const batch = account.batches.get(id);
			if (!batch) return 0;
			const { scope } = operationRowOf(batch.operation);
			const budget = recordedBudgets(account, now)[scope];
			return estimateSendingTime(batch.countsByState.waiting, scope, budget, now);
		},
	};
}

function recordedBudgets({ standings }: AccountState, now: number) {
	const budgetOf = (usage: ScopeUsage | undefined): SendingBudget => ({
		limit: usage?.limit ?? Number.POSITIVE_INFINITY,
		requestsLeft: { operation: usage ? usage.limit - usage.spent : Number.POSITIVE_INFINITY },
		nextRequestAt: { operation: usage?.frozenUntil ?? usage?.nextReadAt ?? now },
		spentElsewhere: 0,
	});
	return { create: budgetOf(standings?.create), other: budgetOf(standings?.other) };
}
