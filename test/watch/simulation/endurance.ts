import { type Figure, figureAtMost, threeDigits } from './figure.ts';
import { createSimulation, type SimulationOptions } from './simulation.ts';
import { createWeather, longestOutage, spendElsewhere } from './weather.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

type Trial = {
	name: string;
	/** The number of periods and the hours in each. A rough trial sleeps after every period. */
	times: number;
	hours: number;
	computers: number;
	listHasStatus: boolean;
	window: NonNullable<SimulationOptions['window']>;
	/** Adds faults, outages, sleeps, clock jumps, and another client that spends a third of the limits. */
	isRough: boolean;
};

/** Measures over a long time whether the limits are kept and every computer is polled. */
export async function measureEndurance(trial: Trial): Promise<readonly Figure[]> {
	const { name, times, hours, computers, listHasStatus, window, isRough } = trial;
	const simulation = createSimulation({
		computers,
		hasStatus: { list: listHasStatus, detail: listHasStatus },
		window,
		...(isRough && { fate: createWeather() }),
	});
	const { clock, random, watch, windows, waits } = simulation;
	if (isRough) spendElsewhere(simulation);
	watch.start();
	for (let time = 0; time < times; time += 1) {
		await clock.live(hours * hour);
		if (!isRough) continue;
		clock.sleep(random() * 8 * hour);
		clock.adjust((random() - 0.5) * 2 * hour);
	}
	watch.stop();
	waits.end(clock.lived());

	const { status, other } = windows;
	const refused = status.refused + other.refused;
	const arrived = status.arrived + other.arrived;
	// A computer that waits longer than two rounds was skipped. No computer is polled during an outage and
	// until the first try after it.
	const round = listHasStatus ? 5 * second : (computers / (isRough ? 40 : 60)) * minute;
	const allowed = 2 * round + (isRough ? longestOutage + 75 * second : 0);
	return [
		figureAtMost(`${name}: status reads in any minute`, status.worst, '', 60),
		figureAtMost(`${name}: other reads in any minute`, other.worst, '', 24),
		{
			...figureAtMost(
				`${name}: refused without another client`,
				status.refusedAlone + other.refusedAlone,
				'',
				0,
			),
			beside: `${threeDigits((refused / arrived) * 1000)} ‰ of ${arrived} were refused`,
		},
		figureAtMost(
			`${name}: longest time without a read`,
			waits.longest / minute,
			'min',
			allowed / minute,
		),
	];
}
