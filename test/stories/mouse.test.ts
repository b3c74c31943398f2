import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const lineOf = (monitor: Monitor, text: string) =>
	monitor.lines().findIndex(line => line.includes(text));

/** Clicks on a text, wherever it is on the screen. */
function clickOn(monitor: Monitor, text: string) {
	const y = lineOf(monitor, text);
	monitor.mouse('press', monitor.lines()[y]?.indexOf(text) ?? -1, y);
	return monitor.pass(0);
}

test('a click moves the cursor to a row, and a second click opens its details', async () => {
	const monitor = await openMonitor();
	await clickOn(monitor, 'cygnus').see('❯ cygnus');
	await clickOn(monitor, 'cygnus').see(/^ cygnus {2}○ Stopped[\s\S]*Id sb_/m);
});

test('tabs, counts, titles of columns, hints of keys and results of the palette can be clicked', async () => {
	const monitor = await openMonitor();
	await clickOn(monitor, '2 Billing').see('Credits');
	await clickOn(monitor, '1 error').see('status:=error');
	await monitor.seeNo('❯ atlas');
	await clickOn(monitor, '1 error').seeNo('status:=error');
	await clickOn(monitor, 'NAME').see('NAME▼');
	await clickOn(monitor, 'NAME').see('NAME▲');
	await clickOn(monitor, '/ filter');
	await monitor.press('escape');
	await clickOn(monitor, '? help').see('Keys in the table');
	await clickOn(monitor, 'restart computers').see('Restart draco?');
	await monitor.press('escape', ':', 'choose');
	await clickOn(monitor, 'Choose the columns').see('╭ Columns');
});

test('a click on a hint asks the question of its operation, and no click answers it', async () => {
	const monitor = await openMonitor();
	await monitor.see('❯ atlas');
	await clickOn(monitor, 'x stop').see('Stop atlas?');
	await monitor.pass(1000);
	for (let y = 0; y < 36; y += 1) {
		for (let x = 0; x < 120; x += 3) monitor.mouse('press', x, y);
	}
	await monitor.pass(1000).see('Stop atlas?');
	await monitor.press('escape', ':', 'stop');
	await clickOn(monitor, 'Stop computers');
	await monitor.pass(10_000, 5_000).see('Stop atlas?');
	expect(monitor.operationRequests()).toEqual([]);
});

test('the wheel moves the cursor by three rows, and scrolls the details, and a click selects the row that is drawn there', async () => {
	const monitor = await openMonitor({ computers: 24, size: [200, 13] });
	monitor.mouse('wheelDown', 10, 8);
	monitor.mouse('wheelDown', 10, 8);
	await monitor.see('❯ gemini');
	monitor.mouse('wheelUp', 10, 8);
	await monitor.see('❯ draco', /LOCATION +draco /);
	monitor.mouse('wheelDown', 10, 8);
	await monitor.see(/LOCATION +gemini /);
	monitor.mouse('wheelDown', 180, 8);
	await monitor.see(/\d above/, '❯ gemini');
	await monitor.press('pagedown', 'pagedown');
	const y = lineOf(monitor, '❯') - 2;
	const name = monitor.lines()[y]?.trim().split(' ')[0] ?? '';
	expect(name).not.toBe('');
	monitor.mouse('press', 10, y);
	await monitor.see(`❯ ${name}`);
});

test('a click beside all that can be clicked, or on a frame that a resize has replaced, does nothing', async () => {
	const monitor = await openMonitor();
	for (let y = 2; y < 35; y += 1) {
		const line = monitor.lines()[y] ?? '';
		if (/STATUS|atlas|borealis|cygnus|draco|eridanus|fornax|gemini/.test(line)) continue;
		monitor.mouse('press', 10, y);
	}
	monitor.mouse('press', 500, 500);
	await monitor.pass(1000).see('❯ atlas');
	const y = lineOf(monitor, 'fornax');
	monitor.resize(40, 8);
	await monitor.idle();
	monitor.mouse('press', 10, y);
	monitor.resize(20, 4);
	await monitor.idle();
	monitor.mouse('press', 1, 1);
	monitor.resize(120, 36);
	await monitor.see('❯ atlas');
});
