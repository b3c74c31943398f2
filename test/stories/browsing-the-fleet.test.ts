import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const visibleNames = (monitor: Monitor) =>
	monitor
		.lines()
		.map(line => /^ [❯ ] ([a-z]+(?:-\d+)?) /.exec(line)?.[1])
		.filter(name => name !== undefined);

test('the cursor moves with keys, stops at the ends, and follows its computer when the order changes or another computer is removed', async () => {
	const monitor = await openMonitor();
	await monitor.press('j', 'j', 'down', 'k').see('❯ cygnus ');
	await monitor.press('G', 'j').see('❯ gemini ');
	await monitor.press('=').see('❯ gemini ');
	expect(visibleNames(monitor)[0]).toBe('gemini');
	await monitor.press('home', 'k').see('❯ gemini ');
	await monitor.press('=', 'g', 'j', 'j', 'j').see('❯ draco ');
	monitor.simulator.world.remove('atlas');
	await monitor.pass(20_000).see('6 computers', '❯ draco ');
	// When its own computer is removed, it moves to the next row.
	monitor.simulator.world.remove('draco');
	await monitor.pass(20_000).see('5 computers', '❯ eridanus ');
});

test('a filter applies while it is typed, and shows its errors, but not while its value is about to be typed', async () => {
	const monitor = await openMonitor({ shapes: { list: 'minimal' } });
	await monitor.press('/', 's', 't', 'a', 't', 'u', 's', ':', 'e', 'r', 'r');
	expect(visibleNames(monitor)).toEqual(['draco']);
	await monitor.see('1 of 7');
	await monitor.press('ctrl-u', 'c', 'p', 'u', ':', 'x');
	await monitor.see('cpu takes a number such as 80, not x');
	await monitor.press('backspace').seeNo('takes');
	await monitor.press('>').seeNo('takes');
	expect(visibleNames(monitor)).toHaveLength(7);
	await monitor.press('enter').see('cpu takes a number such as 80');
	await monitor.press('0').seeNo('takes');
	await monitor.press('enter').see('Esc clear filter');
	expect(visibleNames(monitor).length).toBeLessThan(7);
	await monitor.press('escape');
	expect(visibleNames(monitor)).toHaveLength(7);
	await monitor.press('/nobody', 'enter').see('No computer matches nobody.');
});

test('typing a filter moves the cursor to the first match, and cancelling the filter returns it; an open filter line says how to clear the filter', async () => {
	const monitor = await openMonitor({
		computers: 100,
		size: [120, 20],
		shapes: { list: 'minimal' },
	});
	await monitor.press('G').see('❯ zosma-2 ');
	await monitor.press('/', 'atlas');
	const [first = ''] = monitor
		.lines()
		.filter(line => /●|○|◐|◑/.test(line))
		.slice(1);
	expect(first).toMatch(/❯ atlas/);
	await monitor.press('escape').see('❯ zosma-2 ');
	await monitor.press('/', 'at', 'enter', '/').see(/\/at.* Ctrl-U clears/);
	await monitor.press('ctrl-u', 'gem').see(/❯ gemini/);
});

test('a paste into a text field becomes one line of plain text, and a paste into the table says that it needs a text field', async () => {
	const monitor = await openMonitor();
	for (const [keys, line] of [
		[['/'], '/atlas D▏'],
		[['5', '/'], '/atlas D▏'],
		[[':'], ':atlas D▏'],
	] as const) {
		await monitor.press(...keys);
		await monitor.paste('\x1b[31matlas\x1b[0m\r\nD').see(line);
		expect(monitor.lines()).toHaveLength(36);
		await monitor.press('escape', '1');
	}
	await monitor.paste('xyD').see('Nothing was pasted: a paste needs a text field');
	await monitor.press('x').see('Stop atlas?');
	await monitor.paste('y').seeNo('Nothing was pasted');
	expect(monitor.operationRequests()).toEqual([]);
});

test('G goes to the very end of the details and of the help, and g to the start', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.press('enter').see(/▼ \d+ more lines/);
	const top = monitor.text();
	await monitor.press('G').see(/▲ \d+ above/);
	await monitor.seeNo('more lines');
	await monitor.see('atlas');
	await monitor.press('g');
	expect(monitor.text()).toBe(top);
	await monitor.press('?', 'G').see(/▲ \d+ above/);
	await monitor.seeNo('more lines');
	await monitor.press('g').see(/▼ \d+ more lines/);
	await monitor.seeNo('▲ ');
});

