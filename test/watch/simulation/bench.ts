import { creatingOf } from './creating.ts';
import { enduranceOf } from './endurance.ts';
import type { Figure } from './figure.ts';
import { latenessOf } from './lateness.ts';
import { speedOf } from './speed.ts';

const fleets = [10, 100, 1000].map(computers => ({ computers }));
const tellings = [
	{ list: true, detail: true },
	{ list: false, detail: false },
	{ list: false, detail: true },
];

export { short } from './figure.ts';

/** Every number of the engine in simulated time, told group by group. */
export async function runBench(
	tell: (title: string, measure: () => AsyncIterable<readonly Figure[]>) => Promise<void>,
): Promise<void> {
	await tell('How late a change is noticed', async function* () {
		for (const tells of tellings) {
			for (const fleet of fleets) yield await latenessOf({ ...fleet, tells }, 8000);
		}
	});
	await tell('Computers that are being created, among 100', async function* () {
		for (const listTells of [true, false]) {
			for (const creating of [3, 18, 60]) yield await creatingOf(creating, listTells);
		}
	});
	await tell('The limits, with 1,000 computers', async function* () {
		const calm = { computers: 1000, isRough: false, window: 'fixed' } as const;
		const rough = { computers: 1000, isRough: true, window: 'rolling' } as const;
		yield await enduranceOf({ ...calm, name: 'a calm day', times: 1, hours: 24, listTells: true });
		const week = { ...rough, name: 'a rough week', times: 14, hours: 8, listTells: true };
		yield await enduranceOf(week);
		const day = {
			...rough,
			name: 'a rough day, status only',
			times: 2,
			hours: 8,
			listTells: false,
		};
		yield await enduranceOf(day);
	});
	await tell('The planner', async function* () {
		yield [speedOf(1000), speedOf(10_000)];
	});
}
