import { expect, test } from 'vitest';
import { openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

test('what is under way stands on top of the log until it has ended, and F asks again for what failed', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	await monitor.press('r');
	await monitor.answer('y');
	// The filter of the log does not hide it.
	await monitor.press('5', '/', 'hydra', 'enter', 'J');
	await monitor.see(/❯ \S+ ◐ atlas: Restarting in 4 s, Esc to cancel/);

	// The quit dialog holds the countdown, which starts again when the dialog is declined.
	await monitor.press('ctrl-c');
	await monitor.see(/atlas: Restarting: on hold/);
	await monitor.answer('n');
	await monitor.pass(6 * second, 2 * second);
	await monitor.see(/❯ \S+ ◐ atlas: Restarting \d+s/);
	await monitor.pass(20 * second, 5 * second);
	await monitor.seeNo('atlas: Restarting');
	await monitor.press('escape');
	await monitor.see(/atlas: restarted by you in \d+ s/);

	// A failed batch shows its operations, and F retries those that failed.
	monitor.startFault('restart', '503', 1);
	await monitor.press('1', '/', 'status:active', 'enter', 'j', 'space', 'j', 'space', 'r');
	await monitor.answer('y');
	await monitor.press('J');
	await monitor.see(/❯ \S+ ◐ Restarting 2 computers in 4 s, Esc to cancel/);
	await monitor.pass(40 * second, 5 * second);
	await monitor.see(/❯ \S+ ✖ you restarted 1 of 2 computers .* 1 failed/);
	await monitor.press('enter');
	await monitor.see(/✖ \w+: restart failed/);
	await monitor.press('F');
	await monitor.see(/Restart \w+\?/);
	await monitor.answer('y');
	await monitor.see(/❯ \S+ ✖ you restarted 1 of 2 computers/);
	await monitor.pass(30 * second, 5 * second);
	const requests = monitor.operationRequests().filter(each => each.includes('restart'));
	expect(requests.map(each => each.slice(-3)).sort()).toEqual(['200', '200', '200', '503']);
});

test('F on a line of the log asks again for a failure that was taken away', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	monitor.startFault('restart', '503', 1);
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(40 * second, 5 * second);
	await monitor.see('✖ atlas: restart failed');
	await monitor.press('escape', '5');
	await monitor.see(/❯ \S+ ✖ atlas: restart failed/);
	await monitor.see('F retry');
	await monitor.press('F');
	await monitor.see('Restart atlas?');
});

test('x on a line of the log says why there is nothing to cancel', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	await monitor.press('5', 'x');
	await monitor.see('Nothing to cancel on this line');
	await monitor.press('1', 'r');
	await monitor.answer('y');
	await monitor.pass(5 * second, 5 * second);
	await monitor.press('J', 'x');
	await monitor.see('Already sent: it cannot be cancelled');
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

test('Enter on an operation opens its computer', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 36] });
	await monitor.goTo('fornax');
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.press('1', 'g', 'J', 'enter');
	await monitor.see(monitor.simulator.world.get('fornax').id);
});
