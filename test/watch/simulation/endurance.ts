import { atMost, type Figure, short } from './figure.ts';
import { createSimulation, type SimulationOptions } from './simulation.ts';
import { createWeather, longestOutage, spendElsewhere } from './weather.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

type Trial = {
	name: string;
	/** It lives so many times for so many hours; when it is rough, it sleeps after each. */
	times: number;
	hours: number;
	computers: number;
	listTells: boolean;
	window: NonNullable<SimulationOptions['window']>;
	/** Faults, outages, sleeps, jumps of the clock, and a client elsewhere that spends a third. */
	isRough: boolean;
};

/** Whether the limits are kept and nothing is forgotten, over a long time. */
export async function enduranceOf(trial: Trial): Promise<readonly Figure[]> {
	const { name, times, hours, computers, listTells, window, isRough } = trial;
	const simulation = createSimulation({
		computers,
		tells: { list: listTells, detail: listTells },
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
	// Whoever waits for two rounds was passed over; and nobody is looked at in an outage and until the
	// next try after it.
	const round = listTells ? 5 * second : (computers / (isRough ? 40 : 60)) * minute;
	const allowed = 2 * round + (isRough ? longestOutage + 75 * second : 0);
	return [
		atMost(`${name}: status reads in any minute`, status.worst, '', 60),
		atMost(`${name}: other reads in any minute`, other.worst, '', 24),
		{
			...atMost(
				`${name}: refused by our own fault`,
				status.refusedAlone + other.refusedAlone,
				'',
				0,
			),
			beside: `${short((refused / arrived) * 1000)} ‰ of ${arrived} were refused`,
		},
		atMost(`${name}: longest not looked at`, waits.longest / minute, 'min', allowed / minute),
	];
}
