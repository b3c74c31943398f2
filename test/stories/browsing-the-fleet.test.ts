import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const visibleNames = (monitor: Monitor) =>
	monitor
		.lines()
		.map(line => /^ [❯ ] ([a-z]+(?:-\d+)?) /.exec(line)?.[1])
		.filter(name => name !== undefined);

const nameAtCursor = (monitor: Monitor) => /❯ (\S+)/.exec(monitor.text())?.[1];

test('the cursor moves with keys, stops at the ends, and follows its computer when the order changes', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('j', 'j', 'down', 'k');
	expect(nameAtCursor(monitor)).toBe('cygnus');
	await monitor.press('G', 'j');
	expect(nameAtCursor(monitor)).toBe('gemini');
	await monitor.press('=');
	expect(nameAtCursor(monitor)).toBe('gemini');
	expect(visibleNames(monitor)[0]).toBe('gemini');
	await monitor.press('home', 'k');
	expect(nameAtCursor(monitor)).toBe('gemini');
});

test('a filter applies while it is typed, and shows its errors', async () => {
	const monitor = await openMonitor({ shapes: { list: 'minimal' } });
	await monitor.see('gemini');
	await monitor.press('/', 's', 't', 'a', 't', 'u', 's', ':', 'e', 'r', 'r');
	expect(visibleNames(monitor)).toEqual(['draco']);
	await monitor.see('1 of 7');
	await monitor.press('ctrl-u', 'c', 'p', 'u', ':', 'x');
	await monitor.see('cpu takes a number such as 80, not x');
	await monitor.press('backspace', '>', '0', 'enter');
	await monitor.see('Esc clear filter');
	expect(visibleNames(monitor).length).toBeLessThan(7);
	await monitor.press('escape');
	expect(visibleNames(monitor)).toHaveLength(7);
	await monitor.press('/nobody', 'enter');
	await monitor.see('No computer matches nobody.');
});

test('a field without a value is no mistake while a person is about to type the value', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('/', 'c', 'p', 'u', ':');
	expect(monitor.text()).not.toContain('takes');
	await monitor.press('>');
	expect(monitor.text()).not.toContain('takes');
	expect(visibleNames(monitor)).toHaveLength(7);
	await monitor.press('enter');
	await monitor.see('cpu takes a number such as 80');
	await monitor.press('2');
	expect(monitor.text()).not.toContain('takes');
});

test('typing a filter moves the cursor to the first match', async () => {
	const monitor = await openMonitor({
		computers: 100,
		size: [120, 20],
		shapes: { list: 'minimal' },
	});
	await monitor.see('100 computers');
	await monitor.press('G');
	await monitor.press('/', 'atlas');
	const [first = ''] = monitor
		.lines()
		.filter(line => /●|○|◐|◑/.test(line))
		.slice(1);
	expect(first).toContain('❯');
});

test('a paste into a text field becomes one line of plain text', async () => {
	const monitor = await openMonitor();
	for (const [keys, line] of [
		[['/'], '/atlas D▏'],
		[['5', '/'], '/atlas D▏'],
		[[':'], ':atlas D▏'],
	] as const) {
		await monitor.press(...keys, '\x1b[200~\x1b[31matlas\x1b[0m\r\nD\x1b[201~');
		await monitor.see(line);
		expect(monitor.lines()).toHaveLength(36);
		await monitor.press('escape', '1');
	}
});

test('the cursor stays on its computer when another computer is removed, and moves to the next row when its own computer is removed', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('j', 'j', 'j');
	expect(nameAtCursor(monitor)).toBe('draco');
	monitor.simulator.world.remove('atlas');
	await monitor.pass(20_000);
	await monitor.see('6 computers');
	expect(nameAtCursor(monitor)).toBe('draco');
	monitor.simulator.world.remove('draco');
	await monitor.pass(20_000);
	await monitor.see('5 computers');
	expect(nameAtCursor(monitor)).toBe('eridanus');
});

