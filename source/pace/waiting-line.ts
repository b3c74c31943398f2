import type { Permit, Priority } from './limits.ts';

type Waiter = {
	priority: Priority;
	grant(permit: Permit): void;
	reject(reason: unknown): void;
};

/** The requests that wait for a permit: operations before reads, and each kind in its order of arrival. */
export type WaitingLine = {
	/** Waits for a permit. Rejects with the signal's reason if the signal is aborted first. */
	join(priority: Priority, signal: AbortSignal): Promise<Permit>;
	first(): Pick<Waiter, 'priority'> | undefined;
	grantFirst(permit: Permit): void;
	rejectAll(reason: unknown): void;
};

/** Calls `onEmpty` when the last waiting request is aborted. */
export function createWaitingLine(onEmpty: () => void): WaitingLine {
	const waiters: Waiter[] = [];

	function insert(waiter: Waiter) {
		const firstRead = waiters.findIndex(other => other.priority === 'read');
		const isLast = waiter.priority === 'read' || firstRead < 0;
		waiters.splice(isLast ? waiters.length : firstRead, 0, waiter);
	}

	return {
		join: (priority, signal) =>
			new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const leave = () => {
					waiters.splice(waiters.indexOf(waiter), 1);
					reject(signal.reason);
					if (waiters.length === 0) onEmpty();
				};
				const waiter: Waiter = {
					priority,
					grant(permit) {
						signal.removeEventListener('abort', leave);
						resolve(permit);
					},
					reject(reason) {
						signal.removeEventListener('abort', leave);
						reject(reason);
					},
				};
				signal.addEventListener('abort', leave, { once: true });
				insert(waiter);
			}),
		first: () => waiters[0],
		grantFirst: permit => waiters.shift()?.grant(permit),
		rejectAll(reason) {
			for (const waiter of waiters.splice(0)) waiter.reject(reason);
		},
	};
}
