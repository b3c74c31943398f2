import { expect, test } from 'vitest';
import { openMonitor } from './monitor.ts';

test('press() resolves only once the effect of the key is on the screen', async () => {
	const monitor = await openMonitor();
	expect(monitor.text()).toContain('❯ atlas');
	await monitor.press('j');
	expect(monitor.text()).toContain('❯ borealis');
	await monitor.press('/');
	await monitor.type('gem');
	expect(monitor.text()).toContain('1 of 7');
	await monitor.press('escape');
	await monitor.paste('gem');
	expect(monitor.text()).toContain('7 computers');
});

test('waiting until the program is idle does not move the held clock', async () => {
	const monitor = await openMonitor();
	const now = monitor.clock.now();
	await monitor.press('j', '2', '1');
	await monitor.see('7 computers');
	expect(monitor.clock.now()).toBe(now);
});

test('the driver considers the program idle while a response is delayed', async () => {
	const monitor = await openMonitor({
		faults: [{ target: 'list', kind: 'delay', delayMs: 5000 }],
	});
	await monitor.seeNo('gemini');
	await monitor.pass(5000);
	await monitor.see('gemini');
});

test('see() fails at once and shows the whole screen if the text is missing', async () => {
	const monitor = await openMonitor();
	await expect(monitor.see('no such thing')).rejects.toThrow(/no such thing[\s\S]*❯ atlas/);
});
