import type { StoreApi } from 'zustand/vanilla';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { changesBetween } from '../store/change-log.ts';
import { type AccountStore, createAccountStore } from './account-store.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import type { OperatedAccount, OperationsOptions } from './operations-options.ts';
import type { OperationsState } from './operations-state.ts';
import { createPendingOperations, type PendingOperations } from './pending-operations.ts';
import { checkPort } from './port-check.ts';
import { createChangePolicy, type Lock } from './refusal.ts';

/** The operations of one account: its queue, its limits and its requests. */
export type AccountOperations = Pick<
	OperatedAccount,
	'profile' | 'platform' | 'limiter' | 'questionStrictness' | 'commandOptions'
> & {
	accountStore: AccountStore;
	pending: PendingOperations;
	lifecycle: Lifecycle;
	/** Visits a published port. A visit wakes a computer, so nothing is visited while changes are refused. */
	checkPort(id: string, port: number): void;
	/** Drops all operations of the account that are not sent. No request is sent afterwards. */
	close(): void;
};

type AccountOperationsOptions = Pick<OperationsOptions, 'store' | 'clock'> & {
	account: OperatedAccount;
	lock: Lock;
	state: StoreApi<OperationsState>;
};

export function createAccountOperations(options: AccountOperationsOptions): AccountOperations {
	const { account: operated, lock, state, store, clock } = options;
	const { profile } = operated;
	const { account, isReadOnly } = profile;
	const closing = new AbortController();
	const { signal } = closing;
	const accountStore = createAccountStore(account, store, clock);
	const pending = createPendingOperations(accountStore);
	const policy = createChangePolicy({ signal, lock, isReadOnly, state });
	const own = { accountStore, pending, policy, signal };
	const parts = { ...operated, store, clock, state, ...own };
	const lifecycle = createLifecycle(parts);
	const visit = (id: string, port: number) =>
		void checkPort(parts, { id: globalIdOf(account, id), computer: id, port });

	let seen = accountStore.state();
	const unsubscribe = store.subscribe(() => {
		const before = seen;
		seen = accountStore.state();
		for (const change of changesBetween(before, seen)) {
			if (change.type !== 'operationMoved' || change.pane !== undefined) continue;
			const { operation, computer, port } = change.wish;
			if (change.to === 'sent') lock.restartIdleTime();
			const isPublished =
				change.to === 'settled' && operationRowOf(operation).goal.reaches === 'published';
			if (isPublished && computer !== undefined && port !== undefined) visit(computer, port);
		}
	});

	return {
		...operated,
		accountStore,
		pending,
		lifecycle,
		checkPort(id, port) {
			if (policy.changePermission(true) === 'go') visit(id, port);
		},
		close() {
			closing.abort();
			pending.cancel(pending.unsent());
			lifecycle.close();
			unsubscribe();
		},
	};
}
