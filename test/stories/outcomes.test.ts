import { expect, test } from 'vitest';
import { openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

const openFleet = (size: readonly [number, number] = [120, 16]) =>
	openFaultyMonitor({ computers: 7, size });

test('what is over does not come back as news, and a filter is left with one Esc', async () => {
	const monitor = await openFleet();
	await monitor.press('/', 'status:active', 'enter', 'a', 'r');
	await monitor.answer('y');
	await monitor.press('escape');
	await monitor.see('Cancelled: 3 operations were not sent');
	await monitor.press('r');
	await monitor.answer('y');
	for (let passed = 0; passed < 40; passed += 8) {
		await monitor.pass(8 * second, 4 * second);
		await monitor.seeNo('none of 3');
		await monitor.seeNo('Dismiss');
	}
	await monitor.see('/status:active');
	await monitor.press('escape');
	await monitor.seeNo('/status:active');
});

test('a failure stays until Esc takes it away, and Esc undoes one thing at a time', async () => {
	const monitor = await openFleet();
	monitor.startFault('restart', '503', 1);
	await monitor.press('/', 'a', 'enter', 'r');
	await monitor.answer('y');
	await monitor.pass(40 * second, 5 * second);
	const failure = /^ ✖ atlas: restart failed: /m;
	await monitor.see(failure);
	await monitor.press('j', 'T', 'G');
	await monitor.see(failure);
	await monitor.see('F retry');
	// A countdown comes first, then the failure, then the filter.
	await monitor.goTo('fornax');
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.see(/Restarting fornax in \d s, Esc to cancel {3}✖ atlas: restart failed/);
	await monitor.press('escape');
	await monitor.see('Cancelled: fornax was not restarted');
	await monitor.see(failure);
	await monitor.see('Esc clear failure');
	await monitor.press('escape');
	await monitor.seeNo('restart failed');
	await monitor.seeNo('Restart failed');
	await monitor.see('/a  7 of 7');
	await monitor.press('escape');
	await monitor.seeNo('/a  7 of 7');
});

test('a failure leaves when its operation is done, and when Enter has opened its computer', async () => {
	const monitor = await openFleet();
	monitor.startFault('restart', '503', 2);
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(40 * second, 5 * second);
	await monitor.see('✖ atlas: restart failed');
	await monitor.press('enter', 'escape');
	await monitor.seeNo('restart failed');
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(40 * second, 5 * second);
	await monitor.see('✖ atlas: restart failed');
	await monitor.press('F');
	await monitor.see('Restart atlas?');
	await monitor.answer('y');
	await monitor.pass(60 * second, 5 * second);
	await monitor.see(/atlas +● Active +.*restarted/);
	await monitor.seeNo('restart failed');
});

test.each(['escape', 'q'])(
	'%s closes the details, and takes away the failure that they show',
	async key => {
		const monitor = await openFleet();
		monitor.startFault('restart', '503', 1);
		await monitor.press('r');
		await monitor.answer('y');
		await monitor.pass(40 * second, 5 * second);
		await monitor.see('✖ atlas: restart failed');
		await monitor.press('enter', key);
		await monitor.see('3 active');
		await monitor.seeNo('restart failed');
	},
);

test('a request that failed does not hide why a computer is in error', async () => {
	const monitor = await openFleet();
	monitor.simulator.world.fail('atlas', 'disk quota exceeded');
	await monitor.pass(20 * second, 5 * second);
	await monitor.see(/atlas +✖ Error .*disk quota exceeded/);
	monitor.startFault('restart', '503', 1);
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(40 * second, 5 * second);
	await monitor.see(/atlas +✖ Error .*disk quota exceeded/);
	await monitor.see(/^ ([✖?] )?atlas: restart (failed|outcome unknown): /m);
});

test('the rows of a batch stay where they are while its countdown runs', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 24], hasDefaultOrder: true });
	await monitor.pass(10 * second);
	const names = () =>
		monitor.lines().flatMap(line => /^.{3}(\w+) +\S (?:Active|Stopped)/.exec(line)?.[1] ?? []);
	const before = names();
	await monitor.goTo('atlas');
	await monitor.press('space');
	await monitor.goTo('gemini');
	await monitor.press('space', 'r');
	await monitor.answer('y');
	await monitor.pass(2 * second, second);
	await monitor.see(/Restarting in \d s/);
	expect(names()).toEqual(before);
	await monitor.seeNo('held');
});

test('“/” in the details opens the filter of the fleet', async () => {
	const monitor = await openFleet();
	await monitor.press('enter');
	await monitor.see('Provider');
	await monitor.type('/borealis');
	await monitor.seeNo('Restart');
	await monitor.press('enter');
	await monitor.see('/borealis  1 of 7');
	await monitor.press('2', '/', 'ctrl-u', 'gemini', 'enter');
	await monitor.see('/gemini  1 of 7');
	await monitor.seeNo('Provider');
});
