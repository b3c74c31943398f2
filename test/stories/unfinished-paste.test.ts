import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const second = 1_000;
const notice = 'A paste has not ended. Press Esc to end it.';

test('a notice says that keys do nothing while a paste has no end marker, and Esc ends the paste', async () => {
	const monitor = await openMonitor({ isReadOnly: true });
	await monitor.see('❯ atlas');
	monitor.device.send('\u001B[200~rm');
	await monitor.pass(second, second);
	await monitor.seeNo(notice);
	await monitor.pass(20 * second, second);
	await monitor.see(notice);
	const rows = monitor.lines().length;
	await monitor.press('escape');
	await monitor.pass(second, 100);
	await monitor.seeNo(notice);
	expect(monitor.lines()).toHaveLength(rows);
	await monitor.press('j');
	await monitor.see('❯ borealis');
});

test('the notice about an unfinished paste disappears when the end marker arrives', async () => {
	const monitor = await openMonitor();
	monitor.device.send('\u001B[200~rm');
	await monitor.pass(5 * second, second);
	await monitor.see(notice);
	monitor.device.send(' -rf\u001B[201~');
	await monitor.seeNo(notice);
});
