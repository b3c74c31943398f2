import { expect, test } from 'vitest';
import { measureCreating } from './simulation/creating.ts';
import { measureEndurance } from './simulation/endurance.ts';
import { type Figure, linesFrom } from './simulation/figure.ts';
import { measureLateness, measureLatenessInMode } from './simulation/lateness.ts';
import { measureSharing } from './simulation/sharing.ts';
import { createSimulation } from './simulation/simulation.ts';

// These are shorter runs of the measurements in the engine's benchmark.

const missed = (figures: readonly Figure[]) => linesFrom(figures.filter(({ isMet }) => !isMet));

test.for([
	{ computers: 10, hasStatus: { list: true, detail: true } },
	{ computers: 100, hasStatus: { list: true, detail: true } },
	{ computers: 10, hasStatus: { list: false, detail: false } },
	{ computers: 10, hasStatus: { list: false, detail: true } },
])('the watch of the fleet %o notices changes nearly as soon as the limits allow', async fleet => {
	expect(missed(await measureLateness(fleet, 2000))).toEqual([]);
});

test.for([
	[3, 'includes'],
	[60, 'includes'],
	[3, 'omits'],
	[60, 'omits'],
] as const)(
	'the watch polls all of %i new computers equally often when the list %s their status',
	async ([creating, treatmentOfStatus]) => {
		expect(missed(await measureCreating(creating, treatmentOfStatus === 'includes'))).toEqual([]);
	},
);

test('the watch keeps the limits and polls every computer through outages and beside another client', async () => {
	const rough = { times: 1, hours: 0.5, computers: 60, isRough: true, window: 'rolling' } as const;
	expect(missed(await measureEndurance({ ...rough, name: 'list', listHasStatus: true }))).toEqual(
		[],
	);
	expect(
		missed(await measureEndurance({ ...rough, name: 'status', listHasStatus: false })),
	).toEqual([]);
});

test.each([
	['calm', true, 'rolling'],
	['calm', false, 'rolling'],
	['unattended', true, 'rolling'],
	['unattended', false, 'fixed'],
] as const)(
	'a watch that is %s leaves the rest of the limits to another client (status in the list: %s, %s window)',
	async (mode, listHasStatus, window) => {
		expect(missed(await measureSharing({ mode, hours: 0.5, listHasStatus, window }))).toEqual([]);
	},
);

test.each(['calm', 'unattended'] as const)(
	'a watch that is %s notices the changes of a thousand computers within seconds',
	async mode => {
		expect(missed(await measureLatenessInMode(mode, 1000, 700))).toEqual([]);
	},
);

test('the simulation produces the same facts from the same seed', async () => {
	const traceOf = async (seed: number) => {
		const trace: string[] = [];
		const { watch, clock } = createSimulation({
			computers: 30,
			seed,
			onFact: fact => trace.push(`${fact.at} ${fact.type}`),
		});
		watch.start();
		await clock.live(120_000);
		watch.stop();
		return trace;
	};
	const first = await traceOf(1);
	expect(first.length).toBeGreaterThan(40);
	expect(await traceOf(1)).toEqual(first);
	expect(await traceOf(2)).not.toEqual(first);
});
