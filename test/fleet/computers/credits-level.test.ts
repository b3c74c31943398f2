import { expect, test } from 'vitest';
import { type CreditsLevel, creditsLevel } from '../../../source/fleet/computers/runway.ts';

const hour = 3_600_000;
const credits = { balance: 10 };
const lasting = (hours: number | null) => ({
	burnPerHour: 1,
	timeLeftMs: hours === null ? null : hours * hour,
});

test.each<
	[string, Parameters<typeof creditsLevel>[0], CreditsLevel | undefined, CreditsLevel | undefined]
>([
	['not read', { credits: undefined, runway: lasting(1) }, undefined, undefined],
	[
		'too few to run a computer',
		{ credits: { balance: 1, canRun: false }, runway: null },
		undefined,
		'low',
	],
	['not measured yet', { credits, runway: null }, 'low', undefined],
	['not being spent', { credits, runway: lasting(null) }, 'low', 'enough'],
	['enough for longer than the setting', { credits, runway: lasting(25) }, undefined, 'enough'],
	['enough for as long as the setting', { credits, runway: lasting(24) }, 'enough', 'low'],
	['low, and a little more than the setting', { credits, runway: lasting(28) }, 'low', 'low'],
	['low, and clearly more than the setting', { credits, runway: lasting(29) }, 'low', 'enough'],
	[
		'enough, and a little more than the setting',
		{ credits, runway: lasting(28) },
		'enough',
		'enough',
	],
])('credits that are %s', (_, measured, before, level) => {
	expect(creditsLevel(measured, 24 * hour, before)).toBe(level);
});
