import { expect, test } from 'vitest';
import { withKeyOverrides } from '../../source/monitor/actions/dispatcher.ts';
import { actions } from '../../source/monitor/actions/table.ts';
import { openMonitor } from '../driver/monitor.ts';

test.each([
	['the filter', ['/'], '/'],
	['the palette', [':'], ':'],
	['the name of a new computer', ['n'], 'Name (optional): '],
	['the port to publish', ['p'], 'Port, 1 to 65535: '],
	['a typed confirmation', ['D'], 'Type atlas to delete it: '],
])('%s has the keys of the line editor, and shows the caret', async (_, opening, prompt) => {
	const monitor = await openMonitor();
	await monitor.press(...opening);
	await monitor.answer('one two').see(`${prompt}one two▏`);
	await monitor.press('left', 'left').see(`${prompt}one t▏wo`);
	await monitor.press('delete', 'x').see(`${prompt}one tx▏o`);
	await monitor.press('ctrl-w').see(`${prompt}one ▏o`);
	await monitor.press('home', 'ctrl-k').see(`${prompt}▏`);
	await monitor.press('y', 'backspace').see(`${prompt}▏`);
	expect(monitor.operationRequests()).toEqual([]);
});

test('the filter applies with each letter, also in its middle, and gets a space for the next word, which is not kept alone', async () => {
	const monitor = await openMonitor();
	await monitor.press('/atls', 'left', 'a').see('/atla▏s', '1 of 7');
	await monitor.press('enter').see(' /atlas ');
	await monitor.press('/', 'x').see('/atlas x▏');
	await monitor.press('ctrl-u', 'status:active', 'enter', '/');
	await monitor.see('/status:active ▏  Ctrl-U clears · Esc keeps it as it was');
	await monitor.press('enter').see('/status:active  ');
	await monitor.press('/', 'x', 'backspace', 'enter', '/', 'atlas', 'enter');
	await monitor.see('/status:active atlas ');
});

test('Esc in the field of an applied filter brings that filter back, and the next Esc clears it', async () => {
	const monitor = await openMonitor();
	await monitor.press('/status:active', 'enter', 'j').see('❯ fornax');
	await monitor.press('/', 'gemini').see('1 of 7');
	await monitor.press('escape').see('/status:active  ', '❯ fornax');
	await monitor.press('escape').see('7 computers');
	await monitor.press('5', '/stop', 'enter', '/', 'x').see('/stop x▏');
	await monitor.press('escape').see('/stop ─');
});

test('dialogs name the keys of the configuration, and accept them', async () => {
	const monitor = await openMonitor({
		actions: withKeyOverrides(actions, [
			{ action: 'yes', keys: ['j'] },
			{ action: 'no', keys: ['k'] },
			{ action: 'submit', keys: ['ctrl-s'] },
			{ action: 'copyTypedCommand', keys: [] },
		]),
	});
	await monitor.press('D').see('Ctrl-S deletes · Esc cancels ');
	await monitor.answer('atlas', 'enter').see('Delete atlas?');
	await monitor.press('escape', 'x').see('j stops · k cancels');
	await monitor.answer('k').seeNo('╭');
	await monitor.press('r');
	await monitor.answer('y', 'j').see('Restarting atlas in 4 s');
	await monitor.press('q').see('j quits · k stays');
});

test('Up and Ctrl-R lead to earlier filters, and Down from the line leads into the rows', async () => {
	const monitor = await openMonitor();
	for (const filter of ['status:active', 'atlas']) {
		await monitor.press('/', 'ctrl-u', ...filter, 'enter');
		await monitor.press('escape');
	}
	await monitor.press('/').see('/▏  words status: version: cpu:>80');
	await monitor.press('up').see('/atlas▏', '1 of 7');
	await monitor.press('up').see('/status:active▏');
	await monitor.press('up', 'down', 'down').see('/▏ ');
	await monitor.press('down', 'down').see('❯ cygnus');
	await monitor.press('up').see('❯ borealis');
	await monitor.press('ctrl-r', 'stat').see('history: stat /▏status:active');
	await monitor.press('x').see('not in history: statx /▏');
	await monitor.press('backspace', 'escape').see('/▏');
	await monitor.seeNo('history');
	await monitor.press('ctrl-r', 'act', 'enter').see(' /status:active ');
});

