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

test('Enter does not close the filter line on an unknown status, and the message suggests the most similar status', async () => {
	const monitor = await openFleet();
	await monitor.press('/status:eror', 'enter');
	await monitor.see('No status “eror”. Did you mean error?');
	await monitor.see('/status:eror▏');
	await monitor.press('backspace', 'backspace', 'backspace', 'rror', 'enter');
	await monitor.see('/status:error');
	await monitor.see('draco');
	expect(monitor.text()).not.toContain('▏');
	expect(monitor.text()).not.toContain('atlas');
});

test('Esc closes the filter line even if its filter is invalid', async () => {
	const monitor = await openFleet();
	await monitor.press('/statu:error', 'enter', 'escape');
	await monitor.see('atlas');
	expect(monitor.text()).not.toContain('statu:');
});

test('the footer counts marked computers that the filter hides, and a question mentions them first', async () => {
	const monitor = await openFleet();
	await monitor.press('g', ' ', '/gemini', 'enter');
	await monitor.see('1 marked (1 hidden)');
	await monitor.press('x');
	await monitor.see('Stop atlas?');
	const lines = monitor.text().split('\n');
	const top = lines.findIndex(line => line.includes('╭ Stop atlas?'));
	expect(lines[top + 1]).toContain('The computer is hidden by the filter.');
	await monitor.answer('escape');
});

test('“F” on a computer in error with no failed operation says what can be done', async () => {
	const monitor = await openFleet();
	await monitor.press('/draco', 'enter', 'F');
	await monitor.see(
		'No request of yours failed here; draco is in error: r restarts it, D deletes it',
	);
});
