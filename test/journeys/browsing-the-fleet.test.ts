import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const names = (monitor: Monitor) =>
	monitor
		.lines()
		.map(line => /^ [❯ ] ([a-z]+(?:-\d+)?) /.exec(line)?.[1])
		.filter(name => name !== undefined);

const underCursor = (monitor: Monitor) => /❯ (\S+)/.exec(monitor.text())?.[1];

test('the fleet is seen whole, with what each computer is doing', async () => {
	const monitor = await openMonitor();
	await monitor.see('7 computers');
	expect(names(monitor)).toEqual([
		...['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', 'gemini'],
	]);
	await monitor.see('owner@example.com · Pro');
	await monitor.see('credits 22.00');
	await monitor.see(/borealis +◐ Creating/);
	await monitor.see(/draco +✖ Error +\S+/);
	await monitor.see(/fornax +● Active +update to \d/);
});

test('the cursor moves by keys, stays at the ends, and follows its computer', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('j', 'j', 'down', 'k');
	expect(underCursor(monitor)).toBe('cygnus');
	await monitor.press('G', 'j');
	expect(underCursor(monitor)).toBe('gemini');
	await monitor.press('=');
	expect(underCursor(monitor)).toBe('gemini');
	expect(names(monitor)[0]).toBe('gemini');
	await monitor.press('home', 'k');
	expect(underCursor(monitor)).toBe('gemini');
});

test('keys that come at once each act on what the one before them did', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('jjjk');
	expect(underCursor(monitor)).toBe('cygnus');
	await monitor.press('/dra');
	expect(names(monitor)).toEqual(['draco']);
});

test('a filter shows what it lets through while it is typed, and what is wrong with it', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('/', 's', 't', 'a', 't', 'u', 's', ':', 'e', 'r', 'r');
	expect(names(monitor)).toEqual(['draco']);
	await monitor.see('1 shown');
	await monitor.press('ctrl-u', 'c', 'p', 'u', ':', 'x');
	await monitor.see('cpu takes a number such as 80, not x');
	await monitor.press('backspace', '>', '0', 'enter');
	await monitor.see('/cpu:>0 (esc clears)');
	expect(names(monitor).length).toBeLessThan(7);
	await monitor.press('escape');
	expect(names(monitor)).toHaveLength(7);
	await monitor.press('/nobody', 'enter');
	await monitor.see('No computer matches nobody.');
});

test('whoever types a filter looks at the first match', async () => {
	const monitor = await openMonitor({ computers: 100, size: [120, 20] });
	await monitor.see('100 computers');
	await monitor.press('G');
	await monitor.press('/', ...'atlas');
	const [first = ''] = monitor
		.lines()
		.filter(line => /●|○|◐|◑/.test(line))
		.slice(1);
	expect(first).toContain('❯');
});

test('what is pasted into a field is one line of plain text', async () => {
	const monitor = await openMonitor();
	for (const [keys, line] of [
		[['/'], '/atlas▏'],
		[['5', '/'], '/atlas▏'],
		[[':'], ':atlas▏'],
	] as const) {
		await monitor.press(...keys, '\x1b[200~\x1b[31matlas\x1b[0m\r\nD\x1b[201~');
		await monitor.see(line);
		expect(monitor.lines()).toHaveLength(36);
		await monitor.press('escape', '1');
	}
});

test('the order is chosen by column, and turned round', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('>');
	await monitor.see('STATUS▲');
	expect(names(monitor)[0]).toBe('draco');
	await monitor.press('=');
	await monitor.see('STATUS▼');
	expect(names(monitor).at(-1)).toBe('draco');
});

test('a computer that goes away takes nothing else with it', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('j', 'j', 'j');
	expect(underCursor(monitor)).toBe('draco');
	monitor.simulator.world.remove('atlas');
	await monitor.pass(20_000);
	await monitor.see('6 computers');
	expect(underCursor(monitor)).toBe('draco');
	monitor.simulator.world.remove('draco');
	await monitor.pass(20_000);
	await monitor.see('5 computers');
	expect(underCursor(monitor)).toBe('eridanus');
});

test('help is scrolled where it has no room, and goes no farther than it goes', async () => {
	const monitor = await openMonitor({ size: [80, 24] });
	await monitor.see('gemini');
	await monitor.press('?');
	await monitor.see(/… \d+ below/);
	await monitor.see('esc back');
	expect(monitor.text()).not.toContain('x stop');
	await monitor.press('j', 'pagedown', 'G');
	await monitor.see('suspend; fg resumes');
	await monitor.see(/… \d+ above$/m);
	await monitor.press('g');
	await monitor.see('In the table');
	await monitor.press('escape');
	expect(underCursor(monitor)).toBe('atlas');
});

test('help tells every key, and q leaves', async () => {
	const monitor = await openMonitor();
	await monitor.press('?');
	await monitor.see('reverse the order');
	await monitor.press('escape');
	await monitor.see('gemini');
	await monitor.press('y');
	expect(monitor.effects.copied).toEqual([monitor.simulator.world.get('atlas').id]);
	await monitor.press('q');
	expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
});
