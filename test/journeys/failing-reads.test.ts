import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('a refused sign-in says so, tries no more than now and then, and tells what to do', async () => {
	const monitor = await openMonitor({ password: 'wrong' });
	await monitor.see('Cannot read the list of computers: Invalid login credentials');
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
	'while each sign-in ends with %s, the header says “%s” and when the next one is tried',
	async (kind, words, reason) => {
		const monitor = await openMonitor({ faults: [{ where: 'sign-in', kind }] });
		await monitor.pass(60_000, 10_000);
		await monitor.see(new RegExp(`✖ ${words}, next try in \\d+ s`));
		await monitor.see(`Cannot read the list of computers: ${reason}`);
		await monitor.see('crowsnest keeps trying');
		expect(monitor.text()).not.toContain('signed out');
		const signIns = monitor.simulator.requests.filter(({ scope }) => scope === 'auth');
		expect(signIns.length).toBeLessThanOrEqual(6);
		monitor.simulator.setFaults([]);
		await monitor.pass(90_000, 10_000);
		await monitor.see('● live');
	},
);

test('a connection that is lost is told, with the age of what is shown, and comes back by itself', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	monitor.simulator.setFaults([{ where: '*', kind: 'reset' }]);
	await monitor.pass(60_000);
	await monitor.see(/✖ offline (\d+ m )?\d+ s, (next try in \d+ s|trying now)/);
	await monitor.see('atlas');
	monitor.simulator.setFaults([]);
	await monitor.pass(90_000);
	await monitor.see('● live');
});

test('a list that hangs is no lost connection while the rest is answered', async () => {
	const monitor = await openMonitor({ faults: [{ where: 'list', kind: 'hang' }] });
	await monitor.see('Pro');
	await monitor.see('– computers');
	await monitor.pass(60_000);
	await monitor.see(/✖ list: no answer, (next try in \d+ s|trying now)/);
	await monitor.see('The platform answers everything else.');
	expect(monitor.text()).not.toMatch(/offline|cannot be reached|0 computers/);
});

test('too many requests freeze what is asked, and it goes on by itself', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	monitor.simulator.setFaults([{ where: 'list', kind: 'throttle', count: 1 }]);
	await monitor.pass(20_000);
	await monitor.see(/frozen, next try in \d+ s/);
	await monitor.press('R');
	await monitor.see('Reads are used up: next at');
	const before = monitor.simulator.requests.filter(({ scope }) => scope === 'other').length;
	await monitor.pass(20_000);
	const during = monitor.simulator.requests.filter(({ scope }) => scope === 'other').length;
	expect(during).toBe(before);
	await monitor.pass(60_000);
	await monitor.see('● live');
	expect(monitor.text()).not.toContain('frozen');
});

test('an answer that nobody understands is no empty fleet', async () => {
	const monitor = await openMonitor({ faults: [{ where: 'list', kind: 'proxy-page' }] });
	await monitor.see('Cannot read the list of computers: the answer: expected JSON, got a web page');
	expect(monitor.text()).not.toContain('No computers yet');
});

test('an account without computers says how to make the first', async () => {
	const monitor = await openMonitor({ computers: 0 });
	await monitor.see('No computers yet. n creates one.');
	await monitor.press('n');
	await monitor.see('Create a computer?');
});

test('a status that nobody has heard of is shown as it came', async () => {
	const monitor = await openMonitor({ shapes: { words: 'exotic' } });
	await monitor.see('gemini');
	expect(monitor.text()).toMatch(/atlas +\? \S+/);
});
