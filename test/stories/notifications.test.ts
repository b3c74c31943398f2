import { expect, test } from 'vitest';
import { listShapes } from '../driver/list-shapes.ts';
import { openMonitor } from '../driver/monitor.ts';

test('the terminal title counts the computers by status and follows changes', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	expect(monitor.effects.titles.at(-1)).toBe('crowsnest: 3 active, 1 creating, 1 in error');
	monitor.simulator.world.fail('atlas');
	await monitor.pass(10_000);
	await monitor.see(/atlas +✖ Error/);
	expect(monitor.effects.titles.at(-1)).toContain('2 in error');
});

test.each(listShapes)(
	'a notification is sent once for a computer that fails, and never for one that had failed before the start (list: %s)',
	async list => {
		const monitor = await openMonitor({ shapes: { list } });
		await monitor.see('gemini');
		await monitor.pass(40_000);
		expect(monitor.effects.notified).toEqual([]);
		monitor.simulator.world.fail('atlas', 'it broke');
		await monitor.pass(60_000);
		expect(monitor.effects.notified).toEqual(['atlas is in error']);
	},
);

test('the bell rings when an operation ends', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('r');
	monitor.clock.move(300);
	await monitor.press('y');
	await monitor.pass(60_000);
	await monitor.see('atlas: restarted by you');
	expect(monitor.effects.bells).toBe(1);
});

test('low credits are announced once for each fall', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	monitor.simulator.world.setCredits(3);
	const lowCount = () => monitor.effects.notified.filter(text => text.includes('run low')).length;
	await monitor.passUntil(() => lowCount() > 0, 3_600_000, 60_000);
	expect(lowCount()).toBe(1);
	await monitor.pass(3_600_000, 120_000);
	expect(lowCount()).toBe(1);
	monitor.simulator.world.setCredits(300);
	await monitor.pass(3_600_000, 120_000);
	monitor.simulator.world.setCredits(3);
	await monitor.pass(3_600_000, 120_000);
	expect(lowCount()).toBe(2);
});