test('q closes the help, a view and the details one after another, and quits from the fleet only', async () => {
	const monitor = await openMonitor();
	await monitor.press('enter').see('Provider');
	await monitor.press('2', '?').see('half a page down');
	await monitor.press('q').see('Billing');
	await monitor.press('q').see('Provider');
	await monitor.press('q').seeNo('Provider');
	expect(monitor.effects.endings).toEqual([]);
	await monitor.press('C').see('[x] ');
	await monitor.press('q').seeNo('[x] ');
	await monitor.press('y');
	expect(monitor.effects.copied).toEqual([monitor.simulator.world.get('atlas').id]);
	await monitor.press('q');
	expect(monitor.effects.endings).toEqual([{ kind: 'quit' }]);
});

test('without the name of a computer, the palette means the one under the cursor, whatever other names have its letters', async () => {
	const monitor = await openMonitor({ computers: 24 });
	await monitor.goTo('vega');
	await monitor.press(':', ...'copy id', 'enter');
	expect(monitor.effects.copied).toEqual([monitor.simulator.world.get('vega').id]);
});

test('a key that does nothing says so: in a view, in the help, in the menu of columns, and in the details, which hide the table', async () => {
	const monitor = await openMonitor({ hasDefaultOrder: true });
	await monitor.press('z').see('z does nothing here · ? help');
	await monitor.press('j').seeNo('does nothing here');
	await monitor.press('4', 'ctrl-d', 'X').see('X does nothing here · ? help');
	await monitor.press('1', 'C', 'z').see('z does nothing here: C q j k Space J K u Esc');
	await monitor.see('Space shows or hides');
	await monitor.press('escape', '?', 'z').see('z does nothing here · Esc closes');
	await monitor.press('escape').seeNo('does nothing here');
	await monitor.press('g', 'enter');
	for (const key of ['<', 'm', 'o', 'C', 'a']) {
		await monitor.press(key).see('This key works in the table. Esc closes the details.');
	}
	await monitor.press('escape').see('─ trouble first ─', '❯ draco ');
});

test('the palette goes to computers, asks about typed targets, and keeps named filters', async () => {
	const monitor = await openMonitor();
	await monitor.press('2', ':').see(':▏  stop vega · a computer');
	await monitor.press('fornax').see(/❯ fornax +active/);
	await monitor.press('enter').see('❯ fornax');
	await monitor.press(':', 'stop gem', 'enter').see('Stop gemini?');
	await monitor.answer('enter').see('Stop gemini?');
	await monitor.press('n');
	await monitor.press('/', 'status:error', 'enter', ':', 'save', 'enter').see(':save ▏');
	await monitor.see(/Save the filter as … +type a name/);
	await monitor.press('broken', 'enter').see('Saved the filter status:error as broken');
	await monitor.press('escape', ':', 'brok', 'tab').see(':broken▏');
	await monitor.press('enter');
	expect(visibleNames(monitor)).toEqual(['draco']);
	await monitor.press(':', 'gemini', 'enter').see('❯ gemini');
	await monitor.press(':', 'mark act', 'enter').see('3 marked');
	await monitor.press(':', 'rename broken failed', 'enter');
	await monitor.see('Renamed the filter broken to failed');
	await monitor.press(':', 'forget failed', 'enter').see('Forgot the filter failed');
	await monitor.press(':', 'up').see(':forget failed▏');
	expect(monitor.operationRequests()).toEqual([]);
});

test('Enter in the help runs the chosen key in the place where the help was opened', async () => {
	const monitor = await openMonitor();
	await monitor.press('?', '/', 'stop comp').see('/stop comp▏', /❯ x +stop computers/);
	await monitor.press('enter', 'a').see(/❯ x +stop\b/);
	await monitor.press('enter').see('Stop atlas?');
	await monitor.answer('n');
	await monitor.press('?', '/', 'payment page, with', 'enter', 'enter').see('Open a payment page?');
	await monitor.answer('n');
	await monitor.press('1', '?', '/', 'zzz').see('No key matches zzz.');
	await monitor.press('escape', 'escape').see('gemini');
	expect(monitor.operationRequests()).toEqual([]);
});

