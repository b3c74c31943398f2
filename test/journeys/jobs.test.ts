import { expect, test } from 'vitest';
import { openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

test('the list of jobs follows operations from the countdown to their outcome, and retries what failed', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	await monitor.press('J');
	await monitor.see('No operations.');
	await monitor.press('1', 'r');
	await monitor.answer('y');
	await monitor.press('J');
	await monitor.see(/❯ \S+ ◐ atlas +Restarting in 4 s, Esc to cancel/);
	await monitor.see('1 not sent');

	// The quit dialog holds the countdown, which starts again when the dialog is declined.
	await monitor.press('ctrl-c');
	await monitor.see(/atlas +Restarting: on hold/);
	await monitor.answer('n');
	await monitor.pass(6 * second, 2 * second);
	await monitor.see('1 under way');
	await monitor.pass(20 * second, 5 * second);
	await monitor.see(/atlas +Restarted in \d+ s/);

	// A failed batch shows its operations, and F retries those that failed.
	monitor.startFault('restart', '503', 1);
	await monitor.press('1', '/', 'status:active', 'enter', 'j', 'space', 'j', 'space', 'r');
	await monitor.answer('y');
	await monitor.pass(40 * second, 5 * second);
	await monitor.press('J');
	await monitor.see(/❯ \S+ ✖ 2 computers +▸ Restart .* 1 done {2}1 failed .* F retries/);
	await monitor.press('enter');
	await monitor.see(/✖ +\w+ +Restart failed/);
	await monitor.see(/\w+ +Restarted in/);
	await monitor.press('F');
	await monitor.see(/Restart \w+\?/);
	await monitor.answer('y');
	await monitor.pass(30 * second, 5 * second);
	await monitor.see(/❯ \S+ ✖ 2 computers/);
	const requests = monitor.operationRequests().filter(each => each.includes('restart'));
	expect(requests.map(each => each.slice(-3)).sort()).toEqual(['200', '200', '200', '503']);
});

test('the rows of a batch stay in a filtered table until a moment after it has ended, and marks on them count as hidden', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	await monitor.press('/', 'status:active', 'enter', 'a', 'x');
	await monitor.answer('y');
	await monitor.passUntil(() => monitor.text().includes('you stopped 3'), 30 * second, second);
	await monitor.see(/^┊❯ atlas +○ Stopped/m);
	await monitor.see(/^┊ +gemini +○ Stopped/m);
	await monitor.press('space');
	await monitor.see('1 marked (1 hidden)');
	await monitor.press('s');
	await monitor.see('The computer is hidden by the filter.');
	await monitor.answer('n');
	await monitor.pass(12 * second, 3 * second);
	// The row under the cursor stays, so that the next key hits no other computer.
	await monitor.see(/^┊❯ fornax +○ Stopped/m);
	expect(monitor.text()).not.toMatch(/gemini +○ Stopped/);
});

test('the row of a single operation stays in a filtered table, and the cursor on it, so that a second key hits no other computer', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	await monitor.press('/', 'status:active', 'enter', 'x');
	await monitor.answer('y');
	await monitor.pass(60 * second, 5 * second);
	await monitor.see(/^┊❯ atlas +○ Stopped/m);
	await monitor.press('x');
	await monitor.see('Cannot stop atlas: already stopped');
	await monitor.press('down');
	await monitor.seeNo('○ Stopped');
	await monitor.see(/^ ❯ fornax +● Active/m);
});

test('the list of jobs names the key that retries in full or not at all', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 10] });
	monitor.startFault('restart', '503', 1);
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(40 * second, 5 * second);
	await monitor.press('J');
	const lineAt = async (width: number) => {
		monitor.resize(width, 10);
		await monitor.idle();
		return monitor.lines().find(line => line.startsWith('❯')) ?? '';
	};
	expect(await lineAt(200)).toMatch(/Restart failed: .* {3}F retries$/);
	for (let width = 160; width >= 45; width -= 1) {
		const line = (await lineAt(width)).trimEnd();
		expect(line.endsWith(' F retries') || !/ {3}F?[ a-z]*…?$/.test(line), line).toBe(true);
	}
});

test('Enter on an operation opens its computer', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	await monitor.goTo('fornax');
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.press('1', 'g', 'J', 'enter');
	await monitor.see(monitor.simulator.world.get('fornax').id);
});
