import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

// The statuses of single computers do not come, so that what only they tell stays unread.
const minimal = {
	shapes: { list: 'minimal' },
	faults: [{ target: 'status', kind: 'hang' }],
} as const;

test('the reason of an error stands as soon as the details are open, also in the row', async () => {
	const monitor = await openMonitor(minimal);
	await monitor.press('/');
	await monitor.type('status:error');
	await monitor.press('enter');
	await monitor.see(/draco +✖ Error +…/);
	monitor.simulator.setFaults([]);
	await monitor.press('enter', 'R');
	await monitor.pass(3_000);
	await monitor.see('image pull failed');
	await monitor.press('escape');
	expect(monitor.text()).toMatch(/draco +✖ Error +.*(image pull failed|disk quota exceeded)/);
});

test('the ear hears what is not read yet', async () => {
	const monitor = await openSpokenMonitor(minimal);
	await monitor.press('e');
	await monitor.hear(/draco, Error.*, reason and version not read yet/);
});

test('the question of an update says that the version is not read yet', async () => {
	const monitor = await openMonitor(minimal);
	await monitor.goTo('gemini');
	await monitor.press('u');
	await monitor.see('version not read yet → 1.4.2');
});
