import { expect, test } from 'vitest';
import { endCommands } from '../../source/monitor/actions/operations.ts';
import type { ActionContext } from '../../source/views/scene.ts';
import { openMonitor } from '../driver/monitor.ts';
import { createHeldClock } from '../held-clock.ts';

test('what starts without a question asks one while a slow line has not shown what the keys before it did', async () => {
	const monitor = await openMonitor({ confirm: { start: 'off' } });
	await monitor.see('gemini');
	await monitor.goTo('borealis');
	monitor.clock.move(1_000);
	monitor.device.stall();
	await monitor.press('j');
	monitor.clock.move(1_000);
	await monitor.press('s');
	monitor.device.endStall();
	await monitor.see('Start cygnus?');
	expect(monitor.operationRequests()).toEqual([]);
});

test('what has happened during a long silence is announced together, and not at the first answer', async () => {
	const monitor = await openMonitor();
	const { simulator, effects } = monitor;
	await monitor.pass(60_000, 5_000);
	simulator.setFaults([{ target: '*', kind: 'reset' }]);
	await monitor.pass(40 * 60_000, 60_000);
	for (const name of ['atlas', 'gemini']) simulator.world.fail(name, 'it broke');
	simulator.setFaults([]);
	const isRead = () => /atlas +✖ Error/.test(monitor.text());
	await monitor.passUntil(isRead, 120_000, 1_000);
	await monitor.pass(5_000, 1_000);
	expect(effects.notified).toEqual([]);
	await monitor.pass(15_000, 1_000);
	expect(effects.notified).toEqual([expect.stringMatching(/^(atlas|gemini) is in error, /)]);
});

test.each([
	['a key, where the terminal does not report its focus', '', 'j'],
	['the focus', '\u001B[O', '\u001B[I'],
])(
	'after a time in which nobody looked, %s makes the watch read more often',
	async (_, before, sent) => {
		const monitor = await openMonitor();
		monitor.device.send(before);
		await monitor.pass(400_000, 10_000);
		async function requestsInAMinute() {
			const { length } = monitor.simulator.requests;
			await monitor.pass(60_000, 1_000);
			return monitor.simulator.requests.length - length;
		}
		const unattended = await requestsInAMinute();
		monitor.device.send(sent);
		expect(await requestsInAMinute()).toBeGreaterThan(1.5 * unattended);
	},
);

test('a question that was cut is answered only once the terminal has drawn all of it', async () => {
	const monitor = await openMonitor({ size: [40, 6] });
	const { device, clock } = monitor;
	device.stall();
	await monitor.press('x');
	monitor.resize(120, 36);
	await monitor.idle();
	device.endStall();
	device.stall();
	await monitor.idle();
	clock.move(1_000);
	await monitor.press('y');
	expect(monitor.operationRequests()).toEqual([]);
	device.endStall();
	await monitor.see('Stop atlas?');
	await monitor.answer('y');
	expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 200']);
});

test('the quit dialog holds what is queued', async () => {
	const monitor = await openMonitor();
	monitor.simulator.setFaults([{ target: 'stop', kind: 'throttle', count: 1 }]);
	await monitor.confirm('x');
	await monitor.press('q').see('Quit now?');
	await monitor.pass(180_000, 10_000);
	expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 429']);
	await monitor.press('n');
	await monitor.pass(5_000, 1_000);
	expect(monitor.operationRequests().slice(1)).toEqual(['POST /atlas/stop 200']);
});

test('the key that ends commands does not quit just after the last one has ended, but says so', () => {
	const clock = createHeldClock();
	const said: unknown[] = [];
	const commandRuns: { endedAt: number }[] = [];
	const exitSummary = () => ({ sent: [], running: [], unknown: [], dropped: [] });
	const context = {
		commandRunner: { endShown: () => 1 - commandRuns.length },
		sessions: { operations: { state: () => ({ commandRuns }), exitSummary } },
		screenStore: { getState: () => ({}) },
		terminal: { end: () => said.push('quit') },
		clock,
		say: (notice: unknown) => said.push(notice),
	} as unknown as ActionContext;
	endCommands(context);
	commandRuns.push({ endedAt: clock.now() });
	endCommands(context);
	clock.move(3_000);
	endCommands(context);
	expect(said).toEqual([
		'Asked the command to end',
		'The command has ended. Press the key again in 3 s to quit',
		'quit',
	]);
});
