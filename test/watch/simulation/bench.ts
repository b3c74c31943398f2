import { measureCreating } from './creating.ts';
import { measureEndurance } from './endurance.ts';
import type { Figure } from './figure.ts';
import { measureLateness, measureLatenessInMode } from './lateness.ts';
import { measureSharing } from './sharing.ts';
import { measureSpeed } from './speed.ts';
import { measureUnread } from './unread.ts';

const fleets = [10, 100, 1000].map(computers => ({ computers }));
const statusSources = [
	{ list: true, detail: true },
	{ list: false, detail: false },
	{ list: false, detail: true },
];

export { threeDigits as short } from './figure.ts';

/** Measures the engine in simulated time, one group of figures after the other. */
export async function runBench(
	measureGroup: (title: string, measure: () => AsyncIterable<readonly Figure[]>) => Promise<void>,
): Promise<void> {
	await measureGroup('How late a change is noticed', async function* () {
		for (const hasStatus of statusSources) {
			for (const fleet of fleets) yield await measureLateness({ ...fleet, hasStatus }, 8000);
		}
	});
	await measureGroup(
		'Freshness where nothing moves, with the status in the list',
		async function* () {
			for (const mode of ['calm', 'unattended'] as const) {
				for (const { computers } of fleets)
					yield await measureLatenessInMode(mode, computers, 8000);
			}
		},
	);
	await measureGroup(
		'The share of the limits, beside a client that spends a third',
		async function* () {
			for (const mode of ['moving', 'calm', 'unattended'] as const) {
				for (const listHasStatus of [true, false]) {
					for (const window of ['rolling', 'fixed'] as const)
						yield await measureSharing({ mode, hours: 8, listHasStatus, window });
				}
			}
		},
	);
	await measureGroup('Computers that are being created, among 100', async function* () {
		for (const listHasStatus of [true, false]) {
			for (const creating of [3, 18, 60]) yield await measureCreating(creating, listHasStatus);
		}
	});
	await measureGroup('The limits, with 1,000 computers', async function* () {
		const smooth = { computers: 1000, isRough: false, window: 'fixed' } as const;
		const rough = { computers: 1000, isRough: true, window: 'rolling' } as const;
		yield await measureEndurance({
			...smooth,
			name: 'a day without faults',
			times: 1,
			hours: 24,
			listHasStatus: true,
		});
		const week = { ...rough, name: 'a rough week', times: 14, hours: 8, listHasStatus: true };
		yield await measureEndurance(week);
		const day = {
			...rough,
			name: 'a rough day, status only',
			times: 2,
			hours: 8,
			listHasStatus: false,
		};
		yield await measureEndurance(day);
	});
	await measureGroup('What only the status tells, for a day', async function* () {
		for (const mode of ['calm', 'unattended'] as const)
			yield await measureUnread({ mode, computers: 1000, hours: 24 });
	});
	await measureGroup('The planner', async function* () {
		yield [measureSpeed(1000), measureSpeed(10_000)];
	});
}
