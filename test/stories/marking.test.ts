import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('marks stay when the filter changes, and a question says which of its computers are hidden', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('/status:active', 'enter', 'a');
	await monitor.see('3 marked');
	await monitor.press('/', 'ctrl-u', 'status:stopped', 'enter', 'x');
	await monitor.see('Stop 3 computers?');
	await monitor.see('All of these computers are hidden by the filter.');
	await monitor.answer('escape');
	await monitor.seeNo('╭');
	await monitor.see('3 marked');
});

test('a question says how many of its computers were hidden when it opened, also if the filter hides others meanwhile', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.see('gemini');
	await monitor.press('/status:active', 'enter', 'a', 'x');
	await monitor.see('Stop 3 computers?');
	await monitor.seeNo('hidden by the filter');
	const top = () => monitor.lines().findIndex(line => line.includes('Stop 3 computers?'));
	const before = top();
	monitor.simulator.world.sleep('atlas');
	await monitor.pass(10_000);
	await monitor.see('Meanwhile atlas is stopp');
	await monitor.seeNo('hidden by the filter');
	expect(top()).toBe(before);
	await monitor.answer('escape');
	await monitor.pass(5_000);
	await monitor.press('D');
	await monitor.see('1 of these computers is hidden by the filter.');
});

test('cancelling a countdown marks its computers again', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('/status:active', 'enter', 'a', 'r');
	await monitor.answer('y');
	await monitor.see(/gemini .*Restarting in 4 s/);
	await monitor.seeNo('3 marked');
	await monitor.press('escape');
	await monitor.see('Cancelled: 3 operations were not sent');
	await monitor.see('Esc unmark all');
	await monitor.press('x');
	await monitor.see('Stop 3 computers?');
	expect(monitor.operationRequests()).toEqual([]);
});

test('marks stay when an operation is about other computers', async () => {
	const monitor = await openMonitor();
	await monitor.see('1.3.9 ↑');
	await monitor.press('space', 'space', '4', 'u');
	await monitor.see('Update fornax?');
	await monitor.answer('y');
	await monitor.press('1');
	await monitor.see('2 marked');
});

test('rows stay in their places while a computer is marked, and Esc sorts them again', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('o', 't', 'j', 'space');
	const isBelow = () => monitor.text().indexOf(' atlas ') > monitor.text().indexOf(' fornax ');
	monitor.simulator.world.fail('atlas');
	await monitor.pass(60_000, 3_000);
	await monitor.see(/atlas +✖ Error/);
	expect(isBelow()).toBe(true);
	await monitor.press('escape');
	await monitor.pass(3_000, 1_000);
	expect(isBelow()).toBe(false);
});

test('marking all computers says how many, and how to unmark them', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('a');
	await monitor.see('7 computers marked; Esc unmarks them');
	await monitor.press('a');
	await monitor.see('7 marks removed');
	await monitor.press('/gemini', 'enter', 'a');
	await monitor.see('1 computer marked; Esc unmarks it');
	await monitor.press('escape');
	await monitor.seeNo('1 marked');
});

test('a paste into the table says that it needs a text field', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.paste('xyD');
	await monitor.see('Nothing was pasted: a paste needs a text field, such as / or :');
	await monitor.press('x');
	await monitor.see('Stop atlas?');
	await monitor.paste('y');
	await monitor.seeNo('Nothing was pasted');
	expect(monitor.operationRequests()).toEqual([]);
});
