import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import type { RecorderLease } from './recorder-lease.ts';

/**
 * Says whether this process is the recorder of an account: of all processes of the host that poll the account, the
 * one that journals what was read, keeps the snapshot and runs the hooks.
 */
export type Recorder = {
	isRecorder(): boolean;
	/** Adds a listener to the times at which this process becomes the recorder. Returns a function that removes it. */
	onBecoming(listener: () => void): () => void;
};

/** The recorder as its own session uses it. */
export type OwnRecorder = Recorder & {
	/**
	 * Competes for the lease from now on, because this process polls. A process that is signed out holds the lease only
	 * as long as no process competes that can read.
	 */
	compete(options: { canRead: boolean }): void;
	/** Leaves the lease to another process. */
	withdraw(): void;
};

// A lease is renewed several times within its lifetime, and a free one is taken soon.
const renewalMs = 2_000;

/** Competes for the lease. Without a lease, no other process shares the files, so this process is the recorder. */
export function createRecorder({
	lease,
	clock,
}: {
	lease: RecorderLease | undefined;
	clock: Clock;
}): OwnRecorder {
	const becoming = createListeners();
	let isCompeting = false;
	let canRead = true;
	let isHeld = false;
	let renewedAt = 0;
	let cancel = () => {};

	function renew() {
		cancel();
		cancel = clock.after(renewalMs, renew);
		renewedAt = clock.now();
		const before = isHeld;
		const outcome = hold();
		isHeld = outcome !== 'refused';
		// A process that was stopped may take the lease again that another process held and left meanwhile.
		if (isHeld && (!before || outcome === 'taken')) becoming.notify();
	}

	/**
	 * A disk that is full holds no new lease. Then each process that polls records: the journal merges what two processes
	 * have noticed, and a hook that runs twice is better than one that never runs.
	 */
	function hold() {
		try {
			return lease?.hold(canRead) ?? 'renewed';
		} catch {
			return 'renewed';
		}
	}

	return {
		isRecorder() {
			if (!lease) return true;
			// A process that was stopped may have lost the lease meanwhile.
			if (isHeld && clock.now() - renewedAt > 2 * renewalMs) renew();
			return isHeld;
		},
		onBecoming: becoming.subscribe,
		compete(options) {
			if (!lease || (isCompeting && canRead === options.canRead)) return;
			isCompeting = true;
			canRead = options.canRead;
			renew();
		},
		withdraw() {
			cancel();
			isCompeting = false;
			isHeld = false;
			try {
				lease?.release();
			} catch {
				// The lease expires by itself.
			}
		},
	};
}
