import { UsageError } from '../foundation/error.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import { faultsFromText } from '../simulator/endpoints/faults.ts';
import { shapesFromText } from '../simulator/endpoints/shapes.ts';
import type { Plan } from '../simulator/world/world.ts';

export const planNames: readonly Plan[] = ['free', 'pro', 'power', 'ultra'];

export function demoOptionsFrom(args: ParsedArgs) {
	return {
		speed: args.wholeNumber('speed', 1, 100_000) ?? 1,
		computers: args.wholeNumber('computers', 0, 100_000) ?? 24,
		seed: args.wholeNumber('seed', 0, 999_999_999) ?? 1,
		plan: planNames.find(name => name === args.text('plan')) ?? 'pro',
		shapes: parseOption(shapesFromText, args.text('shapes')),
		faults: parseOption(faultsFromText, args.text('faults')),
	};
}

function parseOption<T>(parseText: (text: string) => T, text = ''): T {
	try {
		return parseText(text);
	} catch (error) {
		throw error instanceof Error ? new UsageError(error.message) : error;
	}
}
