import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('a slow terminal shows the fleet at once when the program goes on after Ctrl-Z', async () => {
	const monitor = await openMonitor({ conditions: { isLowBandwidth: true } });
	await monitor.pass(3_000, 1_000);
	await monitor.press('ctrl-z');
	monitor.clock.move(600);
	await monitor.idle();
	monitor.resume();
	await monitor.idle();
	expect(monitor.text()).toContain('❯ atlas');
});
