import { type BatchProgress, isUnsent } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { RecordedAccount, RecordingHeader } from '../../journal/recording.ts';
import {
	estimateSendingTime,
	knownSlotsFrom,
	type SendingSlotsByScope,
} from '../../operations/durations.ts';
import type { Operations } from '../../operations/operations.ts';
import { estimatedTurnOf, holdingReasonOf } from '../../operations/why-not.ts';
import type { Host } from '../../session/host.ts';
import { createSharedParts, openSession, type Sessions } from '../../session/session.ts';
import { batchesOf } from '../../store/our-operations.ts';
import type { AccountState } from '../../store/state.ts';
import { createStore } from '../../store/store.ts';
import { replayRefusal } from '../../views/actions/refusals.ts';

// The base URL of recordings without one. A replay sends no requests, so the host need not exist.
const defaultBaseUrl = 'https://platform.example/v1';

/**
 * Opens the sessions of a replay, one for each recorded account. Their store shows the recorded facts. The operations
 * have a separate, empty store. With the recorded store, they would act on recorded operations as if these happened
 * now.
 */
export function openReplaySessions(
	host: Pick<Host, 'clock' | 'random' | 'msSinceBoot'>,
	{ accounts }: Pick<RecordingHeader, 'accounts'>,
): Sessions {
	const shared = createSharedParts(host, { lockAfterMs: Number.POSITIVE_INFINITY });
	const store = createStore();
	const accountsNow = () => [...store.getState().accounts.values()];
	const operations = { ...shared.operations, ...recordedWaitReasons(accountsNow) };

	function openReplayed({ account, label, baseUrl = defaultBaseUrl }: RecordedAccount) {
		const access = {
			account,
			...(label !== undefined && { label }),
			baseUrl,
			credentials: { kind: 'token', token: '' } as const,
			fetch: () => Promise.reject(new Error(replayRefusal)),
			isReadOnly: true,
		};
		return { ...openSession(host, access, shared), store, operations };
	}

	const [first, ...others] = accounts.map(openReplayed);
	if (!first) throw new RangeError('a recording has at least one account');
	return [first, ...others];
}

/** Says why a recorded operation waits, using only the recorded facts. */
function recordedWaitReasons(
	accountsNow: () => readonly AccountState[],
): Pick<Operations, 'waitReasonsAt' | 'estimateTimeLeft'> {
	return {
		waitReasonsAt(now = 0) {
			const queues = accountsNow().map(account => {
				const queued = [...account.operations.values()].filter(({ stage }) => stage === 'queued');
				return { account, queued };
			});
			return key => {
				const { account, queued } = queues.find(each => each.account.operations.has(key)) ?? {};
				const operation = account?.operations.get(key);
				if (!account || !queued || !operation || !isUnsent(operation)) return undefined;
				const conditions = { isLocked: false, holdReason: undefined };
				return (
					holdingReasonOf(operation, account, conditions) ??
					estimatedTurnOf(
						operation.spec,
						queued.indexOf(operation),
						knownSlotsFrom(account.standings, now),
						now,
					)
				);
			};
		},
		estimateTimeLeft(id, now = 0) {
			const times = accountsNow().map(account =>
				timeLeftOf(batchesOf(account).get(id), knownSlotsFrom(account.standings, now), now),
			);
			return Math.max(0, ...times);
		},
	};
}

/** The approximate time until the last operation of a batch is sent; 0 without a batch. */
function timeLeftOf(batch: BatchProgress | undefined, slots: SendingSlotsByScope, now: number) {
	const { scope } = operationRowOf(batch?.operation ?? '');
	return estimateSendingTime(batch?.countsByState.waiting ?? 0, scope, slots, now);
}
