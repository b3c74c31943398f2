import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const visibleNames = (monitor: Monitor) =>
	monitor
		.lines()
		.map(line => /^ [❯ ] ([a-z]+(?:-\d+)?) /.exec(line)?.[1])
		.filter(name => name !== undefined);

const nameAtCursor = (monitor: Monitor) => /❯ (\S+)/.exec(monitor.text())?.[1];

test('the table begins with trouble, “e” goes to the next computer in trouble, and “o” chooses another order', async () => {
	const monitor = await openMonitor({ hasDefaultOrder: true, shapes: { list: 'minimal' } });
	await monitor.see('─ trouble first ─');
	expect(visibleNames(monitor).slice(0, 2)).toEqual(['draco', 'borealis']);
	await monitor.press('G', 'e');
	expect(nameAtCursor(monitor)).toBe('draco');
	await monitor.press('o');
	await monitor.see(/t trouble n name .* i id r addr +Esc/);
	await monitor.press('n');
	await monitor.see('─ by name ─');
	expect(visibleNames(monitor)[0]).toBe('atlas');
	expect(nameAtCursor(monitor)).toBe('draco');
	await monitor.press('o', 'n');
	await monitor.see('─ by name ▼ ─');
	expect(visibleNames(monitor)[0]).toBe('gemini');
	await monitor.press('o', 'c', 'o', 's');
	await monitor.see('─ by status ─');
	await monitor.press('o', 's');
	await monitor.see('─ by status ▼ ─');
	await monitor.press('o', 't', 'o', 't');
	await monitor.see('─ trouble first ─');
	await monitor.press('=');
	await monitor.see('This order always begins with trouble');
	await monitor.see('─ trouble first ─');
	await monitor.press('/', 'atlas', 'enter', 'e');
	await monitor.see('No computer in trouble matches the filter, which hides 1');
});

test.each([
	[
		[120, 36],
		'z chooses no order: t trouble, n name, s status, v version, u uptime, c CPU, m memory, ',
	],
	[[60, 8], 'z chooses no order: t trouble, n name, s status, v …'],
] as const)(
	'at %j, a key that chooses no order says which keys do, and the menu stays open',
	async (size, reply) => {
		const monitor = await openMonitor({ size });
		await monitor.press('o', 'z');
		await monitor.see(reply);
		await monitor.press('c');
		await monitor.seeNo('chooses no order');
		await monitor.see(/CPU ?▼/);
	},
);

test('a key that does nothing in the menu of columns or in the help says so', async () => {
	const monitor = await openMonitor();
	await monitor.press('C', 'z');
	await monitor.see('z does nothing here: C q j k Space J K u Esc');
	await monitor.see('Space shows or hides');
	await monitor.press('escape', '?', 'z');
	await monitor.see('z does nothing here · Esc closes');
	await monitor.press('escape');
	await monitor.seeNo('does nothing here');
});

test('a computer that recovers under the cursor keeps its place until the cursor has left it', async () => {
	const monitor = await openMonitor({ hasDefaultOrder: true });
	await monitor.see('─ trouble first ─');
	const before = visibleNames(monitor);
	expect(before[0]).toBe('draco');
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.pass(30_000, 3_000);
	await monitor.see(/❯ draco +● Active/);
	expect(visibleNames(monitor)[0]).toBe('draco');
	await monitor.press('j');
	await monitor.pass(3_000);
	expect(visibleNames(monitor).indexOf('draco')).toBeGreaterThan(1);
	expect(nameAtCursor(monitor)).toBe(before[1]);
});

test('the keys of the table do nothing while the details hide it, and say so', async () => {
	const monitor = await openMonitor({ hasDefaultOrder: true });
	await monitor.see('─ trouble first ─');
	await monitor.press('enter');
	for (const key of ['<', 'm', 'o', 'C', 'a']) {
		await monitor.press(key);
		await monitor.see('This key works in the table. Esc closes the details.');
	}
	await monitor.press('escape');
	await monitor.see('─ trouble first ─');
	expect(nameAtCursor(monitor)).toBe('draco');
});

test('cancelling a filter returns the cursor to its computer, and an open filter line says how to clear the filter', async () => {
	const monitor = await openMonitor();
	await monitor.press('G');
	expect(nameAtCursor(monitor)).toBe('gemini');
	await monitor.press('/', 'at');
	await monitor.see(/❯ atlas/);
	await monitor.press('escape');
	expect(nameAtCursor(monitor)).toBe('gemini');
	await monitor.press('/', 'at', 'enter', '/');
	await monitor.see(/\/at.* Ctrl-U clears/);
	await monitor.press('ctrl-u', 'gem');
	await monitor.see(/❯ gemini/);
});

test('a countdown that is on hold stands above the menu of orders, also on a small screen', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.see('Restarting atlas in 4 s');
	await monitor.press('o');
	await monitor.see('Restarting atlas: on hold');
	await monitor.see(/t trouble n name .* +Esc/);
});
