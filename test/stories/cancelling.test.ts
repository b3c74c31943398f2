import { describe, expect, test } from 'vitest';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;
const minute = 60 * second;

const openFleet = () => openFaultyMonitor({ computers: 7, size: [120, 34] });

/** Opens a monitor in which the countdown to restarting atlas is running. */
async function openWithCountdown(): Promise<FaultyMonitor> {
	const monitor = await openFleet();
	await restartAtlas(monitor);
	return monitor;
}

async function restartAtlas(monitor: FaultyMonitor) {
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.see(/atlas .*Restarting in 4 s/);
}

/** Waits longer than any countdown takes, and expects that no operation was sent. */
async function expectNothingSent(monitor: FaultyMonitor) {
	await monitor.pass(8 * second, 8 * second);
	expect(monitor.operationRequests()).toEqual([]);
}

describe('a question', () => {
	test('says so when its computer is removed, and then sends nothing', async () => {
		const monitor = await openFleet();
		await monitor.press('x');
		monitor.simulator.world.remove('atlas');
		await monitor.pass(10 * second);
		await monitor.see('Meanwhile atlas is gone.');
		expect(monitor.text()).toContain('❯ borealis');
		await monitor.press('y');
		await monitor.see('atlas no longer exists: nothing was sent');
		await monitor.pass(10 * second);
		await expectNothingSent(monitor);
	});

	test('closes and can no longer be answered when the monitor locks itself', async () => {
		const monitor = await openFaultyMonitor({ computers: 7, lockAfterMs: 10 * minute });
		await monitor.press('x');
		await monitor.pass(10 * minute, 5 * minute);
		await monitor.press('y');
		expect(monitor.text()).not.toContain('Stop atlas?');
		await monitor.press('x');
		await monitor.see('y unlocks · n cancels');
		await monitor.answer('n', 'y');
		await expectNothingSent(monitor);
	});
});

describe('a countdown', () => {
	test.each(['q', 'ctrl-c'])(
		'makes the key “%s” ask before quitting, and the dialog lists what quitting cancels',
		async key => {
			const monitor = await openWithCountdown();
			await monitor.goTo('fornax');
			await monitor.press('x');
			await monitor.answer('y');
			await monitor.idle();
			await monitor.press(key);
			await monitor.see('Continues after quitting:');
			await monitor.see('stop fornax');
			await monitor.see('Quitting cancels');
			await monitor.see('restart atlas');
			expect(monitor.effects.endings).toEqual([]);
			await monitor.answer('y');
			expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
			await monitor.session.close();
			await monitor.pass(30 * second);
			expect(monitor.operationRequests()).toEqual(['POST /fornax/stop 200']);
		},
	);

	test('is cancelled when the session closes', async () => {
		const monitor = await openWithCountdown();
		await monitor.session.close();
		await expectNothingSent(monitor);
	});
});

describe('a queued operation', () => {
	async function openWithQueuedOperations() {
		const monitor = await openFleet();
		await monitor.press('x');
		monitor.startFault('stop', 'throttle');
		await monitor.answer('y');
		await monitor.idle();
		await monitor.see(/atlas .*Stop: queued, sends in/);
		await monitor.goTo('fornax');
		await monitor.press('u');
		await monitor.answer('y');
		await monitor.pass(5 * second, 5 * second);
		await monitor.see(/fornax .*Update: queued, sends in/);
		return monitor;
	}

	test('is not cancelled by Esc', async () => {
		const monitor = await openWithQueuedOperations();
		await monitor.press('escape', 'J', 'escape');
		monitor.endFaults();
		await monitor.pass(80 * second, 40 * second);
		expect([...monitor.operationRequests()].sort()).toEqual([
			'POST /atlas/stop 200',
			'POST /atlas/stop 429',
			'POST /fornax/update 200',
		]);
	});

	test('is cancelled on top of the log, and the other queued operation is sent', async () => {
		const monitor = await openWithQueuedOperations();
		await monitor.press('J');
		await monitor.see(/❯ \S+ . fornax: Update: queued, sends in/);
		await monitor.press('j');
		await monitor.see(/❯ \S+ . atlas: Stop: queued, sends in/);
		await monitor.press('x');
		await monitor.see('Cancelled: atlas was not stopped');
		await monitor.see(/atlas: stop cancelled/);
		monitor.endFaults();
		await monitor.pass(80 * second, 40 * second);
		expect(monitor.operationRequests()).toEqual([
			'POST /atlas/stop 429',
			'POST /fornax/update 200',
		]);
		await monitor.pass(40 * second);
		await monitor.see(/fornax: updated by you in/);
	});

	test('is cancelled by quitting, and the quit dialog lists it', async () => {
		const monitor = await openWithQueuedOperations();
		await monitor.press('q');
		await monitor.see('Quitting cancels');
		await monitor.see(/stop atlas, update fornax|update fornax, stop atlas/);
		await monitor.answer('y');
		await monitor.session.close();
		monitor.endFaults();
		await monitor.pass(80 * second, 40 * second);
		expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 429']);
	});
});

test('an Esc that arrives just before a countdown ends cancels it, although it is understood later', async () => {
	const monitor = await openWithCountdown();
	await monitor.pass(3_998, 3_998);
	monitor.device.send('\u001B');
	monitor.clock.move(5);
	await monitor.idle();
	await expectNothingSent(monitor);
	await monitor.see('Cancelled: atlas was not restarted');
});
