import { describe, expect, test } from 'vitest';
import { withKeyOverrides } from '../../source/monitor/actions/dispatcher.ts';
import { actions } from '../../source/monitor/actions/table.ts';
import { type Monitor, type MonitorOptions, openMonitor } from '../driver/monitor.ts';
import { openFaultyMonitor } from './faulty-monitor.ts';

async function openOn(name: string, options: MonitorOptions = {}) {
	const monitor = await openMonitor({ size: [100, 24], ...options });
	await monitor.see('gemini');
	await monitor.goTo(name);
	return monitor;
}

/** Presses keys at the pace of a person who types. */
async function typeSlowly(monitor: Monitor, keys: readonly string[], millisecondsEach: number) {
	for (const key of keys) {
		await monitor.press(key);
		monitor.clock.move(millisecondsEach);
	}
}

test('y alone says yes to a question, n and Esc close it at any time, and every other key does nothing', async () => {
	const monitor = await openOn('atlas');
	for (const key of ['n', 'escape']) {
		await monitor.press('x', key).seeNo('╭');
		await monitor.press('x');
		await monitor.answer('enter', 'space', 'Y', 'x', 'tab').see('Stop atlas?');
		await monitor.press(key).seeNo('╭');
	}
	await monitor.pass(10_000, 5_000);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.confirm('x');
	expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 200']);
});

test('the key that opened a question never confirms it', async () => {
	const own = (action: string, ...keys: readonly string[]) => ({ action, keys });
	const rebound = withKeyOverrides(actions, [own('copyId', 'z'), own('stop', 'x', 'y')]);
	const monitor = await openOn('atlas', { actions: rebound });
	await monitor.press('y');
	await monitor.answer('y', 'y').see('Stop atlas?');
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.answer('Y');
	expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 200']);
});

test('a question stays about the computer that it names, wherever the rows move', async () => {
	const monitor = await openOn('fornax');
	await monitor.press('r');
	for (const name of ['atlas', 'borealis']) monitor.simulator.world.remove(name);
	monitor.simulator.world.add({ name: 'aquila' });
	await monitor.pass(20_000, 5_000);
	await monitor.press('y');
	await monitor.pass(6_000, 3_000);
	expect(monitor.operationRequests()).toEqual(['POST /fornax/restart 200']);
});

test.each([0, 90, 350])(
	'a port that is typed %i ms a key after the question opened is taken from its first letter',
	async pace => {
		const monitor = await openOn('atlas');
		await typeSlowly(monitor, ['p', '1', '8', '0', '8', '1'], pace);
		await monitor.see('18081');
		await monitor.answer('enter').see('Publish port 18081 of atlas?');
		await monitor.answer('y');
		expect(monitor.operationRequests()).toEqual([expect.stringMatching(/^POST .*atlas.* 200$/)]);
		expect(monitor.simulator.world.get('atlas').ports.map(({ port }) => port)).toContain(18_081);
	},
);

test('what is typed ahead in one write sends nothing, on a fast line and on one that lags', async () => {
	const monitor = await openOn('atlas');
	const typedAhead = ['p22\r', 'n\r', 'nweb\r', 'Datlas\r', 'xy', 'ry', 'uy', 'nweb\ry', 'p22\ryy'];
	for (const keys of typedAhead) {
		for (const isLagging of [false, true]) {
			await monitor.press('g');
			if (isLagging) monitor.device.stall();
			await monitor.press(keys);
			monitor.clock.move(2_000);
			monitor.device.endStall();
			await monitor.pass(5_000, 5_000);
			expect(monitor.operationRequests(), JSON.stringify(keys)).toEqual([]);
			await monitor.press('escape', 'escape', 'escape').seeNo('╭');
		}
	}
});

test.each(['y', '\r'])('%j counts only in a read of its own', async key => {
	const monitor = await openOn('atlas');
	await monitor.press(key === 'y' ? 'r' : 'p22');
	monitor.clock.move(1_000);
	await monitor.press(`${key}${key}`).see('Too early: press');
	await monitor.pass(5_000, 5_000);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.press(key).see(key === 'y' ? 'Restarting' : 'Publish port 22 of atlas?');
});

test('a typed confirmation takes the whole name, typed after a pause and ended by Enter, and nothing else, and keeps its text below the quit dialog', async () => {
	const monitor = await openOn('atlas');
	await typeSlowly(monitor, ['D', ...'xatlas'], 200);
	await monitor.see('Too early, so nothing was taken. Pause, then type atlas.');
	monitor.clock.move(50);
	await typeSlowly(monitor, [...'atlas', 'enter'], 90);
	await monitor.see('Delete atlas?');
	for (const typed of ['', 'atl', 'atlas ', 'Atlas', 'atlasx', 'y']) {
		await monitor.answer('ctrl-u', ...typed, 'enter').see('That is not atlas.');
	}
	await monitor.answer('ctrl-u');
	await typeSlowly(monitor, [...'atlas', 'enter'], 10);
	await monitor.see(/Deleting.* in 4 s/);
	await monitor.press('G', 'D');
	await monitor.answer(...'gem');
	await monitor.press('ctrl-c').see('Quit now?');
	await monitor.answer('n').see('to delete it: gem▏');
});

test('what starts without a question asks one if it was not on screen for a moment', async () => {
	const monitor = await openOn('cygnus', { confirm: { start: 'off' } });
	for (const keys of ['jks', 's']) {
		await monitor.press(keys).see('Start cygnus?');
		await monitor.press('escape', 'k', 'j');
	}
	expect(monitor.operationRequests()).toEqual([]);
	monitor.clock.move(300);
	await monitor.press('s');
	expect(monitor.operationRequests()).toHaveLength(1);
});

