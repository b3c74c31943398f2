import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { showKeptPicture } from '../../source/terminal/picture/kept-picture.ts';
import { startSimulator } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { openMonitor } from '../driver/monitor.ts';

const second = 1_000;
const minute = 60 * second;

/** Creates the place of the pictures. The start that opens the monitor has no terminal, so it shows none. */
function createPlace() {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-picture-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const program = Object.assign(new EventEmitter(), {
		...{ stdin: {}, stdout: {}, env: {}, argv: [], pid: 1, kill: () => true },
	}) as unknown as Parameters<typeof showKeptPicture>[0]['program'];
	const keptPicture = showKeptPicture({
		...{ program, folder, choosingFiles: [] },
		...{ read: () => undefined, now: () => 0, nextTurn: () => {} },
	});
	if (!keptPicture) throw new Error('no place for pictures');
	const textFor = (columns: number, rows: number) => {
		const { path } = keptPicture.placeFor(columns, rows);
		return existsSync(path) ? String(JSON.parse(readFileSync(path, 'utf8')).lines.join('\n')) : '';
	};
	return { keptPicture, folder, textFor };
}

test('two seconds after the first rows, the table is kept for the next start, with its time, and without cursor, keys and user', async () => {
	const { keptPicture, textFor } = createPlace();
	const monitor = await openMonitor({ keptPicture, size: [120, 36] });
	await monitor.see('7 computers');
	expect(textFor(120, 36)).toBe('');
	await monitor.pass(3 * second);
	const text = textFor(120, 36);
	expect(text).toMatch(/● 3 active .*○ as of \d\d:\d\d:\d\d/);
	expect(text).toContain('7 computers');
	expect(text).toMatch(/^ {3}atlas +● Active/m);
	expect(text.split('\n')).toHaveLength(4 + 7);
	for (const absent of ['❯', 'q quit', 'live', 'owner@', '\u001B'])
		expect(text).not.toContain(absent);
	expect(monitor.text()).toContain('owner@');
});

test('the picture is kept again each minute and at the end, while the screen shows the top of the table', async () => {
	const { keptPicture, textFor } = createPlace();
	const monitor = await openMonitor({ keptPicture, size: [120, 16], computers: 40 });
	await monitor.pass(3 * second);
	const first = textFor(120, 16);
	await monitor.pass(minute);
	const kept = textFor(120, 16);
	expect(kept).not.toBe(first);
	await monitor.press('end');
	await monitor.pass(minute);
	expect(textFor(120, 16)).toBe(kept);
	await monitor.press('home', 'enter');
	await monitor.pass(minute);
	expect(textFor(120, 16)).toBe(kept);
	await monitor.press('escape', '?');
	await monitor.pass(minute);
	expect(textFor(120, 16)).toBe(kept);
	await monitor.press('escape');
	monitor.close();
	expect(textFor(120, 16)).not.toBe(kept);
});

test('a picture beside open details leaves them out, because their addresses can contain secrets', async () => {
	const { keptPicture, textFor } = createPlace();
	const monitor = await openMonitor({ keptPicture, size: [200, 30] });
	await monitor.pass(3 * second);
	expect(monitor.text()).toContain('198.18.0.1');
	expect(textFor(200, 30)).toContain('atlas');
	expect(textFor(200, 30)).not.toContain('198.18.');
});

test('pictures that no start has used for a week are removed', async () => {
	const { keptPicture, folder } = createPlace();
	const monitor = await openMonitor({ keptPicture, size: [120, 36] });
	const [old, recent] = ['picture-00000001.json', 'picture-00000002.json'].map(name =>
		join(folder, name),
	);
	const at = monitor.clock.now() / 1000;
	for (const [path, days] of [
		[old, 8],
		[recent, 6],
	] as const) {
		writeFileSync(path ?? '', '');
		utimesSync(path ?? '', at, at - days * 24 * 60 * 60);
	}
	await monitor.pass(3 * second);
	expect([old, recent].map(path => existsSync(path ?? ''))).toEqual([false, true]);
});

test('after an account was added, no picture is kept, because the next start may not open that account', async () => {
	const { keptPicture, textFor } = createPlace();
	const work = await startSimulator();
	const lab = await startSimulator({ clock: work.clock });
	const monitor = await openConfiguredMonitor({
		profiles: { work: { simulator: work }, lab: { simulator: lab } },
		words: ['--profile', 'work'],
		keptPicture,
	});
	await monitor.pass(second);
	const kept = textFor(120, 36);
	expect(kept).toContain('3 computers');
	await monitor.press(':', 'account lab', 'enter');
	await monitor.pass(2 * second);
	await monitor.see('6 computers');
	await monitor.pass(2 * minute, 5 * second);
	monitor.close();
	expect(textFor(120, 36)).toBe(kept);
});

test('a picture of several accounts has their column, and their counts together', async () => {
	const { keptPicture, textFor } = createPlace();
	const work = await startSimulator();
	const lab = await startSimulator({ clock: work.clock });
	const monitor = await openConfiguredMonitor({
		profiles: { work: { simulator: work }, lab: { simulator: lab } },
		words: ['--all-profiles'],
		keptPicture,
	});
	await monitor.pass(4 * second);
	expect(textFor(120, 36)).toContain('6 computers');
	expect(textFor(120, 36)).toMatch(/^ {3}ACCOUNT +NAME/m);
	for (const account of ['work', 'lab'])
		expect(textFor(120, 36)).toMatch(new RegExp(`^ {3}.*${account} +atlas`, 'm'));
});

test('a picture in another order than the next start has is removed at the end, and one in the same order stays', async () => {
	for (const { keys, isKept } of [
		{ keys: ['enter'], isKept: true },
		{ keys: ['o', 'c', 'enter'], isKept: false },
		{ keys: ['m'], isKept: false },
	]) {
		const { keptPicture, textFor } = createPlace();
		const monitor = await openMonitor({ keptPicture, size: [120, 16] });
		await monitor.pass(3 * second);
		expect(textFor(120, 16)).not.toBe('');
		await monitor.press(...keys);
		monitor.close();
		expect(textFor(120, 16) !== '', keys.join(' ')).toBe(isKept);
	}
});