test('G goes to the very end of the details and of the help, and g to the start', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.see('gemini');
	await monitor.press('enter');
	await monitor.see(/▼ \d+ more lines/);
	const top = monitor.text();
	await monitor.press('G');
	await monitor.see(/▲ \d+ above/);
	await monitor.seeNo('more lines');
	await monitor.see('atlas');
	await monitor.press('g');
	expect(monitor.text()).toBe(top);
	await monitor.press('?', 'G');
	await monitor.see(/▲ \d+ above/);
	await monitor.seeNo('more lines');
	await monitor.press('g');
	await monitor.see(/▼ \d+ more lines/);
	await monitor.seeNo('▲ ');
});

test('q closes the help, a view and the details one after another, and quits from the fleet only', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('enter');
	await monitor.see('Provider');
	await monitor.press('2', '?');
	await monitor.see('half a page down');
	await monitor.press('q');
	await monitor.see('Billing');
	await monitor.press('q');
	await monitor.see('Provider');
	await monitor.press('q');
	await monitor.seeNo('Provider');
	expect(monitor.effects.endings).toEqual([]);
	await monitor.press('C');
	await monitor.see('[x] ');
	await monitor.press('q');
	await monitor.seeNo('[x] ');
	await monitor.press('y');
	expect(monitor.effects.copied).toEqual([monitor.simulator.world.get('atlas').id]);
	await monitor.press('q');
	expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
});

test('a key that does nothing in a view says so and names the help', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('z');
	await monitor.see('z does nothing here · ? help');
	await monitor.press('j');
	await monitor.seeNo('does nothing here');
	await monitor.press('4', 'ctrl-d', 'X');
	await monitor.see('X does nothing here · ? help');
});

test('the palette goes to computers, asks about typed targets, and keeps named filters', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('2', ':');
	await monitor.see(':▏  stop vega · a computer');
	await monitor.press('fornax');
	await monitor.see(/❯ fornax +active/);
	await monitor.press('enter');
	await monitor.see('❯ fornax');
	await monitor.press(':', 'stop gem', 'enter');
	await monitor.see('Stop gemini?');
	await monitor.answer('enter');
	await monitor.see('Stop gemini?');
	await monitor.press('n');
	await monitor.press('/', 'status:error', 'enter', ':', 'save', 'enter');
	await monitor.see(':save ▏');
	await monitor.see(/Save the filter as … +type a name/);
	await monitor.press('broken', 'enter');
	await monitor.see('Saved the filter status:error as broken');
	await monitor.press('escape', ':', 'brok', 'tab');
	await monitor.see(':broken▏');
	await monitor.press('enter');
	expect(visibleNames(monitor)).toEqual(['draco']);
	await monitor.press(':', 'gemini', 'enter');
	await monitor.see('❯ gemini');
	await monitor.press(':', 'mark act', 'enter');
	await monitor.see('3 marked');
	await monitor.press(':', 'rename broken failed', 'enter');
	await monitor.see('Renamed the filter broken to failed');
	await monitor.press(':', 'forget failed', 'enter');
	await monitor.see('Forgot the filter failed');
	await monitor.press(':', 'up');
	await monitor.see(':forget failed▏');
	expect(monitor.operationRequests()).toEqual([]);
});

test('Enter in the help runs the chosen key in the place where the help was opened', async () => {
	const monitor = await openMonitor();
	await monitor.see('gemini');
	await monitor.press('?', '/', 'stop comp');
	await monitor.see('/stop comp▏');
	await monitor.see(/❯ x +stop computers/);
	await monitor.press('enter', 'a');
	await monitor.see(/❯ x +stop\b/);
	await monitor.press('enter');
	await monitor.see('Stop atlas?');
	await monitor.answer('n');
	await monitor.press('?', '/', 'payment page, with', 'enter', 'enter');
	await monitor.see('Open a payment page?');
	await monitor.answer('n');
	await monitor.press('1', '?', '/', 'zzz');
	await monitor.see('No key matches zzz.');
	await monitor.press('escape', 'escape');
	await monitor.see('gemini');
	expect(monitor.operationRequests()).toEqual([]);
});
