import { expect, test } from 'vitest';
import { openFaultyMonitor } from './faulty-monitor.ts';

async function openFleet(size: readonly [number, number] = [120, 34]) {
	const monitor = await openFaultyMonitor({ computers: 7, size });
	await monitor.pass(6_000, 3_000);
	await monitor.see('atlas');
	return monitor;
}

test('Enter does not close the filter line on an unknown field, and the message suggests the most similar field', async () => {
	const monitor = await openFleet();
	await monitor.press('/statu:error', 'enter');
	await monitor.see('No field “statu”. Did you mean status?');
	await monitor.see('/statu:error▏');
	await monitor.see('/statu:error  not understood ─');
	await monitor.press('a');
	await monitor.see('/statu:errora▏');
	expect(monitor.text()).not.toContain('marked');
});

test('Esc closes the filter line even if its filter is invalid', async () => {
	const monitor = await openFleet();
	await monitor.press('/statu:error', 'enter', 'escape');
	await monitor.see('atlas');
	expect(monitor.text()).not.toContain('statu:');
});

test('“F” on a computer in error with no failed operation says what can be done', async () => {
	const monitor = await openFleet();
	await monitor.press('/draco', 'enter', 'F');
	await monitor.see(
		'No request of yours failed here; draco is in error: r restarts it, D deletes it',
	);
});
