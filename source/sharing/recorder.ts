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
	/** Competes for the lease from now on, because this process has read something. */
	compete(): void;
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
	let isHeld = false;
	let renewedAt = 0;
	let cancel = () => {};

	function renew() {
		cancel();
		cancel = clock.after(renewalMs, renew);
		renewedAt = clock.now();
		const before = isHeld;
		isHeld = mayRecord();
		if (isHeld && !before) becoming.notify();
	}

	/**
	 * A disk that is full holds no new lease. Then each process that polls records: the journal merges what two processes
	 * have noticed, and a hook that runs twice is better than one that never runs.
	 */
	function mayRecord(): boolean {
		try {
			return lease?.hold() ?? true;
		} catch {
			return true;
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
		compete() {
			if (isCompeting || !lease) return;
			isCompeting = true;
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
