import { onTestFinished } from 'vitest';
import { createSimulator, type Simulator } from '../source/simulator/simulator.ts';
import { liveClock } from './processes/live-clock.ts';

/** Starts a simulator on the real clock, for a program in another process. */
export async function startLiveSimulator({ computers = 3 } = {}): Promise<Simulator> {
	const simulator = await createSimulator({ clock: liveClock, computers });
	onTestFinished(simulator.close);
	return simulator;
}
