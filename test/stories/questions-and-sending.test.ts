import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const requestsTo = (monitor: Monitor, ending: string) =>
	monitor.simulator.requests.filter(({ path }) => path.endsWith(ending));

test('a stop asks a question, is sent at once, and is shown until it is done', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('x');
	await monitor.see('Files and processes are kept.');
	await monitor.see('crowsnest stop atlas --yes');
	await monitor.answer('y');
	await monitor.pass(3000);
	await monitor.see(/atlas +◐ Stopping \d/);
	expect(requestsTo(monitor, '/stop')).toHaveLength(1);
	await monitor.pass(15_000);
	await monitor.see(/atlas +○ Stopped/);
	await monitor.see('atlas: stopped by you');
});

test('a locked monitor says to unlock it first, and an operation that is not possible is refused with the reason', async () => {
	const monitor = await openMonitor();
	await monitor.press('s');
	await monitor.see('Cannot start atlas: already running');
	await monitor.press('L', 'x');
	await monitor.see('y unlocks · n cancels');
	await monitor.answer('y', 'x');
	await monitor.see('Stop atlas?');
	await monitor.answer('n', 'L');
	await monitor.see('Locked. Still watching; L unlocks');
	await monitor.press('L');
	await monitor.see('y unlocks · n cancels');
});

test('“v” checks whether a published port answers, and shows the result', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('v');
	await monitor.see('answers');
	await monitor.press('escape', 'j', 'v');
	await monitor.see('No published port');
	expect(monitor.text()).not.toContain('p publishes one');
});
