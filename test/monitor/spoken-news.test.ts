import { expect, test } from 'vitest';
import { openSpokenMonitor } from '../driver/spoken.ts';

test('a failing read is said once when it begins and once when it is over', async () => {
	const monitor = await openSpokenMonitor();
	monitor.simulator.setFaults([{ target: '*', kind: '500' }]);
	await monitor.pass(60_000, 5_000).hear('Internal error');
	expect(monitor.newLines().join('\n')).not.toContain('Internal error');
	monitor.simulator.setFaults([]);
	await monitor.pass(120_000, 5_000).hear(/again, after \d+ (seconds|minutes?)/);
	expect(monitor.newLines().join('\n')).not.toContain('again, after');
});

test('the result of each check of a port is said, also if it is the same as before', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('v');
	await monitor.pass(2_000, 500);
	await monitor.hear(/^atlas: port 8080: .*answers/, /^atlas: port 5173: .*answers/);
	await monitor.pass(30_000, 5_000);
	expect(monitor.newLines().join('\n')).not.toContain('atlas: port');
	await monitor.press('v');
	await monitor.pass(2_000, 500).hear(/^atlas: port 8080: .*answers/);
});

test('a view whose data is still being read is spoken when it has come', async () => {
	const monitor = await openSpokenMonitor();
	monitor.simulator.setFaults([{ target: 'models', kind: 'reset', count: 1 }]);
	await monitor.press('3');
	await monitor.pass(30_000, 1_000).hear(/^lantern-large: owner lighthouse/);
});

test('low credits are said once when they begin, and once when they are enough again', async () => {
	const monitor = await openSpokenMonitor();
	const minute = 60_000;
	// How fast the credits burn is known after a while.
	await monitor.pass(25 * minute, 5 * minute);
	monitor.skipSpokenLines();
	monitor.simulator.world.setCredits(3);
	await monitor.pass(10 * minute, 2 * minute).hear('credits are low.');
	expect(monitor.newLines().join('\n')).not.toContain('credits are');
	monitor.simulator.world.setCredits(300);
	await monitor.pass(10 * minute, 2 * minute).hear('credits are enough again.');
});

test('a lock that no key has asked for is said once', async () => {
	const monitor = await openSpokenMonitor({ lockAfterMs: 600_000 });
	await monitor.press('R');
	await monitor.pass(660_000, 60_000).hear(/^Locked\.$/);
	await monitor.press('L');
	monitor.clock.move(300);
	await monitor.press('y').hear(/^Unlocked/);
	await monitor.pass(5_000, 1_000);
	expect(monitor.lines().filter(line => /^(Unl|L)ocked/.test(line))).toHaveLength(2);
});

test('what a key has cancelled is said once, and not again with a later key', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('r');
	monitor.clock.move(400);
	await monitor.press('y');
	monitor.clock.move(100);
	await monitor.hear('atlas: Restarting in 4 seconds, Escape to cancel.');
	await monitor.press('escape').hear(/^Cancelled: atlas was not restarted/);
	await monitor.pass(10_000, 1_000);
	for (const key of ['j', 'escape', 'k']) {
		await monitor.press(key);
		await monitor.pass(3_000, 1_000);
	}
	expect(monitor.newLines().join('\n')).not.toMatch(/cancelled/i);
});

test('another filter of the log is followed by a page of what it shows', async () => {
	const monitor = await openSpokenMonitor({ computers: 24 });
	for (const name of ['atlas', 'fornax']) monitor.simulator.world.fail(name, 'it broke');
	await monitor.pass(6_000, 1_000);
	await monitor.press('5');
	await monitor.press('n').hear('filter on:night');
	await monitor.press('n');
	const lines = monitor.newLines();
	expect(lines.filter(line => /^\d\d:\d\d:\d\d/.test(line)).length).toBeGreaterThan(1);
});
