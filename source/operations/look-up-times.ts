import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';
import { confirmAfterMs, lookUpAfterMs } from './outcome.ts';

/** When the outcomes of requests without a response are looked up. */
type LookUpTimes = {
	/** Looks up the outcome now and after each delay. */
	begin(spec: OperationSpec): void;
};

type LookUpOptions = {
	clock: Clock;
	signal: AbortSignal;
	/** Reads the answer that reveals the outcome, if the outcome is still unknown. */
	lookUp: (spec: OperationSpec) => void;
};

type Entry = { spec: OperationSpec; lostAt: number; dueAt: number };

/**
 * One timer serves all operations. When the platform is out of order, many responses can be lost within seconds, and
 * each has to be looked up twice.
 */
export function createLookUpTimes({ clock, signal, lookUp }: LookUpOptions): LookUpTimes {
	let entries: readonly Entry[] = [];
	let cancelTimer = () => {};

	function setTimer() {
		cancelTimer();
		if (entries.length === 0) return;
		const nextAt = Math.min(...entries.map(({ dueAt }) => dueAt));
		// The clock may have been set back, so no wait is longer than the longest delay.
		const waitMs = Math.min(confirmAfterMs, nextAt - clock.now());
		cancelTimer = clock.after(Math.max(0, waitMs), lookUpDue);
	}

	function lookUpDue() {
		const now = clock.now();
		const isDue = ({ lostAt, dueAt }: Entry) => now >= dueAt || now < lostAt;
		const due = entries.filter(isDue);
		entries = entries.filter(entry => !isDue(entry));
		for (const { spec } of due) lookUp(spec);
		setTimer();
	}

	signal.addEventListener(
		'abort',
		() => {
			entries = [];
			cancelTimer();
		},
		{ once: true },
	);

	return {
		begin(spec) {
			if (signal.aborted) return;
			lookUp(spec);
			const lostAt = clock.now();
			const delays = [lookUpAfterMs, confirmAfterMs];
			entries = [...entries, ...delays.map(delay => ({ spec, lostAt, dueAt: lostAt + delay }))];
			setTimer();
		},
	};
}
