import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const second = 1_000;
const notice = 'A paste has not ended. Press Esc to end it.';

test('a paste without its end marker shows why keys do nothing, and Esc ends it', async () => {
	const monitor = await openMonitor({ isReadOnly: true });
	await monitor.see('❯ atlas');
	monitor.device.send('\u001B[200~rm');
	await monitor.pass(second, second);
	await monitor.unseen(notice);
	await monitor.pass(20 * second, second);
	await monitor.see(notice);
	const rows = monitor.lines().length;
	await monitor.press('escape');
	await monitor.pass(second, 100);
	await monitor.unseen(notice);
	expect(monitor.lines()).toHaveLength(rows);
	await monitor.press('j');
	await monitor.see('❯ borealis');
});

test('the notice disappears when the end of the paste arrives', async () => {
	const monitor = await openMonitor();
	monitor.device.send('\u001B[200~rm');
	await monitor.pass(5 * second, second);
	await monitor.see(notice);
	monitor.device.send(' -rf\u001B[201~');
	await monitor.unseen(notice);
});
