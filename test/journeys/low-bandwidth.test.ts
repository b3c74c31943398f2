import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

// When the next try is, how long nothing has come, and the room that these leave.
const changing =
	/(next try in )?\d+ m \d\d s|next try in \d+ [sm]|trying now|\(R tries now\)|[━· ]+/g;

/** The screen at each of the next seconds, as often as more changed than the time of the silence and of the next try. */
async function pictures(monitor: Monitor, seconds: number) {
	const seen = new Set<string>();
	for (let second = 0; second < seconds; second += 1) {
		await monitor.pass(1000);
		seen.add(monitor.text().replace(changing, ''));
	}
	return seen.size;
}

test('on a slow line nothing changes within a minute but what is new', async () => {
	const monitor = await openMonitor({ computers: 2, conditions: { isLowBandwidth: true } });
	await monitor.pass(1000);
	await monitor.see('2 computers');
	await monitor.see('live <1 m');
	expect(monitor.text()).not.toMatch(/\b\d+s\b/);
	expect(monitor.text()).not.toContain('other ');
	await monitor.pass(90_000);
	// A frame waits there for its turn: the first picture may be the one before.
	expect(await pictures(monitor, 55)).toBeLessThanOrEqual(3);
});

test('a countdown counts there too', async () => {
	const monitor = await openMonitor({ conditions: { isLowBandwidth: true } });
	await monitor.pass(1000);
	await monitor.see('gemini');
	await monitor.pass(20_000);
	await monitor.press('x');
	monitor.clock.move(300);
	await monitor.press('y');
	await monitor.see('Stopping in 4 s, Esc to keep it');
	await monitor.pass(2000);
	await monitor.see('Stopping in 3 s, Esc to keep it');
});

test('where all is old nothing is counted by the second but the silence and the next try', async () => {
	const monitor = await openMonitor({ computers: 2 });
	await monitor.see('2 computers');
	await monitor.simulator.close();
	await monitor.pass(180_000);
	await monitor.see(/offline 3 m/);
	expect(await pictures(monitor, 40)).toBeLessThanOrEqual(2);
});

test('on a slow line not even that is', async () => {
	const monitor = await openMonitor({ computers: 2, conditions: { isLowBandwidth: true } });
	await monitor.pass(1000);
	await monitor.see('2 computers');
	await monitor.simulator.close();
	await monitor.pass(180_000);
	await monitor.see(/offline 3 m, (next try in <?1 m|trying now)/);
	const seen = new Set<string>();
	for (let second = 0; second < 40; second += 1) {
		await monitor.pass(1000);
		seen.add(monitor.text());
	}
	expect(seen.size).toBeLessThanOrEqual(4);
});

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
