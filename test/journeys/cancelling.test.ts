import { describe, expect, test } from 'vitest';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;
const minute = 60 * second;

const opened = () => openFaultyMonitor({ computers: 7, size: [120, 34] });

/** A stop of atlas was answered, and counts down. */
async function countingDown(): Promise<FaultyMonitor> {
	const monitor = await opened();
	await stopAtlas(monitor);
	return monitor;
}

async function stopAtlas(monitor: FaultyMonitor) {
	await monitor.press('x');
	await monitor.answer('y');
	await monitor.see(/atlas .*Stopping in 4 s, Esc to keep it/);
}

/** Whatever comes: nothing of it reaches the platform any more. */
async function nothingIsSent(monitor: FaultyMonitor) {
	await monitor.pass(8 * second, 8 * second);
	expect(monitor.operationRequests()).toEqual([]);
}

describe('a question', () => {
	test('is put away by n and by Esc', async () => {
		const monitor = await opened();
		for (const key of ['n', 'escape']) {
			await monitor.press('x');
			await monitor.answer(key);
			await monitor.see('Question closed.');
			await nothingIsSent(monitor);
		}
	});

	test('stays about its computer when that is removed, says so, and nothing is sent', async () => {
		const monitor = await opened();
		await monitor.press('x');
		monitor.simulator.world.remove('atlas');
		await monitor.pass(10 * second);
		await monitor.see('Meanwhile atlas is gone.');
		expect(monitor.text()).toContain('❯ borealis');
		await monitor.press('y');
		await monitor.pass(10 * second);
		await monitor.see('could not stop atlas: no longer there');
		await nothingIsSent(monitor);
	});

	test('is gone when the monitor has locked itself, and so is the chance to answer it', async () => {
		const monitor = await opened();
		await monitor.press('x');
		await monitor.pass(10 * minute, 5 * minute);
		await monitor.press('y');
		expect(monitor.text()).not.toContain('Stop atlas?');
		await monitor.press('x');
		await monitor.see('Unlock? y / n');
		await monitor.answer('n', 'y');
		await nothingIsSent(monitor);
	});

	test('is not answered where it cannot be read, and is deaf when it comes back', async () => {
		const monitor = await opened();
		await monitor.press('x');
		monitor.clock.move(300);
		monitor.resize(20, 5);
		await monitor.see('crowsnest needs 30x6');
		await monitor.press('y');
		monitor.clock.move(1 * second);
		monitor.resize(120, 34);
		await monitor.see('Stop atlas?');
		await monitor.press('y');
		await monitor.see('Stop atlas?');
		await monitor.answer('n');
		await nothingIsSent(monitor);
	});

	test('is not answered by the end of a pasted line', async () => {
		const monitor = await opened();
		await monitor.press('D');
		monitor.clock.move(300);
		await monitor.press('\x1b[200~atlas\r\x1b[201~');
		await monitor.see('Pasting does not confirm. Type atlas.');
		await monitor.press('enter');
		await monitor.see('That is not atlas.');
		await monitor.press('escape');
		await nothingIsSent(monitor);
	});
});

