import { type Figure, quantile, short } from './figure.ts';
import { createSimulation, type SimulationOptions } from './simulation.ts';

/** Per second, what is documented and left to reads. */
const statusReads = 60 / 60;
const otherReads = 24 / 60;
// Credits, the subscription and the latest version have to be asked for too.
const accountReads = 1 / 60 + 1 / 600 + 1 / 1800;
/** Seconds that an answer is on its way. */
const leg = 0.06;

type Fleet = { computers: number; tells: NonNullable<SimulationOptions['tells']> };

/**
 * Seconds between two looks at one computer, were every request of the budget spent on looking and all
 * looks evenly spread: no schedule can notice changes sooner.
 */
function bestInterval({ computers, tells }: Fleet): number {
	const spare = otherReads - accountReads;
	if (tells.list) return 1 / (spare + statusReads / computers);
	return computers / (statusReads + (tells.detail ? spare : 0));
}

/** One status read after the other, round and round. */
const naiveInterval = ({ computers }: Fleet) => computers / statusReads;

/** How late a change is noticed, in seconds, that comes at any time between two looks. */
const lateAt = (interval: number, share: number) => interval * share + leg;

const limit = 1.15;

/** How late changes are noticed, beside what is possible with that budget. */
export async function latenessOf(fleet: Fleet, samples: number): Promise<readonly Figure[]> {
	const { computers, tells } = fleet;
	const interval = bestInterval(fleet) * 1000;
	const changeEvery = interval * 5;
	const simulation = createSimulation({ ...fleet, changeEvery });
	simulation.watch.start();
	// Changes of the first rounds are noticed late or early: the looks are not yet evenly spread.
	await simulation.clock.live(Math.max(120_000, 2 * interval));
	const before = simulation.changes.latencies.length;
	await simulation.clock.live((changeEvery / computers) * samples);
	simulation.watch.stop();
	const latencies = simulation.changes.latencies.slice(before);
	const source = tells.list
		? 'the list tells'
		: tells.detail
			? 'details tell'
			: 'only status tells';

	return [
		{ word: 'median', share: 0.5 },
		{ word: 'p95', share: 0.95 },
	].map(({ word, share }) => {
		const value = quantile(latencies, share) / 1000;
		const best = lateAt(bestInterval(fleet), share);
		const naive = lateAt(naiveInterval(fleet), share);
		return {
			name: `${computers} computers, ${source}: ${word}`,
			value,
			unit: 's',
			goal: `≤ ${short(best * limit)}`,
			isMet: value <= best * limit,
			beside: `best ${short(best)}, × ${(value / best).toFixed(2)}   naive ${short(naive)}`,
		};
	});
}