test('Tab completes fields and values, and each completion says how many computers it would leave', async () => {
	const monitor = await openMonitor();
	await monitor.press('/stat').see('/stat▏  status:');
	await monitor.press('tab').see(/status:▏ {2}active 3 {2}\w+ 1 /);
	await monitor.press('tab', 'tab').see(/\/status:(\w+)▏.* 1 of 7/);
	await monitor.press('shift-tab').see(/\/status:active▏.* 3 of 7/);
	// Tab finishes a field whose first letters are typed, so that its values come next. Other fields begin with them, too.
	await monitor.press('ctrl-u', 'st', 'tab').see(/status:▏ {2}active 3 {2}\w+ 1 /);
	await monitor.press('tab').see(/\/status:active▏.* 3 of 7/);
	await monitor.press('ctrl-u', 'eror').see('No computer matches eror. Tab: status:error (1)');
	await monitor.press('tab', 'enter').see(' /status:error ');
});

test('Enter does not close the filter line on an unknown field, whose message suggests the most similar field, and Esc does', async () => {
	const monitor = await openMonitor();
	await monitor.press('/statu:error', 'enter').see('No field “statu”. Did you mean status?');
	await monitor.see('/statu:error  not understood ─');
	await monitor.press('a').see('/statu:errora▏');
	await monitor.seeNo('marked');
	await monitor.press('escape').see('atlas');
	await monitor.seeNo('statu:');
});

test('typed confirmations have no history', async () => {
	const monitor = await openMonitor();
	await monitor.press('p');
	await monitor.answer('8081', 'enter', 'y');
	await monitor.press('G', 'D');
	await monitor.answer('gemini', 'enter').see('Deleting gemini in 4 s');
	await monitor.press('g', 'D');
	await monitor.answer('at', 'up', 'ctrl-r').see('Type atlas to delete it: at▏');
	await monitor.press('ctrl-p').see('Type atlas to delete it: at▏');
	await monitor.press('escape', 'p');
	await monitor.answer('up').see('Port, 1 to 65535: 8081▏');
});

test('keys that arrive in one burst all take effect, also those after the field has closed', async () => {
	const monitor = await openMonitor();
	await monitor.press('/', 'status:active', 'enter', 'jj');
	const stepwise = monitor.text();
	await monitor.press('escape', 'g');
	monitor.device.send('/status:active\rjj');
	await monitor.idle();
	expect(monitor.text()).toBe(stepwise);
	await monitor.press('escape', ':');
	await monitor.paste('stop\ngemini\n').see(':stop gemini▏');
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.press('escape', '/');
	await monitor.paste('gem\n').see('gem▏');
	expect(monitor.operationRequests()).toEqual([]);
});

test('the command of a question follows what is typed, and keeps the answers to earlier steps', async () => {
	const monitor = await openMonitor();
	await monitor.press('n');
	await monitor.answer('nova').see('crowsnest new --name nova');
	await monitor.press('ctrl-w', 'vela', 'ctrl-y');
	expect(monitor.effects.copied.at(-1)).toContain('crowsnest new --name vela');
	await monitor.press('enter').see('crowsnest new --name vela');
	await monitor.press('n');
	expect(monitor.operationRequests()).toEqual([]);
});

test('a notice says that keys do nothing while a paste has no end marker, until the marker or Esc ends the paste', async () => {
	const notice = 'A paste has not ended. Press Esc to end it.';
	const monitor = await openMonitor({ isReadOnly: true });
	monitor.device.send('\u001B[200~rm');
	await monitor.pass(1_000, 1_000).seeNo(notice);
	await monitor.pass(20_000, 1_000).see(notice);
	const rows = monitor.lines().length;
	await monitor.press('escape');
	await monitor.pass(1_000, 100).seeNo(notice);
	expect(monitor.lines()).toHaveLength(rows);
	await monitor.press('j').see('❯ borealis');
	monitor.device.send('\u001B[200~rm');
	await monitor.pass(5_000, 1_000).see(notice);
	monitor.device.send(' -rf\u001B[201~');
	await monitor.seeNo(notice);
});
