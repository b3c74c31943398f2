import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('a refused sign-in says so, tries no more than now and then, and tells what to do', async () => {
	const stage = await openMonitor({ password: 'wrong' });
	await stage.see('The list of computers cannot be read: Invalid login credentials');
	await stage.see('signed out');
	await stage.pass(10 * 60_000, 5000);
	const signIns = stage.simulator.requests.filter(({ scope }) => scope === 'auth');
	expect(signIns.length).toBeGreaterThan(1);
	expect(signIns.length).toBeLessThan(12);
});

test('a connection that is lost is told, with the age of what is shown, and comes back by itself', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	stage.simulator.setFaults([{ where: '*', kind: 'reset' }]);
	await stage.pass(60_000);
	await stage.see(/✖ offline (\d+ m )?\d+ s, (next try in \d+ s|trying now)/);
	await stage.see('atlas');
	stage.simulator.setFaults([]);
	await stage.pass(90_000);
	await stage.see('● live');
});

test('a list that hangs is no lost connection while the rest is answered', async () => {
	const stage = await openMonitor({ faults: [{ where: 'list', kind: 'hang' }] });
	await stage.see('Pro');
	await stage.see('– computers');
	await stage.pass(60_000);
	await stage.see(/✖ list: no answer, (next try in \d+ s|trying now)/);
	await stage.see('The platform answers all else.');
	expect(stage.text()).not.toMatch(/offline|cannot be reached|0 computers/);
});

test('too many requests freeze what is asked, and it goes on by itself', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	stage.simulator.setFaults([{ where: 'list', kind: 'throttle', count: 1 }]);
	await stage.pass(20_000);
	await stage.see(/frozen, next try in \d+ s/);
	await stage.press('R');
	await stage.see('Reads are used up: next at');
	const before = stage.simulator.requests.filter(({ scope }) => scope === 'other').length;
	await stage.pass(20_000);
	const during = stage.simulator.requests.filter(({ scope }) => scope === 'other').length;
	expect(during).toBe(before);
	await stage.pass(60_000);
	await stage.see('● live');
	expect(stage.text()).not.toContain('frozen');
});

test('an answer that nobody understands is no empty fleet', async () => {
	const stage = await openMonitor({ faults: [{ where: 'list', kind: 'proxy-page' }] });
	await stage.see(
		'The list of computers cannot be read: the answer: expected JSON, got a web page',
	);
	expect(stage.text()).not.toContain('No computers yet');
});

test('an account without computers says how to make the first', async () => {
	const stage = await openMonitor({ computers: 0 });
	await stage.see('No computers yet. n makes the first.');
	await stage.press('n');
	await stage.see('New computer?');
});

test('a status that nobody has heard of is shown as it came', async () => {
	const stage = await openMonitor({ shapes: { words: 'exotic' } });
	await stage.see('gemini');
	expect(stage.text()).toMatch(/atlas +\? \S+/);
});
