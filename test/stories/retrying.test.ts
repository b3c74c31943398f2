import { expect, test } from 'vitest';
import { type FaultyMonitor, openFaultyMonitor } from './faulty-monitor.ts';

const second = 1_000;

/** Opens a monitor that has restarted each computer in turn and reports that every restart failed. */
async function openWithFailedRestarts(...names: readonly string[]): Promise<FaultyMonitor> {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 40] });
	monitor.simulator.setFaults([{ target: 'restart', kind: '503', count: names.length }]);
	for (const name of names) {
		await monitor.goTo(name);
		await monitor.press('r');
		await monitor.answer('y');
		await monitor.idle();
	}
	await monitor.pass(40 * second);
	for (const name of names) await monitor.see(new RegExp(`${name} .*Restart failed`));
	return monitor;
}

test('“F” retries all operations that failed for the same reason, or only the failed operation of the computer under the cursor', async () => {
	const monitor = await openWithFailedRestarts('atlas', 'fornax');
	await monitor.goTo('gemini');
	await monitor.press('F');
	await monitor.see('Restart 2 computers?');
	await monitor.answer('escape');
	await monitor.goTo('atlas');
	await monitor.press('F');
	await monitor.see('Restart atlas?');
	await monitor.answer('F', 'y');
	await monitor.pass(40 * second);
	await monitor.see('atlas: restarted by you');
	await monitor.see(/fornax .*Restart failed/);
	expect(monitor.operationRequests()).toHaveLength(3);
	await monitor.press('L', 'F');
	await monitor.see('y unlocks · n cancels');
	expect(monitor.operationRequests()).toHaveLength(3);
});

test('“F” after a failed publish asks whether to publish the same port', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 40] });
	monitor.simulator.setFaults([{ target: 'publish', kind: '503', count: 1 }]);
	await monitor.press('p');
	await monitor.answer('9000', 'enter', 'y');
	await monitor.idle();
	await monitor.pass(40 * second);
	await monitor.see(/atlas .*Publish failed/);
	await monitor.press('F');
	await monitor.see('Publish port 9000 of atlas?');
});

test('“F” after a failed creation asks again for the computer with its name', async () => {
	const monitor = await openFaultyMonitor({ computers: 7, size: [120, 40] });
	monitor.simulator.setFaults([{ target: 'create', kind: 'throttle', count: 1 }]);
	await monitor.goTo('draco');
	await monitor.press('n');
	await monitor.answer('nova', 'enter', 'y');
	await monitor.pass(2 * second);
	await monitor.see(/✖ nova: create failed/);
	await monitor.see('F retry');
	await monitor.press('F');
	await monitor.see('Create nova?');
	await monitor.see('crowsnest new --name nova --yes');
});

test('“F” says that there is nothing to retry when no operation failed', async () => {
	const monitor = await openFaultyMonitor({ computers: 7 });
	await monitor.press('F');
	await monitor.see('No failed request to repeat');
});
