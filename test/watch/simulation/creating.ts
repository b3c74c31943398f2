import { type Figure, figureAtMost, mean, quantile } from './figure.ts';
import { createSimulation } from './simulation.ts';

const second = 1000;
const minute = 60 * second;
const polling = 3 * second;

/**
 * Measures how often computers that are being created are polled. The documented limit of 60 status reads
 * a minute allows one every 3 s for three computers; more of them depend on the list or share the reads.
 */
export async function measureCreating(
	creating: number,
	listHasStatus: boolean,
): Promise<readonly Figure[]> {
	const { watch, waits, clock } = createSimulation({
		computers: 100,
		creating,
		hasStatus: { list: listHasStatus, detail: false },
	});
	watch.start();
	await clock.live(9 * minute);
	watch.stop();
	const settled = [...waits.close.values()].map(each => each.slice(3));
	const means = settled.map(mean);
	const name = `${creating} being created, ${listHasStatus ? 'status in the list' : 'status reads only'}`;
	const possible = listHasStatus ? polling : Math.max(polling, creating * second);
	const allowed = listHasStatus ? polling : possible * 1.15;
	return [
		figureAtMost(
			`${name}: time between reads (median)`,
			quantile(settled.flat(), 0.5) / second,
			's',
			allowed / second,
		),
		figureAtMost(
			`${name}: longest interval to the mean`,
			Math.max(...means) / mean(means),
			'×',
			1.1,
		),
	];
}
