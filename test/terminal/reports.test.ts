import { expect, test } from 'vitest';
import type { MouseInput } from '../../source/terminal/input/input.ts';
import { recordDirectWrites } from './direct-writes.ts';
import { openTerminal } from './open-terminal.ts';

test('reports of the terminal change its state and are never read as keys', async () => {
	const { terminal, send, keys, draw } = await openTerminal();
	await draw('one');
	await send('\u001B]11;rgb:ffff/fafa/eeee\u001B\\\u001BP>|kitty(0.39.1)\u001B\\\u001B[O');
	await send('I');
	expect(terminal.state()).toMatchObject({
		isFocused: false,
		background: 'light',
		name: 'kitty(0.39.1)',
		hasUnicode: true,
		isLowBandwidth: false,
	});
	expect(keys).toEqual(['I']);
});

test('the key mode of Kitty is enabled where the terminal supports it, and disabled at exit', async () => {
	const writes = recordDirectWrites();
	const { terminal, send, device } = await openTerminal({ fd: writes.fd });
	expect(device.written()).not.toContain('\u001B[>1u');
	await send('\u001B[?0u');
	expect(device.written()).toContain('\u001B[>1u');
	void terminal.end({ kind: 'quit' });
	// The terminal's stack of key modes holds the program's own entry and the entry for Kitty's keys.
	expect(writes.text().split('\u001B[<u')).toHaveLength(3);
});

test('the wheel and clicks are reported when the mouse is enabled', async () => {
	const { terminal, send, device } = await openTerminal({ hasMouse: true });
	expect(device.emulator.modes.mouseTrackingMode).toBe('vt200');
	const mouse: MouseInput[] = [];
	terminal.onMouse(each => mouse.push(each));
	await send('\u001B[<0;8;7M\u001B[<0;8;7m');
	await send('\u001B[<65;3;4M');
	expect(mouse).toEqual([
		{ kind: 'press', x: 7, y: 6 },
		{ kind: 'wheelDown', x: 2, y: 3 },
	]);
});

test('no mouse reports are requested unless the mouse is enabled', async () => {
	const { device } = await openTerminal();
	expect(device.emulator.modes.mouseTrackingMode).toBe('none');
});

test('a notification rings the bell, and copied text goes to the clipboard', async () => {
	const { terminal, device, settled } = await openTerminal();
	terminal.notify('a computer failed');
	terminal.copyToClipboard('sb_atlas01');
	await settled();
	expect(device.effects).toMatchObject({
		bells: 1,
		notified: ['a computer failed'],
		copied: ['sb_atlas01'],
	});
});

test('the Linux console is sent only sequences that it supports', async () => {
	const writes = recordDirectWrites();
	const { terminal, device } = await openTerminal({ env: { TERM: 'linux' }, fd: writes.fd });
	terminal.notify('a computer failed');
	terminal.copyToClipboard('sb_atlas01');
	terminal.setTitle('crowsnest');
	void terminal.end({ kind: 'quit' });
	expect(device.written()).toContain('\u0007');
	expect(device.written() + writes.text()).not.toMatch(
		/\u001B[\]P_]|\u001B\[>|\u001B\[\?(1004|2004)/,
	);
});

test('a resize while another program has the terminal is drawn when the monitor takes the screen back', async () => {
	const { terminal, device } = await openTerminal();
	const sizes: number[][] = [];
	terminal.stdout.on('resize', () => sizes.push([terminal.stdout.columns, terminal.stdout.rows]));
	await terminal.lend(async () => device.resize(60, 10));
	expect(sizes).toEqual([[60, 10]]);
});

test('the Ctrl-C that ends another program does not end the monitor, even if its signal arrives late', async () => {
	const { terminal, device, keys, clock, send, draw } = await openTerminal();
	const interrupt = () => {
		for (const listen of device.program.listeners('SIGINT')) listen('SIGINT');
	};
	await terminal.lend(async () => interrupt());
	interrupt();
	await draw('one');
	await send('j');
	expect(keys).toEqual(['j']);
	clock.move(500);
	interrupt();
	await send('j');
	expect(keys).toEqual(['j']);
});

test('keys that were pressed before anything was on the screen are dropped with what follows without a pause, except Ctrl-C', async () => {
	const { terminal, device, clock, keys, send, draw } = await openTerminal();
	await send('s');
	device.stall();
	await draw('one');
	await send('y');
	expect(keys).toEqual([]);
	await send('\u0003');
	expect(keys).toEqual(['ctrl-c']);
	device.endStall();
	await draw('one');
	clock.move(299);
	await send('l');
	clock.move(299);
	await send('a');
	expect(keys).toEqual(['ctrl-c']);
	clock.move(300);
	await send('s');
	expect(keys).toEqual(['ctrl-c', 's']);
	expect(terminal.isKeyAlone()).toBe(true);
	await send('jk');
	expect(keys.slice(2)).toEqual(['j', 'k']);
	expect(terminal.isKeyAlone()).toBe(false);
});
