import { expect, test } from 'vitest';
import { type MatrixStage, openMatrixStage } from './fault-matrix-stage.ts';
import { answer } from './person.ts';

const second = 1_000;
const minute = 60 * second;

const faint = '\x1b[38;5;245m';
const green = '\x1b[32m';
const yellow = '\x1b[33m';

async function opened(size: readonly [number, number] = [120, 36]) {
	const stage = await openMatrixStage({ computers: 7, size });
	await stage.pass(12 * second, 2 * second);
	await stage.see('● live');
	return stage;
}

/** The platform answers nothing from now on. */
async function silent(stage: MatrixStage, milliseconds: number) {
	stage.simulator.setFaults([{ where: '*', kind: '500' }]);
	await stage.pass(milliseconds, 4 * second);
}

const rowOf = (stage: MatrixStage, name: string) => stage.colouredLine(name);

test('a silent platform turns every row grey, freezes its uptime, and says since when', async () => {
	const stage = await opened();
	expect(rowOf(stage, 'gemini')).toContain(green);
	await silent(stage, 40 * second);
	const row = rowOf(stage, 'gemini');
	expect(row).not.toContain(green);
	expect(row).toContain(faint);
	expect(row).toMatch(/≥\d+m/);
	await stage.see(
		/━ PLATFORM ERROR for \d\d s · what you see was true at \d\d:\d\d:\d\d · next try in/,
	);
	await stage.see(/as of \d\d:\d\d:\d\d/);
	const uptime = /≥\w+/.exec(row)?.[0] ?? '';
	await stage.pass(2 * minute, 40 * second);
	expect(rowOf(stage, 'gemini')).toContain(uptime);
	expect(stage.text()).not.toContain('live');
});

test('the first answer after a silence takes the grey away', async () => {
	const stage = await opened();
	await silent(stage, 40 * second);
	stage.end();
	await stage.pass(70 * second, 10 * second);
	await stage.see('● live');
	expect(rowOf(stage, 'gemini')).toContain(green);
	expect(stage.text()).not.toContain('what you see was true');
});

test('one lost answer turns nothing grey', async () => {
	const stage = await opened();
	stage.simulator.setFaults([{ where: '*', kind: '500', count: 1 }]);
	for (let at = 0; at < 8; at += 1) {
		await stage.pass(second);
		expect(rowOf(stage, 'gemini')).toContain(green);
		expect(stage.text()).not.toContain('what you see was true');
	}
});

test.each([
	[120, 36],
	[80, 24],
	[60, 15],
	[40, 10],
] as const)('in %i by %i, what is old says so in every row', async (columns, rows) => {
	const stage = await opened([columns, rows]);
	await silent(stage, 2 * minute);
	expect(rowOf(stage, 'atlas')).not.toContain(green);
	expect(stage.text()).toMatch(/atlas.*[12]m *$/m);
	expect(stage.text()).toContain('PLATFORM ERROR for');
});

test('where SEEN has no room, a sign before the status marks what is old', async () => {
	const stage = await opened([31, 10]);
	expect(stage.text()).toMatch(/atlas +● Active/);
	await silent(stage, 2 * minute);
	expect(stage.text()).toMatch(/atlas +~● Active/);
});

test('a row that is late shows its age in yellow before it turns grey', async () => {
	const stage = await opened();
	stage.begin('list', 'hang');
	stage.simulator.setFaults([
		{ where: 'list', kind: 'hang' },
		{ where: 'status', kind: 'hang' },
		{ where: 'detail', kind: 'hang' },
	]);
	let isSeen = false;
	for (let at = 0; at < 14 && !isSeen; at += 1) {
		stage.clock.move(second);
		for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
		const row = rowOf(stage, 'gemini');
		isSeen = row.includes(green) && row.includes(`${yellow}1`);
	}
	expect(isSeen).toBe(true);
	expect(stage.text()).toMatch(/◐ slow \d+ s/);
});

test('a question about a silent platform says so first', async () => {
	const stage = await opened();
	await silent(stage, 44 * second);
	await stage.press('x');
	await stage.see('Stop atlas?');
	const lines = stage.text().split('\n');
	const top = lines.findIndex(line => line.includes('╭ Stop atlas?'));
	expect(lines.slice(top + 1, top + 3).join(' ')).toMatch(
		/The platform has not answered for \d+ s; this is what was known at/,
	);
	await answer(stage, 'escape');
});

test('R is queued when the reads are used up, and says when they go', async () => {
	const stage = await opened();
	for (let press = 0; press < 30; press += 1) {
		await stage.press('R');
		stage.clock.move(300);
		await stage.quiet();
	}
	await stage.see(/Reads are used up: next at \d\d:\d\d:\d\d \(R is queued\)/);
	const before = stage.sent('list').length;
	await stage.pass(12 * second, second);
	expect(stage.text()).not.toContain('● live');
	await stage.see(/◐ next read in \d+ s/);
	await stage.pass(minute, second);
	expect(stage.sent('list').length).toBeGreaterThan(before);
	await stage.see('● live');
});
