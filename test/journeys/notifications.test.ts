import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('the title tells how many there are, and changes with them', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	expect(monitor.effects.titles.at(-1)).toBe('crowsnest: 3 active, 1 creating, 1 in error');
	monitor.simulator.world.fail('atlas');
	await monitor.pass(10_000);
	await monitor.see(/atlas +✖ Error/);
	expect(monitor.effects.titles.at(-1)).toContain('2 in error');
});

test('a computer that fails is told once, and what was there before is no news', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.pass(40_000);
	expect(monitor.effects.notified).toEqual([]);
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(60_000);
	expect(monitor.effects.notified).toEqual(['atlas is in error']);
});

test('an operation that ends rings the bell', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('r');
	monitor.clock.move(300);
	await monitor.press('y');
	await monitor.pass(60_000);
	await monitor.see('you restarted atlas');
	expect(monitor.effects.bells).toBe(1);
});
