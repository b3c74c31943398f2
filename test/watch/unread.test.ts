import { expect, test } from 'vitest';
import { modeShares } from '../../source/watch/plan.ts';
import { hour, minute, second } from '../durations.ts';
import { type Computer, type Simulation, type SimulationOptions, simulate } from './simulation.ts';

const idsBetween = (first: number, end: number) =>
	Array.from({ length: end - first }, (_, place) => `sb_${first + place}`);

const phases = ['active', 'stopped', 'error'] as const;

type Options = Partial<SimulationOptions> & { computers: number; failed: number };

/** A platform whose list has only ids, names, statuses and times of creation. Some computers of the fleet have failed. */
function minimalList({ failed, ...options }: Options) {
	const every = Math.floor(options.computers / failed);
	const isFailed = (place: number) => place % every === 0 && place / every < failed;
	const listed = ({ id, status }: Computer) => ({ name: `box-${id}`, status, createdAt: 0 });
	return simulate({
		statusAt: place => (isFailed(place) ? 'error' : place % 5 === 1 ? 'stopped' : 'active'),
		tells: {
			list: listed,
			status: ({ status }) => ({
				status,
				version: status === 'active' ? '1.4.2' : undefined,
				error: status === 'error' ? 'disk full' : undefined,
			}),
			detail: computer => ({ ...listed(computer), cpu: 12 }),
		},
		change(computer, random) {
			const others = phases.filter(each => each !== computer.status);
			computer.status = others[Math.floor(random() * others.length)] ?? 'active';
		},
		...options,
	});
}

const haveVersions = ({ unread }: Simulation, ids?: readonly string[]) =>
	phases.every(phase => unread('version', phase, ids) === 0);

test('the reasons of 14 computers are known within 5 seconds, and all versions within 30', async () => {
	const fleet = minimalList({ computers: 14, failed: 2, visible: idsBetween(0, 14) });
	fleet.watch.start();
	expect(await fleet.timeUntil(() => fleet.unread('error', 'error') === 0, minute)).toBeLessThan(
		5 * second,
	);
	expect(await fleet.timeUntil(() => haveVersions(fleet), minute)).toBeLessThan(30 * second);
	await fleet.clock.live(10 * minute);
	fleet.watch.stop();
	expect(fleet.statusReads).toHaveLength(14);
});

test('three hundred computers are read in order and within half of the limits', async () => {
	const size = { computers: 300, failed: 43 };
	const all = minimalList(size).world;
	const visible = all.flatMap(({ id, status }) => (status === 'error' ? [id] : [])).slice(0, 24);
	const fleet = minimalList({ ...size, visible });
	const { watch, windows, statusReads, timeUntil, unread } = fleet;
	watch.start();
	const inSight = await timeUntil(() => unread('error', 'error', visible) === 0, minute);
	expect(inSight).toBeLessThan(20 * second);
	expect(await timeUntil(() => haveVersions(fleet, visible), minute)).toBeLessThan(minute);
	expect(await timeUntil(() => unread('error', 'error') === 0, 10 * minute)).toBeLessThan(
		3 * minute,
	);
	expect(await timeUntil(() => haveVersions(fleet), hour)).toBeLessThan(12 * minute);
	await fleet.clock.live(10 * minute);
	watch.stop();
	expect(statusReads).toHaveLength(300);
	expect(windows.status.worst).toBeLessThanOrEqual(30);
	expect(windows.other.worst).toBeLessThanOrEqual(15);
	expect(windows.status.refused + windows.other.refused).toBe(0);
});

test('a restart shows from the snapshot what was read, and reads nothing twice', async () => {
	const size = { computers: 40, failed: 5, visible: idsBetween(0, 24) };
	const before = minimalList(size);
	before.watch.start();
	await before.clock.live(10 * minute);
	before.watch.stop();
	expect(before.statusReads).toHaveLength(40);
	const recalled = JSON.parse(JSON.stringify(before.snapshot()));
	const after = minimalList({ ...size, earlierFacts: () => recalled });
	expect(haveVersions(after)).toBe(true);
	expect(after.unread('error', 'error')).toBe(0);
	after.watch.start();
	await after.clock.live(10 * minute);
	after.watch.stop();
	expect(after.statusReads).toEqual([]);
	expect(haveVersions(after)).toBe(true);
});

test('a computer whose status cannot be read does not keep the others waiting', async () => {
	const fleet = minimalList({
		computers: 100,
		failed: 10,
		broken: ['sb_0', 'sb_10'],
	});
	fleet.watch.start();
	await fleet.clock.live(6 * minute);
	fleet.watch.stop();
	expect(new Set(fleet.statusReads.map(({ id }) => id)).size).toBe(98);
	expect(fleet.statusReads).toHaveLength(98);
});

// Each computer changes every four hours, and a newer version is out in the middle.
test.each(['calm', 'unattended'] as const)(
	'no status is read twice without a reason, and none waits for long: %s',
	async mode => {
		const computers = 100;
		const fleet = minimalList({
			computers,
			failed: Math.floor(computers / 7),
			mode,
			visible: idsBetween(0, 24),
			changeEvery: 4 * hour,
		});
		const { clock, watch, windows, statusReads } = fleet;
		watch.start();
		await clock.live(hour / 2);
		fleet.release('1.6.0');
		await clock.live(hour / 2);
		watch.stop();
		const reasons = statusReads.map(({ reason }) => reason);
		expect(new Set(reasons).size).toBe(reasons.length);
		// All are read once, beside those whose status changes meanwhile.
		const share = modeShares[mode];
		expect(fleet.longestUnknown()).toBeLessThanOrEqual((2 * computers * minute) / (60 * share));
		expect(windows.status.worst).toBeLessThanOrEqual(60 * share);
		expect(windows.other.worst).toBeLessThanOrEqual(30 * share);
		expect(windows.status.refused + windows.other.refused).toBe(0);
	},
);
