import { expect, test } from 'vitest';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import { createTerminal } from '../../source/terminal/terminal.ts';
import { createDevice, type DeviceOptions } from '../driver/device.ts';
import { createHeldClock } from '../held-clock.ts';
import { recordDirectWrites } from './direct-writes.ts';

/** Opens the program's terminal on an emulator, without a monitor and without a process of its own. */
async function openTerminal(system: DeviceOptions = {}) {
	const clock = createHeldClock();
	const device = createDevice([100, 24], clock, system);
	const terminal = createTerminal({
		program: device.program,
		clock: device.clock,
		hasMouse: false,
		preferences: {},
		crashReportFolder: '/nowhere',
		programInfo: 'the tests',
	});
	const keys: string[] = [];
	terminal.onInput(input => keys.push('key' in input ? input.key : `paste ${input.paste}`));
	terminal.open();

	/** Waits until the emulator has taken all output, and the program all replies. */
	async function settled() {
		do await new Promise(setImmediate);
		while (device.isDrawing());
	}
	await settled();

	/** Draws a frame, as Ink does. The terminal takes keys from the second turn after it. */
	async function draw(text: string) {
		const output = InkOutput({ width: 100, height: 1 });
		output.write(0, 0, text, { transformers: [] });
		terminal.stdout.write(`\u001B[2K${output.get().output}`);
		for (const _ of [1, 2, 3]) {
			await settled();
			clock.move(0);
		}
	}

	return {
		terminal,
		device,
		keys,
		clock,
		settled,
		draw,
		async send(text: string) {
			device.send(text);
			await settled();
		},
	};
}

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
