import type { Fate } from './model-platform.ts';
import { randomWait } from './random.ts';
import type { Simulation } from './simulation.ts';

const minute = 60_000;
const hour = 60 * minute;

export const longestOutage = 10 * minute;

/** Lets a few requests fail, and stops all answers for some minutes about four times a day. */
export function createWeather(): (at: number, random: () => number) => Fate {
	let from = 10 * minute;
	let until = from + 5 * minute;

	return (at, random) => {
		if (at >= until) {
			from = at + randomWait(random, 6 * hour);
			until = from + minute + random() * (longestOutage - minute);
		}
		if (at >= from) return 'reset';
		const luck = random();
		if (luck < 0.01) return 'reset';
		if (luck < 0.02) return 'broken';
		return luck < 0.022 ? 'hung' : 'answered';
	};
}

/** Lets another client spend a third of each limit at random times. */
export function spendElsewhere({ clock, windows, random }: Simulation): void {
	const spend = (scope: 'status' | 'other', every: number) => {
		const next = () => {
			windows[scope].arrive(clock.elapsed(), false);
			clock.after(randomWait(random, every), next);
		};
		clock.after(randomWait(random, every), next);
	};
	spend('status', minute / 20);
	spend('other', minute / 10);
}