test('the table begins with trouble, “e” goes to the next computer in trouble, which leaves the top with the cursor when it recovers, and “o” chooses another order', async () => {
	const monitor = await openMonitor({ hasDefaultOrder: true, shapes: { list: 'minimal' } });
	await monitor.see('─ trouble first ─');
	expect(visibleNames(monitor).slice(0, 2)).toEqual(['draco', 'borealis']);
	await monitor.press('G', 'e').see('❯ draco ');
	await monitor.press('o').see(/t trouble n name .* l loc i id +Esc/);
	await monitor.press('n').see('─ by name ─');
	expect(visibleNames(monitor)[0]).toBe('atlas');
	await monitor.see('❯ draco ');
	await monitor.press('o', 'n').see('─ by name ▼ ─');
	expect(visibleNames(monitor)[0]).toBe('gemini');
	await monitor.press('o', 'c', 'o', 's').see('─ by status ─');
	await monitor.press('o', 's').see('─ by status ▼ ─');
	await monitor.press('o', 't', 'o', 't').see('─ trouble first ─');
	await monitor.press('=').see('This order always begins with trouble', '─ trouble first ─');
	await monitor.press('/', 'atlas', 'enter', 'e');
	await monitor.see('No computer in trouble matches the filter, which hides 1');
	await monitor.press('escape', 'e');
	await monitor.confirm('r');
	await monitor.pass(30_000, 3_000).see(/❯ draco +● Active/);
	expect(visibleNames(monitor).indexOf('draco')).toBeGreaterThan(1);
});

test.each([
	[
		[120, 36],
		'z chooses no order: t trouble, n name, s status, v version, u uptime, c CPU, m memory, ',
	],
	[[60, 8], 'z chooses no order: t trouble, n name, s status, v versio…'],
] as const)(
	'at %j, a key that chooses no order says which keys do, and the menu stays open',
	async (size, reply) => {
		const monitor = await openMonitor({ size });
		await monitor.press('o', 'z').see(reply);
		await monitor.press('c').seeNo('chooses no order');
		await monitor.see(/CPU ?▼/);
	},
);

test('a countdown that is on hold stands above the menu of orders, also on a small screen', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.confirm('r').see('Restarting atlas in 4 s');
	await monitor.press('o').see('Restarting atlas: on hold', /t trouble n name .* +Esc/);
});

test('marks stay when the filter changes, a question says which of its computers are hidden, and cancelling its countdown marks them again', async () => {
	const monitor = await openMonitor();
	await monitor.press('/status:active', 'enter', 'a').see('3 marked');
	await monitor.press('/', 'ctrl-u', 'status:stopped', 'enter', 'x').see('Stop 3 computers?');
	await monitor.see('All of these computers are hidden by the filter.');
	await monitor.answer('escape').seeNo('╭');
	await monitor.see('3 marked');
	await monitor.confirm('/', 'ctrl-u', 'status:active', 'enter', 'r');
	await monitor.see(/gemini .*Restarting in 4 s/);
	await monitor.seeNo('3 marked');
	await monitor.press('escape').see('Cancelled: 3 operations were not sent', 'Esc unmark all');
	await monitor.press('x').see('Stop 3 computers?');
	expect(monitor.operationRequests()).toEqual([]);
});

test('a question says how many of its computers were hidden when it opened, also if the filter hides others meanwhile', async () => {
	const monitor = await openMonitor({ size: [60, 15] });
	await monitor.press('/status:active', 'enter', 'a', 'x').see('Stop 3 computers?');
	await monitor.seeNo('hidden by the filter');
	const top = () => monitor.lines().findIndex(line => line.includes('Stop 3 computers?'));
	const before = top();
	monitor.simulator.world.sleep('atlas');
	await monitor.pass(10_000).see('Meanwhile atlas is stopp');
	await monitor.seeNo('hidden by the filter');
	expect(top()).toBe(before);
	await monitor.answer('escape');
	await monitor.pass(5_000);
	await monitor.press('D').see('1 of these computers is hidden by the filter.');
});

test('rows stay in their places while computers are marked or in a countdown, and Esc sorts them again', async () => {
	const monitor = await openMonitor({ hasDefaultOrder: true });
	const names = () =>
		monitor.lines().flatMap(line => /^.{3}(\w+) +\S (?:Active|Stopped)/.exec(line)?.[1] ?? []);
	const before = names();
	await monitor.goTo('atlas');
	await monitor.press('space');
	await monitor.goTo('gemini');
	await monitor.confirm('space', 'r');
	await monitor.pass(2_000, 1_000).see(/Restarting in \d s/);
	expect(names()).toEqual(before);
	await monitor.seeNo('held');
	await monitor.press('escape').see('2 marked');
	const isBelow = () => monitor.text().indexOf(' atlas ') > monitor.text().indexOf(' fornax ');
	expect(isBelow()).toBe(true);
	monitor.simulator.world.fail('atlas');
	await monitor.pass(60_000, 3_000).see(/atlas +✖ Error/);
	expect(isBelow()).toBe(true);
	await monitor.press('escape');
	await monitor.pass(3_000, 1_000);
	expect(isBelow()).toBe(false);
});

