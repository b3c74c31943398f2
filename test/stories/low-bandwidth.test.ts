import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

// What changes with an answer and not with the time: the CPU and memory. And the timers that the screen shows during an
// outage: the time to the next try, the length of the outage, and the blanks that keep both texts at the same width.
const timers =
	/[▲!]?\d+%|(next try in )?\d+ m(in)? \d+ s|next try in \d+ (s|min|m)|trying now|\(R tries now\)|[━· ]+/g;

/** Counts the different screens during the given number of seconds, without what the pattern matches. */
async function countDifferentScreens(monitor: Monitor, seconds: number, ignored: RegExp) {
	const screens = new Set<string>();
	for (let second = 0; second < seconds; second += 1) {
		await monitor.pass(1000);
		screens.add(monitor.text().replace(ignored, ''));
	}
	return screens.size;
}

test('a slow line shows no ages that change every second', async () => {
	const monitor = await openMonitor({ computers: 2, conditions: { isLowBandwidth: true } });
	await monitor.pass(1000).see('2 computers', 'live, <1 m ago');
	await monitor.seeNo(/\b\d+s\b/, 'reads ');
	await monitor.pass(90_000);
	// In 55 seconds, eleven lists are read, and each may change the CPU of a computer.
	expect(await countDifferentScreens(monitor, 55, timers)).toBeLessThanOrEqual(12);
});

test('a slow line still shows each second of a countdown, that a message disappears after a few seconds, and the fleet at once after Ctrl-Z', async () => {
	const monitor = await openMonitor({ computers: 2, conditions: { isLowBandwidth: true } });
	await monitor.pass(3_000, 1_000);
	await monitor.press('ctrl-z');
	monitor.clock.move(600);
	await monitor.idle();
	monitor.resume();
	await monitor.see('❯ atlas');
	await monitor.pass(15_000);
	await monitor.press('Z').see('Z does nothing here');
	await monitor.pass(6_000).see('Z does nothing here');
	await monitor.pass(4_000).seeNo('Z does nothing here');
	await monitor.confirm('r').see('Restarting in 4 s');
	await monitor.pass(2000).see('Restarting in 3 s');
});

test.each([
	[
		'a usual line, only the length of the outage and the time to the next try change',
		{ isLowBandwidth: false, ignored: timers, screens: 2 },
	],
	[
		'a slow line, not even the length of the outage changes',
		{ isLowBandwidth: true, ignored: /$^/, screens: 4 },
	],
])('during an outage on %s every second', async (_, { isLowBandwidth, ignored, screens }) => {
	const monitor = await openMonitor({ computers: 2, conditions: { isLowBandwidth } });
	await monitor.pass(1000).see('2 computers');
	await monitor.simulator.close();
	await monitor.pass(180_000).see(/OFFLINE for 3 m .*(next try in <?\d+ (m|s)|trying now)/);
	expect(await countDifferentScreens(monitor, 40, ignored)).toBeLessThanOrEqual(screens);
});
