import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import type { AccountStore } from './account-store.ts';
import type { BegunPart } from './begun-part.ts';
import type { OperationsState } from './operations-state.ts';
import type { PendingOperations } from './pending-operations.ts';

/** The countdowns before requests are sent. A countdown runs only while a person can see it. */
type Countdowns = {
	/**
	 * Starts the countdown of operations. The operations are queued only after a person could see the whole
	 * countdown.
	 */
	begin(part: BegunPart, durationMs: number): void;
	/** Stops all countdowns because they are out of sight. `release` restarts each one with its full time. */
	hold(): void;
	release(): void;
	close(): void;
};

type CountdownsOptions = {
	clock: Clock;
	accountStore: AccountStore;
	state: StoreApi<OperationsState>;
	pending: PendingOperations;
	/** Fails what was not sent before the machine slept. */
	cancelForgotten: () => void;
};

// If the timer of a countdown fires this late, the program was stopped, or the clock was set, and the countdown that a
// person saw was another one, so it starts again.
const unseenIfLateByMs = 1_000;

const betweenLooksMs = 10;

/**
 * ```
 *   running ──hold──▶ held ──release──▶ running, from its full time ──▶ over
 * ```
 *
 */
export function createCountdowns(options: CountdownsOptions): Countdowns {
	const { clock, accountStore, state, pending, cancelForgotten } = options;
	const counting = new Set<{ hold(): void; restart(): void; cancelTimer(): void }>();
	let isHeld = false;

	return {
		begin(part, durationMs) {
			let endsAt = 0;
			let cancelTimer = () => {};
			const countdown = {
				hold() {
					cancelTimer();
					const leftMs = Math.min(durationMs, Math.max(0, endsAt - clock.now()));
					const keys = shownKeys();
					if (keys.length > 0) accountStore.fold({ type: 'countdownHeld', keys, leftMs });
				},
				restart() {
					run();
					const keys = shownKeys();
					if (keys.length > 0) accountStore.fold({ type: 'countdownRestarted', keys, endsAt });
				},
				cancelTimer: () => cancelTimer(),
			};

			const shownKeys = () => {
				const { operations } = accountStore.state();
				const items = part.taken().filter(pending.isPending);
				return items.flatMap(({ spec: { key } }) => (operations.has(key) ? [key] : []));
			};

			function run() {
				endsAt = clock.now() + durationMs;
				cancelTimer = clock.after(durationMs, end);
			}

			function end() {
				// An Esc that was pressed in time still cancels.
				if (state.getState().isEscapePending()) {
					cancelTimer = clock.after(betweenLooksMs, end);
					return;
				}
				cancelForgotten();
				const isForgotten = !part.taken().some(pending.isPending);
				if (!isForgotten && Math.abs(clock.now() - endsAt) >= unseenIfLateByMs)
					return countdown.restart();
				counting.delete(countdown);
				pending.enqueue(part);
				accountStore.fold({ type: 'countdownEnded', keys: shownKeys() });
			}

			counting.add(countdown);
			run();
			if (isHeld) countdown.hold();
		},
		hold() {
			if (isHeld) return;
			isHeld = true;
			for (const { hold } of counting) hold();
		},
		release() {
			if (!isHeld) return;
			isHeld = false;
			for (const { restart } of counting) restart();
		},
		close() {
			for (const { cancelTimer } of counting) cancelTimer();
			counting.clear();
		},
	};
}
