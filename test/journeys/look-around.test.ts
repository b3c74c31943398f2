import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const names = (stage: Monitor) =>
	stage
		.lines()
		.map(line => /^ [❯ ] ([a-z]+(?:-\d+)?) /.exec(line)?.[1])
		.filter(name => name !== undefined);

const underCursor = (stage: Monitor) => /❯ (\S+)/.exec(stage.text())?.[1];

test('the fleet is seen whole, with what each computer is doing', async () => {
	const stage = await openMonitor();
	await stage.see('7 computers');
	expect(names(stage)).toEqual([
		...['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', 'gemini'],
	]);
	await stage.see('owner@example.com · Pro');
	await stage.see('credits 22.00');
	await stage.see(/borealis +◐ Creating/);
	await stage.see(/draco +✖ Error +\S+/);
	await stage.see(/fornax +● Active +update to \d/);
});

test('the cursor moves by keys, stays at the ends, and follows its computer', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('j', 'j', 'down', 'k');
	expect(underCursor(stage)).toBe('cygnus');
	await stage.press('G', 'j');
	expect(underCursor(stage)).toBe('gemini');
	await stage.press('=');
	expect(underCursor(stage)).toBe('gemini');
	expect(names(stage)[0]).toBe('gemini');
	await stage.press('home', 'k');
	expect(underCursor(stage)).toBe('gemini');
});

test('keys that come at once each act on what the one before them did', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('jjjk');
	expect(underCursor(stage)).toBe('cygnus');
	await stage.press('/dra');
	expect(names(stage)).toEqual(['draco']);
});

test('a filter shows what it lets through while it is typed, and what is wrong with it', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('/', 's', 't', 'a', 't', 'u', 's', ':', 'e', 'r', 'r');
	expect(names(stage)).toEqual(['draco']);
	await stage.see('1 shown');
	await stage.press('ctrl-u', 'c', 'p', 'u', ':', 'x');
	await stage.see('cpu takes a number such as 80, not x');
	await stage.press('backspace', '>', '0', 'enter');
	await stage.see('/cpu:>0 (esc clears)');
	expect(names(stage).length).toBeLessThan(7);
	await stage.press('escape');
	expect(names(stage)).toHaveLength(7);
});

test('whoever types a filter looks at the first match', async () => {
	const stage = await openMonitor({ computers: 100, size: [120, 20] });
	await stage.see('100 computers');
	await stage.press('G');
	await stage.press('/', ...'atlas');
	const [first = ''] = stage
		.lines()
		.filter(line => /●|○|◐|◑/.test(line))
		.slice(1);
	expect(first).toContain('❯');
});

test('a filter that lets nothing through says so', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('/nobody', 'enter');
	await stage.see('No computer matches nobody.');
});

test.each([
	['the filter', ['/'], '/atlas▏'],
	['the filter of the log', ['5', '/'], '/atlas▏'],
	['the palette', [':'], ':atlas▏'],
])('what is pasted into %s is one line of plain text', async (_, keys, line) => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press(...keys, '\x1b[200~\x1b[31matlas\x1b[0m\r\nD\x1b[201~');
	await stage.see(line);
	expect(stage.lines()).toHaveLength(36);
});

test('the order is chosen by column, and turned round', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('>');
	await stage.see('STATUS▲');
	expect(names(stage)[0]).toBe('draco');
	await stage.press('=');
	await stage.see('STATUS▼');
	expect(names(stage).at(-1)).toBe('draco');
});

test('a computer that goes away takes nothing else with it', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('j', 'j', 'j');
	expect(underCursor(stage)).toBe('draco');
	stage.simulator.world.remove('atlas');
	await stage.pass(20_000);
	await stage.see('6 computers');
	expect(underCursor(stage)).toBe('draco');
	stage.simulator.world.remove('draco');
	await stage.pass(20_000);
	await stage.see('5 computers');
	expect(underCursor(stage)).toBe('eridanus');
});

test('help is scrolled where it has no room, and goes no farther than it goes', async () => {
	const stage = await openMonitor({ size: [80, 24] });
	await stage.see('gemini');
	await stage.press('?');
	await stage.see(/… \d+ below/);
	await stage.see('esc back');
	expect(stage.text()).not.toContain('x stop');
	await stage.press('j', 'pagedown', 'G');
	await stage.see('suspend; fg comes back');
	await stage.see(/… \d+ above$/m);
	await stage.press('g');
	await stage.see('In the table');
	await stage.press('escape');
	expect(underCursor(stage)).toBe('atlas');
});

test('help tells every key, and q leaves', async () => {
	const stage = await openMonitor();
	await stage.press('?');
	await stage.see('turn the order round');
	await stage.press('escape');
	await stage.see('gemini');
	await stage.press('y');
	expect(stage.said.copied).toEqual([stage.simulator.world.named('atlas').id]);
	await stage.press('q');
	expect(stage.said.endings).toEqual([{ kind: 'quit' }]);
});
