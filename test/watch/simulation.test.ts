import { expect, test } from 'vitest';
import { modeShares } from '../../source/watch/plan.ts';
import { hour, minute, second } from '../durations.ts';
import { type Computer, fullRecord, type SimulationOptions, simulate } from './simulation.ts';

type Fleet = { computers: number; hasStatus: { list: boolean; detail: boolean } };

type Options = Fleet & Partial<SimulationOptions> & { creating?: number };

/** The first computers of the fleet may be being created. That was seen before, so that it is urgent from the start. */
function simulation({ hasStatus, creating = 0, ...options }: Options) {
	const statusAt = (place: number) => (place < creating ? 'provisioning' : 'active');
	const all = ({ status, changedAt }: Computer) => {
		return { ...fullRecord, status, updatedAt: changedAt };
	};
	const nothing = () => ({});
	return simulate({
		statusAt,
		tells: {
			list: hasStatus.list ? all : nothing,
			status: all,
			detail: hasStatus.detail ? all : nothing,
		},
		mode: 'moving',
		changeEvery: hour,
		earlierFacts: at => {
			const computers = Array.from({ length: creating }, (_, place) => ({
				reading: { ...fullRecord, id: `sb_${place}`, status: statusAt(place) },
				seenAt: at,
			}));
			return [{ account: 'simulated', at, type: 'recalled', computers }];
		},
		...options,
	});
}

/** Returns the quantile of unsorted numbers, or NaN when there are none. */
function quantile(numbers: readonly number[], share: number): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

const mean = (numbers: readonly number[]) =>
	numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

test.each([
	['calm', 3],
	['unattended', 10],
] as const)(
	'a watch that is %s notices most changes of a thousand computers within %i seconds',
	async (mode, seconds) => {
		const computers = 1_000;
		const { watch, clock, latencies } = simulation({
			computers,
			hasStatus: { list: true, detail: true },
			mode,
			changeEvery: (second / 2) * computers,
		});
		watch.start();
		await clock.live(3 * minute);
		watch.stop();
		expect(quantile(latencies, 0.5)).toBeLessThanOrEqual(seconds * second);
	},
);

test.each([
	[60, 'includes', 3 * second, 2 * minute],
	[3, 'omits', 3.45 * second, 2 * minute],
	[60, 'omits', 69 * second, 9 * minute],
] as const)(
	'the watch polls all of %i new computers equally often when the list %s their status',
	async (creating, treatmentOfStatus, allowed, watchedMs) => {
		const { watch, toldAt, clock } = simulation({
			computers: 100,
			creating,
			hasStatus: { list: treatmentOfStatus === 'includes', detail: false },
		});
		watch.start();
		await clock.live(watchedMs);
		watch.stop();
		const settled = [...toldAt.values()].slice(0, creating).map(times => {
			const waits = times.map((at, place) => at - (times[place - 1] ?? 0));
			return waits.slice(3);
		});
		expect(quantile(settled.flat(), 0.5)).toBeLessThanOrEqual(allowed);
		const means = settled.map(mean);
		expect(Math.max(...means) / mean(means)).toBeLessThanOrEqual(1.1);
	},
);

// `TEST_HOURS` makes it longer.
const hours = Number(process.env['TEST_HOURS'] ?? 1 / 2);

test.each([
	['calm', 'includes', 'rolling'],
	['calm', 'omits', 'rolling'],
	['unattended', 'omits', 'fixed'],
] as const)(
	'beside another client, a watch that is %s keeps to its share of the limits when the list %s the status (%s window)',
	async (mode, treatmentOfStatus, window) => {
		const listHasStatus = treatmentOfStatus === 'includes';
		const { clock, watch, windows, spendElsewhere, latencies } = simulation({
			computers: 100,
			hasStatus: { list: listHasStatus, detail: listHasStatus },
			window,
			mode,
		});
		const { status, other } = windows;
		spendElsewhere();
		watch.start();
		await clock.live(hours * hour);
		watch.stop();
		expect(status.worst / 60).toBeLessThanOrEqual(modeShares[mode]);
		expect(other.worst / 30).toBeLessThanOrEqual(modeShares[mode]);
		const refused = status.refusedElsewhere + other.refusedElsewhere;
		const arrived = status.arrivedElsewhere + other.arrivedElsewhere;
		// It sends a third of each limit on average, and sometimes more than the half that is left to it.
		expect(refused / arrived).toBeLessThanOrEqual(listHasStatus ? 1 / 100 : 1 / 1_000);
		const median = quantile(latencies, 0.5);
		if (listHasStatus) expect(median).toBeLessThanOrEqual(3 * second);
		if (hours > 1)
			process.stdout.write(`${JSON.stringify({ mode, listHasStatus, status, other, median })}\n`);
	},
	3_600_000,
);
