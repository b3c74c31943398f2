import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';
import { openFaultyMonitor } from './faulty-monitor.ts';

test('the map shares cursor, marks, filter and operations with the table', async () => {
	const monitor = await openMonitor();
	await monitor.see('❯ atlas');
	await monitor.press('j', 'm');
	await monitor.see('by location, coloured by status');
	await monitor.see('❯ borealis');
	await monitor.see(/✖ error {3}■ changing/);
	await monitor.press('b', 'home', 'space', 'space');
	await monitor.see('by status, coloured by status');
	await monitor.see('2 marked');
	await monitor.press('m');
	await monitor.seeNo('coloured by');
	await monitor.see('2 marked');
	await monitor.press('m', 'escape', 'home', 'r');
	await monitor.see(/Restart \w+\?/);
	await monitor.answer('escape');
	const name = /❯ (\w+) {2}/.exec(monitor.lines().findLast(line => line.includes('❯')) ?? '')?.[1];
	await monitor.press('enter');
	await monitor.see(new RegExp(`${name} {2}[●◐○✖] `));
	await monitor.press('escape', 'f');
	await monitor.see('status:=');
	await monitor.press('escape');
	await monitor.seeNo('status:=');
	await monitor.see('coloured by');
	await monitor.see('Esc table');
	await monitor.press('escape');
	await monitor.seeNo('coloured by');
	expect(monitor.operationRequests()).toEqual([]);
});

test('a click on a cell of the map puts the cursor there, and a second one opens the computer', async () => {
	const monitor = await openMonitor();
	await monitor.see('❯ atlas');
	await monitor.press('m', 'b');
	const y = monitor.lines().findIndex(line => /stopped +1 +■/.test(line));
	const x = (monitor.lines()[y] ?? '').indexOf('■');
	monitor.mouse('press', x, y);
	await monitor.pass(0);
	await monitor.see(/❯ stopped/);
	monitor.mouse('press', x, y);
	await monitor.pass(0);
	await monitor.see(/sb_\w+/);
});

test('the map shows the fleet as old while the platform does not answer', async () => {
	const monitor = await openFaultyMonitor({ computers: 7 });
	await monitor.see('❯ atlas');
	await monitor.press('m');
	await monitor.see('by location');
	expect(monitor.text()).not.toContain('what you see was true at');
	monitor.simulator.setFaults([{ target: '*', kind: '500' }]);
	await monitor.pass(40_000, 8000);
	await monitor.see('what you see was true at');
});
