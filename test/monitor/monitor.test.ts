import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('what starts without a question asks one while a slow line has not shown what the keys before it did', async () => {
	const monitor = await openMonitor({ confirm: { start: 'off' } });
	await monitor.see('gemini');
	await monitor.goTo('borealis');
	monitor.clock.move(1_000);
	monitor.device.stall();
	await monitor.press('j');
	monitor.clock.move(1_000);
	await monitor.press('s');
	monitor.device.endStall();
	await monitor.see('Start cygnus?');
	expect(monitor.operationRequests()).toEqual([]);
});

test('what has happened during a long silence is announced together, and not at the first answer', async () => {
	const monitor = await openMonitor();
	const { simulator, effects } = monitor;
	await monitor.pass(60_000, 5_000);
	simulator.setFaults([{ target: '*', kind: 'reset' }]);
	await monitor.pass(40 * 60_000, 60_000);
	for (const name of ['atlas', 'gemini']) simulator.world.fail(name, 'it broke');
	simulator.setFaults([]);
	const isRead = () => /atlas +✖ Error/.test(monitor.text());
	await monitor.passUntil(isRead, 120_000, 1_000);
	await monitor.pass(5_000, 1_000);
	expect(effects.notified).toEqual([]);
	await monitor.pass(15_000, 1_000);
	expect(effects.notified).toEqual([expect.stringMatching(/^(atlas|gemini) is in error, /)]);
});
