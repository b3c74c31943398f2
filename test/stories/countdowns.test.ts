import { expect, test } from 'vitest';
import type { OpenDialog } from '../../source/views/dialogs/dialog-table.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;
const minute = 60 * second;

const openFleet = (options: Parameters<typeof openFaultyMonitor>[0] = {}) =>
	openFaultyMonitor({ computers: 7, ...options });

/** Opens a monitor in which the countdown of a restart of atlas has run for two seconds. */
async function openWithCountdown() {
	const monitor = await openFleet();
	await restartAtlas(monitor);
	return monitor;
}

async function restartAtlas(monitor: FaultyMonitor) {
	await monitor.confirm('r').see(/atlas .*Restarting in 4 s/);
	await monitor.pass(2 * second, 2 * second);
}

/** Waits longer than any countdown takes, and expects that no operation was sent. */
async function expectNothingSent(monitor: FaultyMonitor) {
	await monitor.pass(8 * second, 8 * second);
	expect(monitor.operationRequests()).toEqual([]);
}

test('a question says so when its computer is removed, and then sends nothing', async () => {
	const monitor = await openFleet();
	await monitor.press('x');
	monitor.simulator.world.remove('atlas');
	await monitor.pass(10 * second).see('Meanwhile atlas is gone.', '❯ borealis');
	await monitor.press('y').see('atlas no longer exists: nothing was sent');
	await monitor.pass(10 * second);
	await expectNothingSent(monitor);
});

test('a question closes and can no longer be answered when the monitor locks itself, and the countdown below it sends nothing', async () => {
	const monitor = await openFleet({ lockAfterMs: 10 * minute });
	await restartAtlas(monitor);
	await monitor.press('G', 'x').see('Stop gemini?');
	await monitor.pass(10 * minute, 5 * minute);
	await monitor.press('y').seeNo('Stop gemini?');
	await monitor.pass(5 * minute, 5 * minute);
	await monitor.pass(12 * second, 3 * second);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.press('x').see('y unlocks · n cancels');
	await monitor.answer('n', 'y');
	await expectNothingSent(monitor);
});

test('nothing continues after the demo, whose platform ends with the monitor', async () => {
	const monitor = await openConfiguredMonitor({ profiles: {}, words: ['--demo'] });
	await monitor.press('/', ...'atlas', 'enter');
	await monitor.confirm('x');
	await monitor.press('q').see('Ends with the demo:', 'stop atlas');
});

test.each(['q', 'ctrl-c'])(
	'a countdown makes the key “%s” ask before quitting, and the dialog lists what quitting cancels',
	async key => {
		const monitor = await openWithCountdown();
		await monitor.goTo('fornax');
		await monitor.confirm('x');
		await monitor.press(key).see('Continues after quitting:', 'stop fornax', 'Quitting cancels');
		await monitor.see('restart atlas');
		expect(monitor.effects.endings).toEqual([]);
		await monitor.answer('y');
		expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
		await monitor.session.close();
		await monitor.pass(30 * second);
		expect(monitor.operationRequests()).toEqual(['POST /fornax/stop 200']);
	},
);

test('a countdown is cancelled when the session closes', async () => {
	const monitor = await openWithCountdown();
	await monitor.session.close();
	await expectNothingSent(monitor);
});

test('a countdown is cancelled by an Esc that arrives just before its end, although it is understood later', async () => {
	const monitor = await openWithCountdown();
	await monitor.pass(1_998, 1_998);
	monitor.device.send('\u001B');
	monitor.clock.move(5);
	await expectNothingSent(monitor);
	await monitor.see('Cancelled: atlas was not restarted');
});

async function openWithQueuedOperations() {
	const monitor = await openFleet();
	await monitor.press('x');
	monitor.startFault('stop', 'throttle');
	await monitor.answer('y').see(/atlas .*Stop: queued, sends in/);
	await monitor.goTo('fornax');
	await monitor.confirm('u');
	await monitor.pass(5 * second, 5 * second).see(/fornax .*Update: queued, sends in/);
	return monitor;
}

test('a queued operation is not cancelled by Esc, but with x in the log, and the other queued operation is sent', async () => {
	const monitor = await openWithQueuedOperations();
	await monitor.press('escape', 'J', 'escape', 'J').see(/❯ \S+ . fornax: Update: queued, sends in/);
	await monitor.press('j').see(/❯ \S+ . atlas: Stop: queued, sends in/);
	await monitor.press('x').see('Cancelled: atlas was not stopped', /atlas: stop cancelled/);
	monitor.endFaults();
	await monitor.pass(80 * second, 40 * second);
	expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 429', 'POST /fornax/update 200']);
	await monitor.pass(40 * second).see(/fornax: updated by you in/);
});

test('a queued operation is held by the quit dialog, which lists it, also while the program is suspended, and cancelled by quitting', async () => {
	const monitor = await openWithQueuedOperations();
	await monitor.press('q').see('Quitting cancels');
	await monitor.see(/stop atlas, update fornax|update fornax, stop atlas/);
	await monitor.press('ctrl-z');
	monitor.endFaults();
	await monitor.pass(80 * second, 80 * second);
	expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 429']);
	monitor.resume();
	await monitor.see('Quit now?');
	await monitor.answer('y');
	await monitor.session.close();
	await monitor.pass(80 * second, 40 * second);
	expect(monitor.operationRequests()).toEqual(['POST /atlas/stop 429']);
});

type Opening = readonly [keys: readonly string[], sign: string];

/**
 * Everything that can be open over a countdown and that Esc closes, by its kind. The record is whole, so that a new
 * kind of dialog is tested as well.
 */
