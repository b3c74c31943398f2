import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const requestsTo = (monitor: Monitor, ending: string) =>
	monitor.simulator.requests.filter(({ path }) => path.endsWith(ending));

test('a question closes at once, also if a person closes it before it could be answered', async () => {
	const monitor = await openMonitor();
	for (const key of ['n', 'escape']) {
		await monitor.press('x', key);
		await monitor.seeNo('╭');
		expect(monitor.text()).not.toContain('╭ Stop atlas?');
		await monitor.pass(10_000);
	}
	expect(requestsTo(monitor, '/stop')).toEqual([]);
});

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

test('a question says that its computer has changed since the question opened', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('x');
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(10_000);
	await monitor.see('Meanwhile atlas is error now.');
});

test('a stop of many computers is confirmed by typing their number, and shows its progress', async () => {
	const monitor = await openMonitor({ computers: 24, limits: { other: 12 } });
	await monitor.see('xuange');
	await monitor.press('/status:active', 'enter', 'a');
	await monitor.see('17 marked');
	await monitor.press('x');
	await monitor.see('Type stop 17 to stop them:');
	await monitor.answer('stop 17', 'enter');
	await monitor.pass(5000);
	await monitor.see(/Stopping 17 .* queued/);
	await monitor.pass(300_000);
	await monitor.see('you stopped 17');
	expect(requestsTo(monitor, '/stop')).toHaveLength(17);
	await monitor.seeNo('Stopping 17');
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

test('the palette finds an operation by name, asks the same question, and its cursor stops at the last line', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press(':', 'stop');
	await monitor.see(/❯ Stop computers/);
	await monitor.press('enter');
	await monitor.see('Stop atlas?');
	await monitor.answer('enter', 'n');
	await monitor.seeNo('╭');
	await monitor.press(':', 'nothing at all', 'enter');
	await monitor.see('Nothing matches “nothing at all”');
	await monitor.press('escape');
	await monitor.see('UPTIME');

	const selected = () => /│ ❯ (.+?) {2}/.exec(monitor.text())?.[1];
	const press = (key: string, times: number) =>
		monitor.press(...Array.from({ length: times }, () => key));
	await monitor.press(':', 'show');
	expect(selected()).toMatch(/^Show log/);
	await press('down', 30);
	const last = selected();
	await monitor.press('down');
	expect(selected()).toBe(last);
	await monitor.press('up');
	expect(selected()).not.toBe(last);
	await monitor.press('escape', ':', 'show');
	await press('down', 4);
	expect(selected()).toMatch(/^Show billing/);
	await monitor.press('enter');
	await monitor.see('Burn rate');
});

test('“v” checks whether a published port answers, and shows the result', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('v');
	await monitor.see('answers');
	await monitor.press('escape', 'j', 'v');
	await monitor.see('No published port');
	expect(monitor.text()).not.toContain('p publishes one');
	await monitor.press('L', 'F');
	await monitor.see('No failed request to repeat');
});
