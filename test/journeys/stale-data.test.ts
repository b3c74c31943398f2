import { expect, test } from 'vitest';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;
const minute = 60 * second;

const faint = '\x1b[38;5;245m';
const green = '\x1b[32m';
const yellow = '\x1b[33m';

async function opened(size: readonly [number, number] = [120, 36]) {
	const monitor = await openFaultyMonitor({ computers: 7, size });
	await monitor.pass(6 * second, 3 * second);
	await monitor.see('● live');
	return monitor;
}

/** The platform answers nothing from now on. */
async function silent(monitor: FaultyMonitor, milliseconds: number) {
	monitor.simulator.setFaults([{ where: '*', kind: '500' }]);
	await monitor.pass(milliseconds, 8 * second);
}

const rowOf = (monitor: FaultyMonitor, name: string) => monitor.colouredLine(name);

test('a silent platform turns every row grey, freezes its uptime, and says since when; an answer ends it', async () => {
	const monitor = await opened();
	expect(rowOf(monitor, 'gemini')).toContain(green);
	await silent(monitor, 40 * second);
	const row = rowOf(monitor, 'gemini');
	expect(row).not.toContain(green);
	expect(row).toContain(faint);
	expect(row).toMatch(/≥\d+m/);
	await monitor.see(
		/━ PLATFORM ERROR for \d\d s · what you see was true at \d\d:\d\d:\d\d · next try in/,
	);
	await monitor.see(/as of \d\d:\d\d:\d\d/);
	const uptime = /≥\w+/.exec(row)?.[0] ?? '';
	await monitor.pass(2 * minute, 40 * second);
	expect(rowOf(monitor, 'gemini')).toContain(uptime);
	expect(monitor.text()).not.toContain('live');
	monitor.endFaults();
	await monitor.pass(70 * second);
	await monitor.see('● live');
	expect(rowOf(monitor, 'gemini')).toContain(green);
	expect(monitor.text()).not.toContain('what you see was true');
});

test('one lost answer turns nothing grey', async () => {
	const monitor = await opened();
	monitor.simulator.setFaults([{ where: '*', kind: '500', count: 1 }]);
	for (let at = 0; at < 8; at += 1) {
		await monitor.pass(second);
		expect(rowOf(monitor, 'gemini')).toContain(green);
		expect(monitor.text()).not.toContain('what you see was true');
	}
});

test('in a terminal of any size, what is old says so in every row', async () => {
	const monitor = await opened([31, 10]);
	expect(monitor.text()).toMatch(/atlas +● Active/);
	await silent(monitor, 2 * minute);
	// The column SEEN has no room here, so a sign before the status marks what is old.
	expect(monitor.text()).toMatch(/atlas +~● Active/);
	for (const [columns, rows] of [
		[120, 36],
		[80, 24],
		[60, 15],
		[40, 10],
	] as const) {
		monitor.resize(columns, rows);
		await monitor.idle();
		expect(rowOf(monitor, 'atlas')).not.toContain(green);
		expect(monitor.text()).toMatch(/atlas.*[12]m *$/m);
		expect(monitor.text()).toContain('PLATFORM ERROR for');
	}
});

test('a row that is late shows its age in yellow before it turns grey', async () => {
	const monitor = await opened();
	monitor.startFault('list', 'hang');
	monitor.simulator.setFaults([
		{ where: 'list', kind: 'hang' },
		{ where: 'status', kind: 'hang' },
		{ where: 'detail', kind: 'hang' },
	]);
	let isSeen = false;
	for (let at = 0; at < 14 && !isSeen; at += 1) {
		monitor.clock.move(second);
		for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
		const row = rowOf(monitor, 'gemini');
		isSeen = row.includes(green) && row.includes(`${yellow}1`);
	}
	expect(isSeen).toBe(true);
	expect(monitor.text()).toMatch(/◐ slow \d+ s/);
});

test('a question about a silent platform says so first', async () => {
	const monitor = await opened();
	await silent(monitor, 44 * second);
	await monitor.press('x');
	await monitor.see('Stop atlas?');
	const lines = monitor.text().split('\n');
	const top = lines.findIndex(line => line.includes('╭ Stop atlas?'));
	expect(lines.slice(top + 1, top + 3).join(' ')).toMatch(
		/The platform has not answered for \d+ s; this is what was known at/,
	);
	await monitor.answer('escape');
});

test('R is queued when the reads are used up, and says when they go', async () => {
	const monitor = await opened();
	for (let press = 0; press < 30; press += 1) {
		await monitor.press('R');
		monitor.clock.move(300);
		await monitor.idle();
	}
	await monitor.see(/Reads are used up: next at \d\d:\d\d:\d\d \(R is queued\)/);
	const before = monitor.sent('list').length;
	await monitor.pass(12 * second, 4 * second);
	expect(monitor.text()).not.toContain('● live');
	await monitor.see(/◐ next read in \d+ s/);
	await monitor.pass(minute, 10 * second);
	expect(monitor.sent('list').length).toBeGreaterThan(before);
	await monitor.see('● live');
});