describe('a countdown', () => {
	const places: readonly (readonly [keys: readonly string[], sign: string])[] = [
		[[], 'SEEN'],
		[['enter'], 'Provider'],
		[['5'], 'Log'],
		[['?'], 'reverse the order'],
		[[':', 's'], '❯ '],
		[['/', 'a'], '/a▏'],
	];

	test('is ended by Esc wherever a person looks', async () => {
		const monitor = await opened();
		for (const [keys, sign] of places) {
			await stopAtlas(monitor);
			await monitor.press(...keys);
			await monitor.see(sign);
			await monitor.see('Esc to keep it');
			await monitor.press('escape');
			await monitor.unseen('Esc to keep it');
			await nothingIsSent(monitor);
			await monitor.press('escape', 'escape', '1');
			await monitor.see('you cancelled: stop atlas');
		}
	});

	test('of a delete is longer, and ended as well', async () => {
		const monitor = await opened();
		await monitor.press('D');
		await monitor.answer(...'atlas', 'enter');
		await monitor.see('Deleting atlas in 5 s, Esc to keep it');
		await monitor.pass(4 * second, 2 * second);
		await monitor.see(/Deleting atlas in [12] s, Esc to keep it/);
		await monitor.press('escape');
		await monitor.see('Cancelled: atlas was not deleted');
		await nothingIsSent(monitor);
	});

	test('of many is ended at once', async () => {
		const monitor = await opened();
		await monitor.press('/status:active', 'enter', 'a', 'x');
		await monitor.answer(...'stop 3', 'enter');
		await monitor.see(/gemini .*Stopping in 4 s, Esc to keep it/);
		await monitor.press('escape');
		await monitor.see('Cancelled: 3 operations were not sent');
		await monitor.see('Stopped 0 of 3, 3 cancelled');
		await nothingIsSent(monitor);
	});

	test.each(['q', 'ctrl-c'])(
		'is left with %s only after a question, which says what it drops',
		async key => {
			const monitor = await countingDown();
			await monitor.goTo('fornax');
			await monitor.press('r');
			await monitor.answer('y');
			await monitor.idle();
			await monitor.press(key);
			await monitor.see('Continues without crowsnest:');
			await monitor.see('restart fornax');
			await monitor.see('Quitting cancels');
			await monitor.see('stop atlas');
			expect(monitor.effects.endings).toEqual([]);
			await monitor.answer('y');
			expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
			await monitor.session.close();
			await monitor.pass(30 * second);
			expect(monitor.operationRequests()).toEqual(['POST /fornax/restart 200']);
		},
	);

	test('goes on when one stays after all', async () => {
		const monitor = await countingDown();
		await monitor.press('q');
		await monitor.answer('n');
		await monitor.pass(5 * second, 5 * second);
		expect(monitor.effects.endings).toEqual([]);
		expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 200']);
	});

	test('begins anew for whoever comes back, and nothing is sent before', async () => {
		const monitor = await countingDown();
		await monitor.pass(3 * second, 3 * second);
		await monitor.see(/atlas .*Stopping in [12] s/);
		await monitor.press('ctrl-z');
		await monitor.pass(9 * second, 9 * second);
		expect(monitor.operationRequests()).toEqual([]);
		monitor.resume();
		await monitor.see(/atlas .*Stopping in 4 s, Esc to keep it/);
		await monitor.pass(3 * second, 3 * second);
		expect(monitor.operationRequests()).toEqual([]);
		await monitor.pass(2 * second, 2 * second);
		expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 200']);
	});

	test('ends with the program, however that ends', async () => {
		const monitor = await countingDown();
		await monitor.session.close();
		await nothingIsSent(monitor);
	});
});

describe('what waits for its turn', () => {
	async function frozen() {
		const monitor = await opened();
		await monitor.press('r');
		monitor.startFault('restart', 'throttle');
		await monitor.answer('y');
		await monitor.idle();
		await monitor.see(/atlas .*Restart queued, sends in/);
		await monitor.goTo('fornax');
		await monitor.press('u');
		await monitor.answer('y');
		await monitor.see(/fornax .*Update queued, sends in/);
		return monitor;
	}

	test('is called off by Esc, all of it', async () => {
		const monitor = await frozen();
		await monitor.press('escape');
		await monitor.see('Cancelled: 2 operations were not sent');
		monitor.endFaults();
		await monitor.pass(80 * second, 40 * second);
		expect(monitor.operationRequests()).toEqual(['POST /atlas/restart 429']);
	});

	test('is dropped by quitting, which says so', async () => {
		const monitor = await frozen();
		await monitor.press('q');
		await monitor.see('Quitting cancels');
		await monitor.see(/restart atlas, update fornax|update fornax, restart atlas/);
		await monitor.answer('y');
		await monitor.session.close();
		monitor.endFaults();
		await monitor.pass(80 * second, 40 * second);
		expect(monitor.operationRequests()).toEqual(['POST /atlas/restart 429']);
	});

	test('waits for whoever unlocks it, and goes no sooner', async () => {
		const monitor = await frozen();
		await monitor.press('L');
		monitor.endFaults();
		await monitor.pass(80 * second, 40 * second);
		await monitor.see(/atlas .*Restart: waits until you unlock/);
		expect(monitor.operationRequests()).toEqual(['POST /atlas/restart 429']);
		await monitor.press('x');
		await monitor.see('Sent as soon as you unlock:');
		await monitor.answer('y');
		await monitor.pass(20 * second, 5 * second);
		expect([...monitor.operationRequests()].sort()).toEqual([
			'POST /atlas/restart 200',
			'POST /atlas/restart 429',
			'POST /fornax/update 200',
		]);
	});
});
