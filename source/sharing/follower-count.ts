import type { Clock } from '../foundation/clock.ts';

/** Shows how many processes follow this one. */
export type FollowerCount = {
	set(count: number): void;
	/** Keeps the shown number for a moment, because the followers of another leader are about to connect. */
	awaitFollowers(): void;
	/** Stops showing the number. */
	stop(): void;
};

/** Followers that lose their leader connect to the next leader within this time, unless they are busy. */
export const gatheringMs = 50;

/**
 * Shows the number of followers: the first change at once, and several changes in quick succession together. Drawing
 * takes longer than greeting a follower, so drawing for each of them would make the others wait:
 *
 * ```
 *   set(1)     shown
 *   set(2)     waits ──┐
 *   set(3)     waits   │ gatheringMs after the last one that was shown
 *                      ▼
 *              3 is shown
 * ```
 */
export function createFollowerCount(clock: Clock, show: (count: number) => void): FollowerCount {
	let count = 0;
	let shownAt = Number.NEGATIVE_INFINITY;
	let cancelShow: (() => void) | undefined;

	function showNow() {
		cancelShow?.();
		cancelShow = undefined;
		shownAt = clock.now();
		show(count);
	}

	function showSoon() {
		cancelShow ??= clock.after(gatheringMs, showNow);
	}

	return {
		set(next) {
			count = next;
			const elapsedMs = clock.now() - shownAt;
			// A negative time means that the clock was set back.
			if (!cancelShow && (elapsedMs < 0 || elapsedMs >= gatheringMs)) showNow();
			else showSoon();
		},
		awaitFollowers() {
			count = 0;
			showSoon();
		},
		stop() {
			cancelShow?.();
			cancelShow = undefined;
		},
	};
}
