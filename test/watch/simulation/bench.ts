import { creatingOf } from './creating.ts';
import { enduranceOf } from './endurance.ts';
import { type Figure, linesFrom } from './figure.ts';
import { latenessOf } from './lateness.ts';
import { speedOf } from './speed.ts';

const fleets = [10, 100, 1000].map(computers => ({ computers }));
const tellings = [
	{ list: true, detail: true },
	{ list: false, detail: false },
	{ list: false, detail: true },
];

/** Every number of the engine in simulated time. Says whether all goals are met. */
export async function runBench(write: (line: string) => void): Promise<boolean> {
	const all: Figure[] = [];
	const show = (figures: readonly Figure[]) => {
		all.push(...figures);
		for (const line of linesFrom(figures)) write(line);
	};

	write('How late a change is noticed');
	for (const tells of tellings) {
		for (const fleet of fleets) show(await latenessOf({ ...fleet, tells }, 8000));
	}
	write('\nComputers that are being created, among 100');
	for (const listTells of [true, false]) {
		for (const creating of [3, 18, 60]) show(await creatingOf(creating, listTells));
	}
	write('\nThe limits, with 1,000 computers');
	const calm = { computers: 1000, isRough: false, window: 'fixed' } as const;
	const rough = { computers: 1000, isRough: true, window: 'rolling' } as const;
	show(await enduranceOf({ ...calm, name: 'a calm day', times: 1, hours: 24, listTells: true }));
	show(await enduranceOf({ ...rough, name: 'a rough week', times: 14, hours: 8, listTells: true }));
	show(
		await enduranceOf({
			...rough,
			name: 'a rough day, status only',
			times: 2,
			hours: 8,
			listTells: false,
		}),
	);
	write('\nThe planner');
	show([speedOf(1000), speedOf(10_000)]);
	return all.every(({ isMet }) => isMet);
}
