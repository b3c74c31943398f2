import { type Given, UsageError } from '../shell/command.ts';
import { type Fault, faultsFromText } from '../simulator/faults.ts';
import type { Plan } from '../simulator/plans.ts';
import { type Shapes, shapesFromText } from '../simulator/shapes.ts';

const plans = ['free', 'pro', 'power', 'ultra'] as const;

export type DemoWish = {
	speed: number;
	computers: number;
	seed: number;
	plan: Plan;
	shapes: Partial<Shapes>;
	faults: readonly Fault[];
};

/** The demo platform that the options ask for. */
export function demoFrom(given: Given): DemoWish {
	return {
		speed: given.whole('speed', 1, 100_000) ?? 1,
		computers: given.whole('computers', 0, 100_000) ?? 24,
		seed: given.whole('seed', 0, 999_999_999) ?? 1,
		plan: planFrom(given.text('plan') ?? 'pro'),
		shapes: read(shapesFromText, given.text('shapes')) ?? {},
		faults: read(faultsFromText, given.text('faults')) ?? [],
	};
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
