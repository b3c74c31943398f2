import { onTestFinished } from 'vitest';
import { createSimulator, type Simulator } from '../source/simulator/simulator.ts';
import { liveClock } from './live-clock.ts';

/** For a program in a process of its own, whose time goes on by itself. */
export async function startLiveSimulator({ computers = 3 } = {}): Promise<Simulator> {
	const simulator = await createSimulator({ clock: liveClock, computers });
	onTestFinished(simulator.close);
	return simulator;
}
