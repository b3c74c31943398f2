import type { Clock } from '../foundation/clock.ts';
import { unattendedAfterMs } from '../watch/polling-mode.ts';

/** Whether a person watches the monitor, judging by the focus of the terminal or by the last key. */
export type Attendance = {
	/** The time until which a person counts as watching, if no other key follows. */
	attendedUntil(): number;
	noteKey(): void;
	/**
	 * Notes that the terminal gained or lost the focus. From then on, only the focus counts, and keys no longer do.
	 */
	noteFocus(isFocused: boolean): void;
};

export function createAttendance(clock: Clock): Attendance {
	let lastKeyAt = clock.now();
	let hasFocus: boolean | undefined;

	return {
		attendedUntil() {
			if (hasFocus === undefined) return lastKeyAt + unattendedAfterMs;
			return hasFocus ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
		},
		noteKey() {
			lastKeyAt = clock.now();
		},
		noteFocus(isFocused) {
			hasFocus = isFocused;
		},
	};
}

// A key is reported to the watch at most this often, because each report makes a new plan.
const minReportDistanceMs = 30_000;

/** Whether `attendedUntil` has changed enough to report it to the watch. */
export function isWorthReporting(
	attendedUntil: number,
	reportedUntil: number,
	now: number,
): boolean {
	return (
		attendedUntil !== reportedUntil &&
		(now >= reportedUntil || Math.abs(attendedUntil - reportedUntil) >= minReportDistanceMs)
	);
}
