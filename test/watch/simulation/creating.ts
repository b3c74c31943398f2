import { atMost, type Figure, mean, quantile } from './figure.ts';
import { createSimulation } from './simulation.ts';

const second = 1000;
const minute = 60 * second;
const polling = 3 * second;

/**
 * How often computers that are being created are looked at. The documented limit bears 60 status reads
 * a minute, so a look each 3 s at three; at more of them the list must look, or they share.
 */
export async function creatingOf(creating: number, listTells: boolean): Promise<readonly Figure[]> {
	const { watch, waits, clock } = createSimulation({
		computers: 100,
		creating,
		tells: { list: listTells, detail: false },
	});
	watch.start();
	await clock.live(9 * minute);
	watch.stop();
	const settled = [...waits.close.values()].map(each => each.slice(3));
	const means = settled.map(mean);
	const name = `${creating} being created, ${listTells ? 'the list tells' : 'only status tells'}`;
	const possible = listTells ? polling : Math.max(polling, creating * second);
	const allowed = listTells ? polling : possible * 1.15;
	return [
		atMost(
			`${name}: from look to look (median)`,
			quantile(settled.flat(), 0.5) / second,
			's',
			allowed / second,
		),
		atMost(`${name}: the least looked at, to the mean`, Math.max(...means) / mean(means), '×', 1.1),
	];
}