test('each step of a question has 300 ms of its own in which nothing confirms, which begin again if the clock is set back', async () => {
	const monitor = await openOn('atlas');
	await typeSlowly(monitor, ['n', 'w', 'e', 'b', '-', '1'], 90);
	await monitor.answer('enter').see('Create web-1?');
	for (const setBack of [0, 3_600_000]) {
		monitor.clock.jump(-setBack);
		await monitor.press('y');
		monitor.clock.move(299);
		await monitor.press('y');
		expect(monitor.operationRequests()).toEqual([]);
		monitor.clock.move(1);
	}
	await monitor.press('y');
	expect(monitor.operationRequests()).toHaveLength(1);
});

test('a question that the terminal cuts off is answered only when it is larger', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [30, 6] });
	await monitor.pass(6_000, 3_000);
	// The warning that the data is old has no room here.
	monitor.simulator.setFaults([{ target: '*', kind: '500' }]);
	await monitor.pass(60_000, 8_000);
	await monitor.press('/', 'atlas', 'enter', 'x').see(/Needs \d+ rows/);
	await monitor.pass(1_000, 1_000);
	await monitor.press('y').see('Stop atlas?');
	monitor.resize(100, 30);
	await monitor.see('It stops answering until started again.');
	await monitor.pass(1_000, 1_000);
	await monitor.press('y').seeNo('Stop atlas?');
});

const ignoredMilliseconds = 300;

const dialogs = [
	['Restart atlas?', ['r'], ['y'], 'Restarting atlas in 4 s'],
	['Delete atlas?', ['D'], ['atlas', 'enter'], 'Deleting atlas in 4 s'],
	['Open a payment page?', ['2', 'o'], ['y'], /https:\/\/|payment page/],
] as const;

describe.each([
	['its first frame', false],
	['it again after a resize', true],
])('after the terminal has drawn %s', (_, isDrawnAgain) => {
	test.each(dialogs)(
		'the dialog “%s” is answered only 300 ms later',
		async (title, open, answer, accepted) => {
			const monitor = await openMonitor();
			await monitor.pass(4_000, 2_000);
			if (isDrawnAgain) {
				await monitor.press(...open);
				monitor.resize(25, 5);
				await monitor.see('crowsnest needs');
			}
			monitor.device.stall();
			if (isDrawnAgain) monitor.resize(120, 36);
			else await monitor.press(...open);
			await monitor.press(...answer);
			monitor.clock.move(5_000);
			await monitor.press(...answer).seeNo(title);
			monitor.device.endStall();
			await monitor.see(title);
			await monitor.press(...answer);
			monitor.clock.move(ignoredMilliseconds - 1);
			await monitor.press(...answer).see(title);
			expect(monitor.operationRequests()).toEqual([]);
			monitor.clock.move(ignoredMilliseconds);
			await monitor.press(...answer).seeNo(title);
			await monitor.see(accepted);
		},
	);
});

test('the quit dialog is answered 300 ms after the terminal has drawn it', async () => {
	const monitor = await openMonitor();
	await monitor.confirm('r');
	monitor.device.stall();
	await monitor.press('q');
	monitor.clock.move(5_000);
	await monitor.press('y');
	monitor.device.endStall();
	await monitor.see('Quit now?');
	monitor.clock.move(ignoredMilliseconds - 1);
	await monitor.press('y');
	expect(monitor.effects.endings).toEqual([]);
	monitor.clock.move(1);
	await monitor.press('y');
	expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
});

test('the password field takes every letter, and is submitted 300 ms after the terminal has drawn it', async () => {
	const monitor = await openMonitor({
		asksForPassword: true,
		beforeFirstRequest: ({ session }) => session.watch.readNow(),
	});
	await monitor.see('Password:');
	monitor.resize(25, 5);
	await monitor.see('crowsnest needs');
	monitor.device.stall();
	monitor.resize(120, 36);
	await monitor.idle();
	await monitor.type('abc');
	monitor.device.endStall();
	await monitor.see('Password: •••');
	monitor.clock.move(ignoredMilliseconds - 1);
	await monitor.press('enter').see('Password: •••');
	monitor.clock.move(1);
	await monitor.press('enter').seeNo('Password: •••');
});

test('a payment that waits for the limits when the monitor locks itself opens no page later', async () => {
	const monitor = await openMonitor({ lockAfterMs: 60_000 });
	monitor.simulator.setFaults([{ target: 'stop', kind: 'throttle' }]);
	await monitor.goTo('atlas');
	await monitor.confirm('x');
	await monitor.press('2', 'o').see('Open a payment page?');
	await monitor.pass(300);
	await monitor.press('y');
	await monitor.pass(60 * 60_000, 60_000);
	await monitor.see('locked', 'The request was cancelled');
	expect(monitor.simulator.requests.some(({ path }) => path.endsWith('/checkout'))).toBe(false);
});

test('a request for money that has left is waited for, also when the monitor is locked meanwhile', async () => {
	const monitor = await openMonitor();
	monitor.simulator.setFaults([{ target: 'checkout', kind: 'delay' }]);
	await monitor.press('2', 'o').see('Open a payment page?');
	await monitor.pass(300);
	await monitor.press('y', 'L').see('locked');
	await monitor.pass(20_000);
	await monitor.see('Payment page', '/pay/');
});

test('a payment that is confirmed in the moment in which the monitor locks itself opens no page', async () => {
	const monitor = await openMonitor({ lockAfterMs: 600_000 });
	await monitor.press('2', 'o').see('Open a payment page?');
	monitor.clock.move(600_000);
	await monitor.press('y').seeNo('Open a payment page?', 'Payment page');
	expect(monitor.simulator.requests.some(({ path }) => path.endsWith('/checkout'))).toBe(false);
});
