import { unlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPanes, type Pane } from './panes.ts';

const maxAgeMs = 3_000;
// A leader whose socket was deleted notices with its next heartbeat.
const maxOverlapMs = 1_500;

/** Returns the longest time in which two processes polled alternately. */
function longestOverlap(polls: readonly { pid: number; at: number }[]): number {
	const overlaps = polls.map(({ pid, at }, place) => {
		const later = polls.slice(place).filter(poll => poll.at < at + 10_000);
		const firstOther = later.find(poll => poll.pid !== pid);
		const lastOwn = later.findLast(poll => poll.pid === pid);
		return firstOther && lastOwn ? lastOwn.at - firstOther.at : 0;
	});
	return Math.max(0, ...overlaps);
}

test('while panes are killed, suspended and replaced, every pane gets news within three seconds, and two panes never poll for long', async () => {
	const { open, until, pass, kill, clock, simulator, path, polls } = await openPanes({
		computers: 1_000,
	});
	const newsAt = new Map<Pane, number>();
	let oldestMs = 0;
	let newest = 0;

	function follow(pane: Pane) {
		pane.store.onFact(({ type }) => {
			if (type.endsWith('Read')) newsAt.set(pane, clock.now());
		});
		return pane;
	}
	const openNext = () => {
		newest += 1;
		return follow(open(newest));
	};
	async function passAndMeasure(milliseconds: number) {
		for (let passed = 0; passed < milliseconds; passed += 100) {
			// A computer is always changing, so the leader reads as often as the limits allow.
			if (passed % 1_000 === 0) simulator.world.add({ state: 'provisioning' });
			await pass(100, 50);
			const ages = [...newsAt.values()].map(at => clock.now() - at);
			oldestMs = Math.max(oldestMs, ...ages);
		}
	}
	simulator.world.add({ state: 'provisioning' });
	const panes = [openNext()];
	await until(() => newsAt.size === 1, 5_000);
	for (let count = 1; count < 5; count += 1) panes.push(openNext());
	await until(() => newsAt.size === 5, 5_000);

	const leader = () => panes.find(pane => pane.role() === 'leading') ?? panes[0];
	const disturbances = [
		async () => {
			const killed = leader();
			if (!killed) return;
			newsAt.delete(killed);
			panes.splice(panes.indexOf(killed), 1);
			await kill(killed);
			panes.push(openNext());
		},
		async () => unlinkSync(path),
		async () => {
			const left = leader();
			left?.sharedWatch?.leave('suspended');
			await passAndMeasure(500);
			left?.sharedWatch?.rejoin('suspended');
		},
	];
	for (const disturb of disturbances) {
		await passAndMeasure(2_000);
		await disturb();
		await passAndMeasure(3_500);
	}
	expect(newsAt.size).toBe(5);
	expect(oldestMs).toBeLessThan(maxAgeMs);
	expect(longestOverlap(polls)).toBeLessThan(maxOverlapMs);
	expect(new Set(polls.map(({ pid }) => pid)).size).toBeGreaterThan(2);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
}, 60_000);
