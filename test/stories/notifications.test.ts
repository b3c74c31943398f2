import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const minute = 60_000;

test('the title of the terminal counts the computers by status, and a notification is sent once for each that fails after the start', async () => {
	const monitor = await openMonitor({ shapes: { list: 'minimal' } });
	expect(monitor.effects.titles.at(-1)).toBe('crowsnest: 3 active, 1 creating, 1 in error');
	await monitor.pass(40_000);
	expect(monitor.effects.notified).toEqual([]);
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(10_000).see(/atlas +✖ Error/);
	expect(monitor.effects.titles.at(-1)).toContain('2 in error');
	await monitor.pass(50_000);
	expect(monitor.effects.notified).toEqual(['atlas is in error']);
});

test('the bell rings when an operation ends', async () => {
	const monitor = await openMonitor();
	await monitor.confirm('r');
	await monitor.pass(60_000).see('atlas: restarted by you');
	expect(monitor.effects.bells).toBe(1);
});

test('low credits are announced once for each fall', async () => {
	const monitor = await openMonitor();
	const lowCount = () => monitor.effects.notified.filter(text => text.includes('run low')).length;
	// How fast the credits burn is known after a while.
	await monitor.pass(25 * minute, 5 * minute);
	for (const [credits, count] of [
		[3, 1],
		[2, 1],
		[300, 1],
		[3, 2],
	] as const) {
		monitor.simulator.world.setCredits(credits);
		await monitor.pass(7 * minute, minute);
		expect(lowCount(), `${credits} credits`).toBe(count);
	}
});
