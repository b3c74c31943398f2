import type { Clock } from '../fleet/clock.ts';
import { fleetNews, urgentNews } from './news-words.ts';
import type { Moment } from './scene.ts';

type SpokenNewsDeps = {
	clock: Clock;
	momentNow: () => Moment;
	say: (lines: readonly string[]) => void;
};

type NewsChannel = { look(): void; close(): void };

/** News within the gathering time is spoken together. */
const urgentPace = { gathering: 100, interval: 0 };
const fleetPace = { gathering: 1500, interval: 8000 };

/** Speaks what happens from now on. Call `look` whenever something may have changed. */
export function createSpokenNews(parts: SpokenNewsDeps): NewsChannel {
	const lanes = [
		createChannel(parts, urgentNews, urgentPace),
		createChannel(parts, fleetNews, fleetPace),
	];
	return {
		look() {
			for (const lane of lanes) lane.look();
		},
		close() {
			for (const lane of lanes) lane.close();
		},
	};
}

function createChannel(
	{ clock, momentNow, say }: SpokenNewsDeps,
	newsBetween: (before: Moment, after: Moment) => readonly string[],
	{ gathering, interval }: typeof urgentPace,
): NewsChannel {
	let told = momentNow();
	let quietUntil = Number.NEGATIVE_INFINITY;
	let callOff: (() => void) | undefined;

	function tell() {
		callOff = undefined;
		const now = momentNow();
		const news = newsBetween(told, now);
		told = now;
		quietUntil = clock.now() + interval;
		say(news);
	}

	return {
		look() {
			if (callOff) return;
			const now = momentNow();
			if (newsBetween(told, now).length === 0) {
				told = now;
				return;
			}
			// The wait is capped, because the clock may have been set back.
			const quiet = Math.min(interval, quietUntil - clock.now());
			callOff = clock.after(Math.max(gathering, quiet), tell);
		},
		close() {
			callOff?.();
		},
	};
}