test('marking all computers says how many and how to unmark them, and marks stay when an operation is about other computers', async () => {
	const monitor = await openMonitor();
	await monitor.press('a').see('7 computers marked; Esc unmarks them');
	await monitor.press('a').see('7 marks removed');
	await monitor.press('/gemini', 'enter', 'a').see('1 computer marked; Esc unmarks it');
	await monitor.press('escape').seeNo('1 marked');
	await monitor.press('escape', 'g', 'space', 'space', '4', 'u').see('Update fornax?');
	await monitor.answer('y');
	await monitor.press('1').see('2 marked');
});

test('computers of the same name are told apart in the table, the palette and the question, which copies the id', async () => {
	const monitor = await openMonitor();
	const twin = monitor.simulator.world.add({ name: 'atlas' }).id;
	await monitor.pass(10_000).see('8 computers');
	const first = monitor.simulator.world.computers()[0]?.id ?? '';
	await monitor.see(`atlas …${twin.slice(-4)}`, `atlas …${first.slice(-4)}`);
	await monitor.seeNo('borealis …');
	await monitor.press(':', 'stop atlas').see(`${twin} · active`);
	expect(monitor.text().match(/Stop atlas +sb_\w+ · active/g)).toHaveLength(2);
	await monitor.press('escape');
	await monitor.goTo('atlas');
	await monitor.press('x').see(/Stop atlas \(sb_\w+\)\?/);
	await monitor.see(/Another computer is called atlas, too\. This is sb_\w+\./);
	await monitor.press('c');
	expect(monitor.effects.copied.at(-1)).toMatch(/^crowsnest stop sb_\w+ --yes$/);
	await monitor.press('n', 'a', 'x').see(/atlas \(sb_\w+\), atlas \(sb_\w+\)/);
});

test('the map shares cursor, marks, filter and operations with the table', async () => {
	const monitor = await openMonitor();
	await monitor.see('❯ atlas');
	await monitor.press('j', 'm').see(/b by location {2}c coloured by status/, '❯ borealis');
	await monitor.see(/✖ error {3}■ unknown/);
	await monitor.press('b', 'home', 'space', 'space').see(/b by status {2}c coloured by status/);
	await monitor.see('2 marked');
	await monitor.press('m').seeNo('coloured by');
	await monitor.see('2 marked');
	await monitor.press('m', 'escape', 'home', 'r').see(/Restart \w+\?/);
	await monitor.answer('escape');
	const name = /❯ (\w+) {2}/.exec(monitor.lines().findLast(line => line.includes('❯')) ?? '')?.[1];
	await monitor.press('enter').see(new RegExp(`${name} {2}[●◐○✖] `));
	await monitor.press('escape', 'f').see('status:=');
	await monitor.press('escape').seeNo('status:=');
	await monitor.see('coloured by', 'Esc table');
	await monitor.press('escape').seeNo('coloured by');
	expect(monitor.operationRequests()).toEqual([]);
});

test('a click on a cell of the map puts the cursor there, a second one opens the computer, and the map shows the fleet as old while the platform does not answer', async () => {
	const monitor = await openMonitor();
	await monitor.press('m', 'b');
	const y = monitor.lines().findIndex(line => /stopped +1 +■/.test(line));
	const x = (monitor.lines()[y] ?? '').indexOf('■');
	monitor.mouse('press', x, y);
	await monitor.see(/❯ stopped/);
	monitor.mouse('press', x, y);
	await monitor.see(/sb_\w+/);
	await monitor.press('escape').see('by status');
	await monitor.seeNo('what you see was true at');
	monitor.simulator.setFaults([{ target: '*', kind: '500' }]);
	await monitor.pass(40_000, 8000).see('what you see was true at');
});

test('in an empty fleet, the keys that open and mark say that there is no computer', async () => {
	const monitor = await openMonitor({ computers: 0 });
	await monitor.press('enter').see('No computer is under the cursor', 'NAME');
	await monitor.press('a').see('No computer is shown');
	for (const key of ['space', 'V']) await monitor.press(key).see('No computer is under the cursor');
});
