import {
	createSimulator,
	faultsFromText,
	type Simulator,
	shapesFromText,
	speedUp,
} from '../simulator/simulator.ts';
import { type Given, UsageError } from './command.ts';
import type { Host } from './host.ts';

const plans = ['free', 'pro', 'power', 'ultra'] as const;

/** Starts the demo platform that the options ask for. */
export function startDemo(host: Host, given: Given, port = 0): Promise<Simulator> {
	const speed = given.whole('speed', 1, 100_000) ?? 1;
	return createSimulator({
		clock: speed === 1 ? host.clock : speedUp(host.clock, speed),
		computers: given.whole('computers', 0, 100_000) ?? 24,
		seed: given.whole('seed', 0, 999_999_999) ?? 1,
		plan: planFrom(given.text('plan') ?? 'pro'),
		shapes: read(shapesFromText, given.text('shapes')) ?? {},
		faults: read(faultsFromText, given.text('faults')) ?? [],
		port,
	});
}

function planFrom(text: string): (typeof plans)[number] {
	const plan = plans.find(each => each === text);
	if (plan) return plan;
	throw new UsageError(`--plan takes one of ${plans.join(', ')}`);
}

function read<T>(from: (text: string) => T, text: string | undefined): T | undefined {
	if (text === undefined) return undefined;
	try {
		return from(text);
	} catch (error) {
		throw error instanceof Error ? new UsageError(error.message) : error;
	}
}
