import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('the title tells how many there are, and changes with them', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	expect(stage.said.titles.at(-1)).toBe('crowsnest: 3 active, 1 creating, 1 in error');
	stage.simulator.world.fail('atlas');
	await stage.pass(10_000);
	await stage.see(/atlas +✖ Error/);
	expect(stage.said.titles.at(-1)).toContain('2 in error');
});

test('a computer that fails is told once, and what was there before is no news', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.pass(40_000);
	expect(stage.said.notified).toEqual([]);
	stage.simulator.world.fail('atlas', 'it broke');
	await stage.pass(60_000);
	expect(stage.said.notified).toEqual(['atlas is in error']);
});

test('an operation that ends rings the bell', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('r');
	stage.clock.move(300);
	await stage.press('y');
	await stage.pass(60_000);
	await stage.see('you restarted atlas');
	expect(stage.said.bells).toBe(1);
});
