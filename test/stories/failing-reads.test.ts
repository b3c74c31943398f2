import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('a refused sign-in is shown and is retried only rarely', async () => {
	const monitor = await openMonitor({ password: 'wrong' });
	await monitor.see('Cannot read from the platform: Invalid login credentials');
	await monitor.see('signed out');
	await monitor.pass(10 * 60_000, 20_000);
	const signIns = monitor.simulator.requests.filter(({ scope }) => scope === 'auth');
	expect(signIns.length).toBeGreaterThan(1);
	expect(signIns.length).toBeLessThan(12);
});

test.each([
	['500', 'platform error', 'Internal error'],
	['throttle', 'rate limited', 'Too many requests'],
] as const)(
	'while every sign-in fails with “%s”, the header says “%s” and the rule below the time of the next try',
	async (kind, words, reason) => {
		const monitor = await openMonitor({ faults: [{ target: 'sign-in', kind }] });
		await monitor.pass(60_000, 10_000);
		await monitor.see(`✖ ${words}`);
		await monitor.see(new RegExp(`━ ${words.toUpperCase()} .*next try in \\d+ s`));
		await monitor.see(`Cannot read from the platform: ${reason}`);
		await monitor.see('crowsnest keeps trying');
		expect(monitor.text()).not.toContain('signed out');
		const signIns = monitor.simulator.requests.filter(({ scope }) => scope === 'auth');
		expect(signIns.length).toBeLessThanOrEqual(6);
		monitor.simulator.setFaults([]);
		await monitor.pass(90_000, 10_000);
		await monitor.see('live, ');
	},
);

test('while the platform answers nothing, a view without data says so instead of that it is being read', async () => {
	const monitor = await openMonitor({ faults: [{ target: '*', kind: 'reset' }] });
	await monitor.pass(20_000, 5_000);
	await monitor.see('Cannot read from the platform');
	expect(monitor.text().match(/Cannot read/g), 'said once').toHaveLength(1);
	await monitor.press('3');
	await monitor.see('Cannot read the list of models: ');
	await monitor.seeNo('Reading the list of models');
});

test('“R” signs in and reads at once when the network is back, although the last sign-in has just failed', async () => {
	const monitor = await openMonitor({ faults: [{ target: '*', kind: 'reset' }] });
	await monitor.pass(30_000, 1_000);
	await monitor.see(/next try in \d+ s \(R tries now\)/);
	monitor.simulator.setFaults([]);
	await monitor.press('R');
	await monitor.pass(2_000, 1_000);
	await monitor.see('live, ');
	await monitor.see('gemini');
});

test('the header does not say offline when the list gets no response but other reads succeed', async () => {
	const monitor = await openMonitor({ faults: [{ target: 'list', kind: 'hang' }] });
	await monitor.pass(2_000);
	await monitor.see('Pro');
	await monitor.see('● – active');
	await monitor.pass(60_000);
	await monitor.see(/━ LIST: NO ANSWER .*(next try in \d+ s|trying now)/);
	await monitor.see('The platform answers everything else.');
	expect(monitor.text()).not.toMatch(/offline|cannot be reached|0 computers/);
});

test('a response with status 429 stops the reads until the limit resets, and the reads then resume by themselves', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	monitor.simulator.setFaults([{ target: 'list', kind: 'throttle', count: 1 }]);
	await monitor.pass(20_000);
	await monitor.see(/rate limited \d+ s, next try in \d+ s/);
	await monitor.press('R');
	await monitor.see('Waiting for the rate limit: refreshing at');
	const before = monitor.simulator.requests.filter(({ scope }) => scope === 'other').length;
	await monitor.pass(20_000);
	const during = monitor.simulator.requests.filter(({ scope }) => scope === 'other').length;
	expect(during).toBe(before);
	// The refusal suggests that other clients spend the limit, so the list is read more rarely for a few minutes.
	await monitor.pass(240_000);
	await monitor.see('live, ');
	expect(monitor.text()).not.toContain('rate limited');
});
