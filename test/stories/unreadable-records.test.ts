import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

type Simulator = Awaited<ReturnType<typeof openMonitor>>['simulator'];

/** Adds a computer whose id cannot be part of a path, and returns a function that restores the id. */
function addUnreadable({ world }: Simulator) {
	const computer = world.add({ name: 'nowhere' });
	const { id } = computer;
	Object.assign(computer, { id: '..' });
	return () => {
		Object.assign(computer, { id });
	};
}

test('the monitor says how many records of the list could not be read, until they can', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.see('live, ');
	await monitor.seeNo('unreadable');
	const restoreId = addUnreadable(monitor.simulator);
	await monitor.pass(15_000, 5_000);
	await monitor.see('1 unreadable');
	await monitor.see('live, ');
	restoreId();
	await monitor.pass(15_000, 5_000);
	await monitor.seeNo('unreadable');
});

test('the spoken summary says how many records of the list could not be read', async () => {
	const monitor = await openSpokenMonitor();
	addUnreadable(monitor.simulator);
	await monitor.pass(15_000);
	await monitor.press('ctrl-l');
	expect(monitor.lines().join('\n')).toContain('1 record could not be read.');
});
