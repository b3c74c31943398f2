import type { Clock } from '../foundation/clock.ts';
import { fleetNews, urgentNews } from './news-words.ts';
import type { Moment } from './scene.ts';

type SpokenNewsDeps = {
	clock: Clock;
	momentNow: () => Moment;
	say: (lines: readonly string[]) => void;
};

type NewsChannel = { update(): void; close(): void };

/**
 * Changes within `gatheringMs` are spoken together, and at least `minIntervalMs` pass before the next
 * changes are spoken.
 */
const urgentTiming = { gatheringMs: 100, minIntervalMs: 0 };
const fleetTiming = { gatheringMs: 1500, minIntervalMs: 8000 };

/** Speaks changes from now on. The caller calls `update` whenever something may have changed. */
export function createSpokenNews(deps: SpokenNewsDeps): NewsChannel {
	const channels = [
		createChannel(deps, urgentNews, urgentTiming),
		createChannel(deps, fleetNews, fleetTiming),
	];
	return {
		update() {
			for (const channel of channels) channel.update();
		},
		close() {
			for (const channel of channels) channel.close();
		},
	};
}

function createChannel(
	{ clock, momentNow, say }: SpokenNewsDeps,
	newsBetween: (before: Moment, after: Moment) => readonly string[],
	{ gatheringMs, minIntervalMs }: typeof urgentTiming,
): NewsChannel {
	let spoken = momentNow();
	let quietUntil = Number.NEGATIVE_INFINITY;
	let cancelTimer: (() => void) | undefined;

	function speak() {
		cancelTimer = undefined;
		const now = momentNow();
		const news = newsBetween(spoken, now);
		spoken = now;
		quietUntil = clock.now() + minIntervalMs;
		say(news);
	}

	return {
		update() {
			if (cancelTimer) return;
			const now = momentNow();
			if (newsBetween(spoken, now).length === 0) {
				spoken = now;
				return;
			}
			// The wait is capped at the interval, because the clock may have been set back.
			const quiet = Math.min(minIntervalMs, quietUntil - clock.now());
			cancelTimer = clock.after(Math.max(gatheringMs, quiet), speak);
		},
		close() {
			cancelTimer?.();
		},
	};
}
