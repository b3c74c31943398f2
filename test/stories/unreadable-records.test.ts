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

test.each([
	[120, 36, '1 record could not be read'],
	[60, 15, '1 unreadable'],
] as const)(
	'in a terminal of %i×%i cells the monitor says how many records of the list could not be read',
	async (columns, rows, message) => {
		const monitor = await openMonitor({ size: [columns, rows] });
		await monitor.see('live, ');
		await monitor.seeNo('unreadable');
		const restoreId = addUnreadable(monitor.simulator);
		await monitor.pass(15_000);
		await monitor.see(message);
		await monitor.see('live, ');
		restoreId();
		await monitor.pass(15_000);
		await monitor.seeNo('unreadable');
		await monitor.seeNo('could not be read');
	},
);

test('the spoken summary says how many records of the list could not be read', async () => {
	const monitor = await openSpokenMonitor();
	addUnreadable(monitor.simulator);
	await monitor.pass(15_000);
	await monitor.press('ctrl-l');
	expect(monitor.lines().join('\n')).toContain('1 record could not be read.');
});
