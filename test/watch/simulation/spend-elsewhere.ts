import { randomWait } from './random.ts';
import type { Simulation } from './simulation.ts';

const minute = 60_000;

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