const openedOver: Readonly<Record<OpenDialog['kind'], readonly Opening[]>> = {
	question: [
		[['G', 'r'], 'Restart gemini?'],
		[['G', 'D'], 'Delete gemini?'],
		[['G', 'p'], 'Port, 1 to 65535'],
	],
	confirmation: [
		[['q'], 'Quit now?'],
		[['ctrl-c'], 'Quit now?'],
		[['2', 'o'], 'Open a payment page?'],
	],
	help: [
		[['?'], 'Keys'],
		[['5', '?'], 'Keys'],
	],
	helpFilter: [[['?', '/', 'mark'], '/mark']],
	palette: [
		[[':'], ':▏'],
		[[':', 'gem'], ':gem▏'],
	],
	columns: [[['C'], 'Columns']],
	order: [[['o'], ' t trouble']],
	filter: [
		[['/'], '/▏'],
		[['/', 'atl'], '/atl▏'],
		[['5', '/', 'atl'], '/atl▏'],
	],
	// These open only for an account that is signed out, or in a monitor with a configuration: see the stories of signing in.
	signIn: [],
	password: [],
	// The welcome is open before the first key, and nothing opens it later.
	welcome: [],
};

test.each(Object.entries(openedOver).filter(([, openings]) => openings.length > 0))(
	'what Esc closes holds a countdown while it is open, and says so, and the Esc after the one that closes it cancels (%s)',
	async (_, openings) => {
		const monitor = await openFleet();
		for (const [keys, sign] of openings) {
			await monitor.press('1', 'g');
			await restartAtlas(monitor);
			await monitor.press(...keys).see(sign);
			await monitor.see('Restarting atlas: on hold; counts down from 4 s once this is closed');
			await monitor.seeNo('Esc to cancel', 'Esc cancel ');
			await monitor.pass(12 * second, 12 * second).see(sign);
			expect(monitor.operationRequests()).toEqual([]);
			// Esc may have to close several things, and no such Esc cancels the countdown.
			for (let presses = 0; presses < 3 && !/atlas in 4 s/.test(monitor.text()); presses += 1) {
				await monitor.answer('escape').seeNo('Cancelled:');
			}
			await monitor.see('Restarting atlas in 4 s, Esc to cancel');
			await monitor.pass(3 * second, 3 * second).see(/Restarting atlas in [12] s, Esc to cancel/);
			await monitor.press('escape').see('Cancelled: atlas was not restarted');
			await expectNothingSent(monitor);
		}
	},
);

test('the answer to a question starts the countdown that it held again, together with its own', async () => {
	const monitor = await openWithCountdown();
	await monitor.press('G', 'r').see('Restart gemini?');
	await monitor.answer('y').see('in 4 s, then 1 more, Esc cancels both');
	await monitor.pass(5 * second, 5 * second);
	expect([...monitor.operationRequests()].sort()).toEqual([
		'POST /atlas/restart 200',
		'POST /gemini/restart 200',
	]);
});

test.each<[string, (monitor: FaultyMonitor) => void, (monitor: FaultyMonitor) => void]>([
	['a terminal that is too small', each => each.resize(20, 5), each => each.resize(110, 24)],
	['a suspension', each => each.device.send('\u001A'), each => each.resume()],
])('%s holds a countdown, which starts again from its full time', async (_, cover, uncover) => {
	const monitor = await openWithCountdown();
	cover(monitor);
	await monitor.pass(20 * second, 10 * second);
	expect(monitor.operationRequests()).toEqual([]);
	uncover(monitor);
	await monitor.see('Restarting atlas in 4 s');
	await monitor.pass(3_500, 3_500);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.pass(second, second);
	expect(monitor.operationRequests()).toEqual(['POST /atlas/restart 200']);
});

/** What can be in sight: the keys that show it, a sign of it, and the keys that leave it. */
const sights: readonly (readonly [keys: readonly string[], sign: string, leave: string])[] = [
	[[], ' by name ', '1'],
	[['/atl', 'enter'], ' /atl ', 'escape'],
	[['j', 'space'], '1 marked', 'escape'],
	[['enter'], ' Storage ', 'escape'],
	[['m'], 'by location', 'm'],
	[['2'], ' Billing  ', '1'],
	[['3'], ' Models  ', '1'],
	[['4'], ' Versions  ', '1'],
	[['5'], ' Log  ', '1'],
	[['5', 'e'], 'kind:failure', '1'],
	[['J'], ' Log  ', '1'],
];

test('one Esc cancels the countdown and changes nothing else, whatever is in sight', async () => {
	const monitor = await openFleet();
	for (const [keys, sign, leave] of sights) {
		await monitor.press('g');
		await restartAtlas(monitor);
		await monitor.press(...keys).see(/Restarting atlas in [1234] s, Esc to cancel/, sign);
		await monitor.press('escape').see('Cancelled: atlas was not restarted', sign);
		await expectNothingSent(monitor);
		await monitor.press(leave).see(' by name ', 'atlas: restart cancelled');
	}
});

test('the quit dialog closes by itself when all operations that it lists have ended', async () => {
	const monitor = await openFleet();
	await monitor.goTo('fornax');
	await monitor.confirm('x');
	await monitor.press('q').see('Continues after quitting:', 'stop fornax');
	await monitor.seeNo('Quitting cancels');
	await monitor.pass(2 * second, second).see('Quit now?', 'stop fornax');
	await monitor.pass(28 * second, 3 * second).seeNo('Quit now?');
	await monitor.press('q');
	expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
});
