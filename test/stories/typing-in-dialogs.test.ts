import { expect, test } from 'vitest';
import { type Monitor, type MonitorOptions, openMonitor } from '../driver/monitor.ts';

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

test.each([0, 40, 90, 160, 350])(
	'a port that is typed %i ms a key after the question opened is taken from its first letter',
	async pace => {
		const monitor = await openOn('atlas');
		await typeSlowly(monitor, ['p', '1', '8', '0', '8', '1'], pace);
		await monitor.see('18081');
		await monitor.answer('enter');
		await monitor.see('Publish port 18081 of atlas?');
		await monitor.answer('y');
		expect(monitor.operationRequests()).toEqual([expect.stringMatching(/^POST .*atlas.* 200$/)]);
		expect(monitor.simulator.world.get('atlas').ports.map(({ port }) => port)).toContain(18_081);
	},
);

test('a name is taken from its first letter, and a creation asks for y after it', async () => {
	const monitor = await openOn('atlas');
	await typeSlowly(monitor, ['n', 'w', 'e', 'b', '-', '1'], 90);
	await monitor.answer('enter');
	await monitor.see('Create web-1?');
	await monitor.press('y');
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.answer('y');
	expect(monitor.operationRequests()).toHaveLength(1);
});

const typedAhead = ['p22\r', 'n\r', 'nweb\r', 'Datlas\r', 'xy', 'ry', 'uy', 'nweb\ry', 'p22\ryy'];

test.each(typedAhead)('%j in one write sends nothing', async keys => {
	const monitor = await openOn('atlas');
	await monitor.press(keys);
	await monitor.pass(10_000);
	expect(monitor.operationRequests()).toEqual([]);
});

test.each(typedAhead)('%j in one write sends nothing on a line that lags', async keys => {
	const monitor = await openOn('atlas');
	monitor.device.stall();
	await monitor.press(keys);
	monitor.clock.move(2_000);
	monitor.device.endStall();
	await monitor.pass(10_000);
	expect(monitor.operationRequests()).toEqual([]);
});

test.each(['y', '\r'])('%j counts only in a read of its own', async key => {
	const monitor = await openOn('atlas');
	await monitor.press(key === 'y' ? 'r' : 'p22');
	monitor.clock.move(1_000);
	await monitor.press(`${key}${key}`);
	await monitor.see('Too early: press');
	await monitor.pass(10_000);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.press(key);
	await monitor.see(key === 'y' ? 'Restarting' : 'Publish port 22 of atlas?');
});

test('letters that are typed blindly into a typed confirmation are ignored as a whole', async () => {
	const monitor = await openOn('atlas');
	await typeSlowly(monitor, ['D', ...'xatlas'], 200);
	await monitor.see('Too early, so nothing was taken. Pause, then type atlas.');
	monitor.clock.move(50);
	await typeSlowly(monitor, [...'atlas', 'enter'], 90);
	expect(monitor.text()).toContain('Delete atlas?');
	monitor.clock.move(300);
	await monitor.press('enter');
	await monitor.see('That is not atlas.');
	await typeSlowly(monitor, [...'atlas', 'enter'], 10);
	await monitor.see(/Deleting.* in 4 s/);
});

test('what starts without a question asks one if it was not on screen for a moment', async () => {
	const stopped = async () => {
		const monitor = await openOn('cygnus', { confirm: { start: 'off' } });
		monitor.simulator.world.get('cygnus');
		return monitor;
	};
	const together = await stopped();
	await together.press('jks');
	await together.see('Start cygnus?');
	expect(together.operationRequests()).toEqual([]);
	const soon = await stopped();
	await soon.press('s');
	await soon.see('Start cygnus?');
	const seen = await stopped();
	seen.clock.move(300);
	await seen.press('s');
	expect(seen.operationRequests()).toHaveLength(1);
});

test('each step of a question has a time of its own in which nothing confirms', async () => {
	const monitor = await openOn('atlas');
	await monitor.press('p', '22');
	await monitor.answer('enter');
	await monitor.press('y');
	monitor.clock.move(299);
	await monitor.press('y');
	expect(monitor.operationRequests()).toEqual([]);
	monitor.clock.move(1);
	await monitor.press('y');
	expect(monitor.operationRequests()).toHaveLength(1);
});
