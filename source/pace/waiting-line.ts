import type { Priority, SendingPermit } from './limits.ts';

type Waiter = {
	priority: Priority;
	grant(permit: SendingPermit): void;
	reject(reason: unknown): void;
};

const order: readonly Priority[] = ['operation', 'requestedRead', 'read'];

/** The requests that wait for a permit: the highest priority first, and each priority in its order of arrival. */
type WaitingLine = {
	/** Waits for a permit. Rejects with the signal's reason if the signal is aborted first. */
	waitForPermit(priority: Priority, signal: AbortSignal): Promise<SendingPermit>;
	firstWaiter(): Pick<Waiter, 'priority'> | undefined;
	grantFirst(permit: SendingPermit): void;
	rejectAll(reason: unknown): void;
};

/** Calls `onEmpty` when the last waiting request is aborted. */
export function createWaitingLine(onEmpty: () => void): WaitingLine {
	const waiters: Waiter[] = [];

	function insert(waiter: Waiter) {
		const rank = order.indexOf(waiter.priority);
		const place = waiters.findIndex(({ priority }) => order.indexOf(priority) > rank);
		waiters.splice(place < 0 ? waiters.length : place, 0, waiter);
	}

	return {
		waitForPermit: (priority, signal) =>
			new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const leaveLine = () => {
					waiters.splice(waiters.indexOf(waiter), 1);
					reject(signal.reason);
					if (waiters.length === 0) onEmpty();
				};
				const waiter: Waiter = {
					priority,
					grant(permit) {
						signal.removeEventListener('abort', leaveLine);
						resolve(permit);
					},
					reject(reason) {
						signal.removeEventListener('abort', leaveLine);
						reject(reason);
					},
				};
				signal.addEventListener('abort', leaveLine, { once: true });
				insert(waiter);
			}),
		firstWaiter: () => waiters[0],
		grantFirst: permit => waiters.shift()?.grant(permit),
		rejectAll(reason) {
			for (const waiter of waiters.splice(0)) waiter.reject(reason);
		},
	};
}
