import type { PollingMode } from '../../../source/fleet/reads.ts';
import { modeShares } from '../../../source/watch/polling-mode.ts';
import { type Figure, figureAtMost, threeDigits } from './figure.ts';
import { createSimulation, type SimulationOptions } from './simulation.ts';
import { spendElsewhere } from './weather.ts';

const hour = 60 * 60_000;
const limits = { status: 60, other: 30 } as const;

type Sharing = {
	mode: PollingMode;
	hours: number;
	listHasStatus: boolean;
	window: NonNullable<SimulationOptions['window']>;
};

/**
 * Measures which part of the limits the watch uses, and how often it causes a refusal for another client that spends
 * a third of both limits at random times.
 */
export async function measureSharing(sharing: Sharing): Promise<readonly Figure[]> {
	const { mode, hours, listHasStatus, window } = sharing;
	const simulation = createSimulation({
		computers: 1000,
		hasStatus: { list: listHasStatus, detail: listHasStatus },
		window,
		mode,
	});
	const { clock, watch, windows, waits } = simulation;
	spendElsewhere(simulation);
	watch.start();
	await clock.live(hours * hour);
	watch.stop();
	waits.end(clock.lived());

	const source = listHasStatus ? 'status in the list' : 'status reads only';
	const name = `${mode}, ${source}, ${window} window`;
	const share = modeShares[mode];
	const { status, other } = windows;
	const arrived = status.arrivedElsewhere + other.arrivedElsewhere;
	const refused = status.refusedElsewhere + other.refusedElsewhere;
	const mostUsed = Math.max(status.worst / limits.status, other.worst / limits.other);
	const use = (status.arrived / limits.status + other.arrived / limits.other) / 2 / (hours * 60);
	const refusals = figureAtMost(
		`${name}: refused to the other client`,
		(refused / arrived) * 1000,
		'‰',
		1,
	);
	return [
		{
			...figureAtMost(`${name}: used in any minute`, mostUsed * 100, '%', share * 100),
			beside: `${threeDigits(use * 100)} % on average`,
		},
		{
			...refusals,
			// The mode `moving` has no goal, because the watch then leaves the other client only what it spends on
			// average.
			...(mode === 'moving' && { goal: '', isMet: true }),
			beside: `of ${arrived} requests; ${status.refused + other.refused} of ours were refused`,
		},
	];
}
