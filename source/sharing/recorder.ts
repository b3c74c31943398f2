import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import type { RecorderLease } from './recorder-lease.ts';

/**
 * Says whether this process is the recorder of an account. Of all processes of the host that poll the account, only the
 * recorder journals the answers, keeps the snapshot and runs the hooks.
 */
export type Recorder = {
	isRecorder(): boolean;
	/** Adds a listener that is called whenever this process becomes the recorder. Returns a function that removes it. */
	onBecoming(listener: () => void): () => void;
};

/** The recorder with the methods for its own session. */
export type OwnRecorder = Recorder & {
	/**
	 * Competes for the lease from now on, because this process polls. A process that is signed out loses the lease to
	 * any process that can read.
	 */
	compete(options: { canRead: boolean }): void;
	/** Gives the lease up, so that another process can take it. */
	withdraw(): void;
};

// Short enough to renew a lease several times within its lifetime, and to take a free lease soon.
const renewalMs = 2_000;

/**
 * Competes for the lease. If the account has no lease, no other process uses its files, so this process is the
 * recorder.
 */
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
		// While this process was stopped, another process may have held the lease and left it.
		if (isHeld && (!before || outcome === 'taken')) becoming.notify();
	}

	/**
	 * On a full disk no lease can be written. Then each process that polls is a recorder: the journal merges changes that
	 * two processes have noticed, and a hook that runs twice is better than a hook that never runs.
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
			// While this process was stopped, another process may have taken the lease.
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
