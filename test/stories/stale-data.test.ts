import { expect, test } from 'vitest';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;
const minute = 60 * second;

const faint = '\x1b[38;5;245m';
const green = '\x1b[32m';

async function openLive(size: readonly [number, number] = [120, 36]) {
	const monitor = await openFaultyMonitor({ computers: 7, size });
	await monitor.pass(6 * second, 3 * second);
	await monitor.see(/\d s ago/);
	return monitor;
}

/** Makes every read fail, and passes the given time. */
async function failAllReads(monitor: FaultyMonitor, milliseconds: number) {
	monitor.simulator.setFaults([{ target: '*', kind: '500' }]);
	await monitor.pass(milliseconds, 8 * second);
}

const rowOf = (monitor: FaultyMonitor, name: string) => monitor.colouredLine(name);

test('rows turn grey and uptimes freeze while the platform does not answer, and recover when it does', async () => {
	const monitor = await openLive();
	expect(rowOf(monitor, 'gemini')).toContain(green);
	await failAllReads(monitor, 40 * second);
	const row = rowOf(monitor, 'gemini');
	expect(row).not.toContain(green);
	expect(row).toContain(faint);
	expect(row).toMatch(/≥\d+m/);
	await monitor.see(
		/━ PLATFORM ERROR for \d\d s · what you see was true at \d\d:\d\d:\d\d · next try in/,
	);
	const uptime = /≥\w+/.exec(row)?.[0] ?? '';
	await monitor.pass(2 * minute, 40 * second);
	expect(rowOf(monitor, 'gemini')).toContain(uptime);
	expect(monitor.text()).not.toContain('live');
	monitor.endFaults();
	await monitor.pass(70 * second);
	await monitor.see('live, ');
	expect(rowOf(monitor, 'gemini')).toContain(green);
	expect(monitor.text()).not.toContain('what you see was true');
});

test('after an outage, everything is read again, and no more often than before', async () => {
	const monitor = await openFaultyMonitor({
		computers: 7,
		size: [120, 36],
		shapes: { list: 'minimal' },
	});
	await monitor.pass(20 * second, 5 * second);
	monitor.simulator.setFaults([{ target: '*', kind: 'reset' }]);
	await monitor.pass(40 * second, 8 * second);
	await monitor.see(/OFFLINE/);
	monitor.endFaults();
	await monitor.passUntil(() => monitor.text().includes('live, '), 70 * second, 5 * second);
	monitor.simulator.world.fail('atlas', 'it broke');
	const failedAt = monitor.clock.now();
	await monitor.pass(30 * second, 5 * second);
	await monitor.see(/atlas +✖ Error .*it broke/);
	expect(monitor.sent('list', failedAt).length).toBeLessThanOrEqual(8);
});

test('a single failed read turns no row grey', async () => {
	const monitor = await openLive();
	monitor.simulator.setFaults([{ target: '*', kind: '500', count: 1 }]);
	for (let at = 0; at < 8; at += 1) {
		await monitor.pass(second);
		expect(rowOf(monitor, 'gemini')).toContain(green);
		expect(monitor.text()).not.toContain('what you see was true');
	}
});

test('the list stays as fresh as in calm times right after a creation, for which it was read more often', async () => {
	const monitor = await openLive();
	const { world } = monitor.simulator;
	world.add({ state: 'provisioning' });
	await monitor.passUntil(() => monitor.text().includes('5 active'), 2 * minute, 2 * second);
	await monitor.see('5 active');
	for (let at = 0; at < 20; at += 1) {
		await monitor.pass(2 * second, 2 * second);
		const [, age = ''] = /live, (\d+) s/.exec(monitor.text()) ?? [];
		expect(Number(age || Number.NaN)).toBeLessThanOrEqual(10);
	}
});

test('during an outage every row shows that its data is old, in a terminal of any size', async () => {
	const monitor = await openLive([31, 10]);
	expect(monitor.text()).toMatch(/atlas +● Active/);
	await failAllReads(monitor, 2 * minute);
	expect(rowOf(monitor, 'atlas')).not.toContain(green);
	for (const [columns, rows] of [
		[120, 36],
		[80, 24],
		[60, 15],
		[40, 10],
	] as const) {
		monitor.resize(columns, rows);
		await monitor.idle();
		expect(rowOf(monitor, 'atlas')).not.toContain(green);
		expect(monitor.text()).toContain('PLATFORM ERROR for');
	}
});

test('pressing R when no read is left queues the read, and the footer says when it will be sent', async () => {
	const monitor = await openLive();
	for (let press = 0; press < 30; press += 1) {
		await monitor.press('R');
		monitor.clock.move(300);
		await monitor.idle();
	}
	await monitor.see(/Waiting for the rate limit: refreshing at \d\d:\d\d:\d\d/);
	const before = monitor.sent('list').length;
	await monitor.pass(12 * second, 4 * second);
	expect(monitor.text()).not.toContain('live, ');
	await monitor.see(/◐ next (read )?in \d+ s/);
	await monitor.pass(minute, 10 * second);
	expect(monitor.sent('list').length).toBeGreaterThan(before);
	await monitor.see('live, ');
});

test('a monitor that gets its data from another process says nothing of it', async () => {
	const monitor = await openLive();
	const { store, account } = monitor.session;
	store.receive([{ account, at: monitor.clock.now(), type: 'watchShared', leader: '4121' }]);
	await monitor.see(/live, \d+ s ago/);
	expect(monitor.text()).not.toMatch(/pane|4121/);
});

test('an outage is shown although the clock was set back by an hour, so that the last answer lies in the future', async () => {
	const monitor = await openLive();
	monitor.clock.jump(-60 * minute);
	await failAllReads(monitor, 60 * second);
	await monitor.see(/━ PLATFORM ERROR/);
	expect(rowOf(monitor, 'gemini')).not.toContain(green);
	expect(monitor.text()).not.toContain('live');
});
