import type { PollingMode } from '../../../source/fleet/reads.ts';
import { type Figure, figureAtMost, quantile, threeDigits } from './figure.ts';
import { createSimulation, type SimulationOptions } from './simulation.ts';

/** The documented limits that are left to reads, per second. */
const statusReads = 60 / 60;
const otherReads = 24 / 60;
// This limit also has to pay for reads of the credits, the subscription and the latest version.
const accountReads = 1 / 60 + 1 / 600 + 1 / 1800;
/** The seconds that a response takes to arrive. */
const latency = 0.06;

type Fleet = { computers: number; hasStatus: NonNullable<SimulationOptions['hasStatus']> };

/**
 * The seconds between two reads of one computer if the whole limit is spent on what reveals a status, and the reads
 * are evenly spread. No schedule can notice changes sooner. If the list has the status, single status reads are not
 * counted, because the next list shows as much.
 */
function bestInterval({ computers, hasStatus }: Fleet): number {
	const spare = otherReads - accountReads;
	if (hasStatus.list) return 1 / spare;
	return computers / (statusReads + (hasStatus.detail ? spare : 0));
}

/** The interval of a schedule that only reads one status after the other. */
const naiveInterval = ({ computers }: Fleet) => computers / statusReads;

/** The seconds until a change at a random time is noticed, when reads are `interval` seconds apart. */
const expectedLateness = (interval: number, share: number) => interval * share + latency;

const limit = 1.15;

const quantiles = [
	{ word: 'median', share: 0.5 },
	{ word: 'p95', share: 0.95 },
] as const;

/** Measures how late changes are noticed while something moves, compared with the best that the limits allow. */
export async function measureLateness(fleet: Fleet, samples: number): Promise<readonly Figure[]> {
	const { computers, hasStatus } = fleet;
	const latencies = await latenciesOf({ ...fleet, mode: 'moving' }, samples);
	const source = hasStatus.list
		? 'status in the list'
		: hasStatus.detail
			? 'status in the details'
			: 'status reads only';

	return quantiles.map(({ word, share }) => {
		const value = quantile(latencies, share) / 1000;
		const best = expectedLateness(bestInterval(fleet), share);
		const naive = expectedLateness(naiveInterval(fleet), share);
		return {
			name: `${computers} computers, ${source}: ${word}`,
			value,
			unit: 's',
			goal: `≤ ${threeDigits(best * limit)}`,
			isMet: value <= best * limit,
			beside: `best ${threeDigits(best)}, × ${(value / best).toFixed(2)}   naive ${threeDigits(naive)}`,
		};
	});
}

/** In each mode, changes are noticed within this many seconds (median), where the list has the status. */
const goals: Readonly<Record<Exclude<PollingMode, 'moving'>, number>> = { calm: 3, unattended: 10 };

/** Measures how late changes are noticed in a mode that leaves a part of the limits to others. */
export async function measureLatenessInMode(
	mode: Exclude<PollingMode, 'moving'>,
	computers: number,
	samples: number,
): Promise<readonly Figure[]> {
	const latencies = await latenciesOf(
		{ computers, hasStatus: { list: true, detail: true }, mode },
		samples,
	);
	const median = quantile(latencies, 0.5) / 1000;
	const p95 = quantile(latencies, 0.95) / 1000;
	const name = `${computers} computers, ${mode}: median`;
	return [{ ...figureAtMost(name, median, 's', goals[mode]), beside: `p95 ${threeDigits(p95)} s` }];
}

async function latenciesOf(
	fleet: Fleet & { mode: PollingMode },
	samples: number,
): Promise<readonly number[]> {
	const interval = bestInterval(fleet) * 1000;
	const changeEvery = interval * 5;
	const simulation = createSimulation({ ...fleet, changeEvery, seed: 1 });
	simulation.watch.start();
	// The first rounds do not count, because the reads are not evenly spread yet.
	await simulation.clock.live(Math.max(120_000, 2 * interval));
	const before = simulation.changes.latencies.length;
	await simulation.clock.live((changeEvery / fleet.computers) * samples);
	simulation.watch.stop();
	return simulation.changes.latencies.slice(before);
}
