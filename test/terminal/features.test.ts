import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
	environmentFrom,
	reasonForNoScreen,
	type TerminalPreferences,
} from '../../source/terminal/features/environment.ts';
import {
	cleanForTerminal,
	clipboardSequence,
	notificationSequence,
	titleSequence,
} from '../../source/terminal/features/escape-sequences.ts';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import { createTerminal } from '../../source/terminal/terminal.ts';
import { createDevice, type DeviceOptions } from '../driver/device.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { createHeldClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import { neededCapabilities, neededColours, terminals } from './matrix.ts';

type Known = Partial<ReturnType<typeof environmentFrom>>;

const known: readonly (readonly [
	env: Record<string, string>,
	is: Known,
	by?: TerminalPreferences,
])[] = [
	[{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, { colourBits: 24 }],
	[{ TERM: 'xterm-direct' }, { colourBits: 24 }],
	[{ TERM: 'tmux-256color' }, { colourBits: 8 }],
	[{ TERM: 'xterm' }, { colourBits: 4, hasUnicode: true, multiplexer: undefined }],
	[{ TERM: 'vt100' }, { colourBits: 0 }],
	[{ TERM: 'xterm', COLORTERM: 'truecolor', NO_COLOR: '1' }, { colourBits: 0 }],
	[{ TERM: 'xterm-256color', NO_COLOR: '' }, { colourBits: 8 }],
	[{ TERM: 'xterm', LANG: 'de_DE.UTF-8' }, { hasUnicode: true }],
	[{ TERM: 'xterm', LANG: 'de_DE.utf8', LC_ALL: 'C' }, { hasUnicode: false }],
	[
		{ TERM: 'linux', LANG: 'en_US.UTF-8' },
		{ hasUnicode: false, colourBits: 4 },
	],
	[{ TERM: 'rxvt', COLORFGBG: '15;0' }, { background: 'dark' }],
	[{ TERM: 'rxvt', COLORFGBG: '0;default;15' }, { background: 'light' }],
	[{ TERM: 'rxvt', COLORFGBG: 'default' }, { background: undefined }],
	[{ TERM: 'screen-256color', TMUX: 'x' }, { multiplexer: 'tmux' }],
	[{ TERM: 'screen-256color', STY: 'x' }, { multiplexer: 'screen' }],
	// What the person prefers wins.
	[
		{ TERM: 'xterm', COLORFGBG: '15;0' },
		{ background: 'light', hasUnicode: false, colourBits: 0 },
		{ background: 'light', hasUnicode: false, hasColours: false },
	],
	[{ TERM: 'linux' }, { hasUnicode: true }, { hasUnicode: true }],
	[{ TERM: 'xterm', NO_COLOR: '1' }, { colourBits: 0 }, { hasColours: true }],
];

test('the environment and the preferences say what a terminal can show', () => {
	for (const [env, is, preferences] of known)
		expect(environmentFrom(env, preferences), JSON.stringify(env)).toMatchObject(is);
});

test.each([
	[{ TERM: 'xterm' }, true, true, undefined],
	[{ TERM: 'xterm' }, true, false, 'output'],
	[{ TERM: 'xterm' }, false, true, 'input'],
	[{ TERM: 'dumb' }, true, true, 'dumb'],
	[{}, true, true, 'dumb'],
])('with %o, the input a terminal: %s, the output: %s, the screen is refused for: %s', (...row) => {
	const [env, input, output, reason] = row;
	const refusal = reasonForNoScreen(env, { isTTY: input }, { isTTY: output }) ?? '';
	expect(refusal).toContain(reason ?? '');
	expect(refusal === '').toBe(reason === undefined);
});

const xterm = environmentFrom({ TERM: 'xterm-256color' });
const tmux = environmentFrom({ TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0' });
const screen = environmentFrom({ TERM: 'screen.xterm-256color', STY: '1.pts' });
const linux = environmentFrom({ TERM: 'linux' });

test('a text from outside cannot end its escape sequence and begin another one', () => {
	const evil = 'a\u0007\u001B]52;c;ZXZpbA==\u0007\u009Bb\n\u001B\\c';
	expect(cleanForTerminal(evil)).toBe('a ]52;c;ZXZpbA== b \\c');
	expect(titleSequence(evil)).toBe('\u001B]2;a ]52;c;ZXZpbA== b \\c\u0007');
});

test.each([
	['failed', 'kitty(0.39.1)', xterm, '\u001B]99;;failed\u0007\u0007'],
	['failed', 'foot(1.16)', xterm, '\u001B]777;notify;crowsnest;failed\u0007\u0007'],
	['failed', 'VTE(7600)', xterm, '\u001B]777;notify;crowsnest;failed\u0007\u0007'],
	['failed', 'WezTerm 2024', xterm, '\u001B]9;failed\u0007\u0007'],
	// A number would be another command of this terminal.
	['4;1;50', 'iTerm2 3.5', xterm, '\u001B]9;crowsnest: 4;1;50\u0007\u0007'],
	['failed', 'iTerm2', tmux, '\u001BPtmux;\u001B\u001B]9;failed\u0007\u001B\\\u0007'],
	['failed', 'linux', linux, '\u0007'],
])('the notification “%s” on “%s” is sent as the terminal knows it', (text, name, where, sent) => {
	expect(notificationSequence(text, name, where)).toBe(sent);
});

test('copied text is sent twice inside tmux, in short pieces inside GNU screen, never to the Linux console, and never cut off', () => {
	const content = Buffer.from('sb_atlas01').toString('base64');
	const plain = `\u001B]52;c;${content}\u0007`;
	expect(clipboardSequence('sb_atlas01', xterm)).toBe(plain);
	expect(clipboardSequence('sb_atlas01', tmux)).toBe(`${plain}\u001BPtmux;\u001B${plain}\u001B\\`);
	expect(clipboardSequence('sb_atlas01', linux)).toBe('');
	expect(clipboardSequence('x'.repeat(100_000), xterm)).toBe('');
	const long = clipboardSequence('x'.repeat(1000), screen);
	const pieces = [...long.matchAll(/\u001BP([^\u001B]*(?:\u001B\][^\u001B]*)?)\u001B\\/g)];
	const joined = pieces.map(([, piece]) => piece).join('');
	expect(joined).toBe(clipboardSequence('x'.repeat(1000), xterm));
	expect(Math.max(...pieces.map(([piece]) => piece.length))).toBeLessThan(256);
});

describe('the terminal', () => {
	/** Opens the program's terminal on an emulator, without a monitor and without a process of its own. */
	async function openTerminal(system: DeviceOptions = {}, isStalled = false) {
		const clock = createHeldClock();
		const device = createDevice([100, 24], clock, system);
		const { program } = device;
		const reports = { crashReportFolder: '/dev/null/reports', programInfo: '' };
		const terminal = createTerminal({ program, clock: device.clock, ...reports });
		const keys: string[] = [];
		terminal.onInput(input => keys.push('key' in input ? input.key : `paste ${input.paste}`));
		if (isStalled) device.stall();
		terminal.open();

		/** Waits until the emulator has taken all output, and the program all replies. */
		async function settled() {
			do await new Promise(setImmediate);
			while (device.isDrawing());
		}
		await settled();

		return {
			terminal,
			device,
			keys,
			clock,
			settled,
			/** Draws a frame, as Ink does. The terminal takes keys from the second turn after it. */
			async draw(text: string) {
				const output = InkOutput({ width: 100, height: 1 });
				output.write(0, 0, text, { transformers: [] });
				terminal.stdout.write(`\u001B[2K${output.get().output}`);
				for (const _ of [1, 2, 3]) {
					await settled();
					clock.move(0);
				}
			},
			async send(text: string) {
				device.send(text);
				await settled();
			},
		};
	}

	test('takes reports as its state and never as keys', async () => {
		const { terminal, send, keys, draw, device } = await openTerminal();
		await draw('one');
		await send(
			'\u001B]11;rgb:ffff/fafa/eeee\u001B\\\u001BP>|kitty(0.39.1)\u001B\\\u001B[?1u\u001B[OI',
		);
		const { colourBits, ...state } = terminal.state();
		expect(state).toEqual({
			isFocused: false,
			reportsFocus: true,
			background: 'light',
			hasUnicode: true,
			isLowBandwidth: false,
		});
		expect(keys).toEqual(['I']);
		terminal.notify('failed');
		expect(device.written()).toContain('\u001B]99;;failed');
	});

	test('counts as slow after a frame that took half a second, until all frames were quick for a minute', async () => {
		const { terminal, device, clock, draw, settled } = await openTerminal();
		await draw('one');
		for (const [ms, isSlow] of [
			[499, false],
			[500, true],
		] as const) {
			device.stall();
			await draw(`${ms}`);
			clock.move(ms);
			device.endStall();
			await settled();
			expect(terminal.state().isLowBandwidth).toBe(isSlow);
		}
		clock.move(59_999);
		expect(terminal.state().isLowBandwidth).toBe(true);
		clock.move(1);
		expect(terminal.state().isLowBandwidth).toBe(false);
	});

	test('waits 150 ms at exit for replies to its queries, and not at all when they have come', async () => {
		const answered = await openTerminal();
		void answered.terminal.end({ kind: 'quit' });
		await answered.settled();
		expect(answered.device.exits).toEqual([0]);
		const silent = await openTerminal({}, true);
		void silent.terminal.end({ kind: 'quit' });
		silent.clock.move(149);
		await silent.settled();
		expect(silent.device.exits).toEqual([]);
		silent.clock.move(1);
		await silent.settled();
		expect(silent.device.exits).toEqual([0]);
	});

	test('draws a resize that happened while another program had it', async () => {
		const { terminal, device } = await openTerminal();
		const sizes: number[][] = [];
		terminal.stdout.on('resize', () => sizes.push([terminal.stdout.columns, terminal.stdout.rows]));
		await terminal.lend(async () => device.resize(60, 10));
		expect(sizes).toEqual([[60, 10]]);
	});

	test('lives through the Ctrl-C that ends another program, even if its signal arrives late', async () => {
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

	test('drops keys that were pressed before anything was shown, with what follows without a pause, except Ctrl-C', async () => {
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
		for (const key of ['l', 'a']) {
			clock.move(299);
			await send(key);
		}
		expect(keys).toEqual(['ctrl-c']);
		clock.move(300);
		await send('s');
		expect(terminal.isKeyAlone()).toBe(true);
		await send('jk');
		expect(keys).toEqual(['ctrl-c', 's', 'j', 'k']);
		expect(terminal.isKeyAlone()).toBe(false);
	});
});

/** Expects that each row is in its place: no line has wrapped, and no line has scrolled away. */
function expectToFit({ device, lines }: Monitor, last: string) {
	expect(lines()[0]).toContain('Fleet');
	expect(lines().at(-1)).toContain(last);
	const { active } = device.emulator.buffer;
	for (let y = 0; y < device.emulator.rows; y += 1)
		expect(active.getLine(active.baseY + y)?.isWrapped).toBe(false);
}

test.each(Object.entries(terminals))(
	'on %s, the monitor sends only sequences that the terminal knows, and restores the terminal at exit',
	async (_, { env, knows, colours, hasUnicode, hasTitle, clipboard }) => {
		// The program writes past its stream when it gives the terminal back.
		const past = join(temporaryFolder(), 'written');
		const fd = openSync(past, 'a');
		onTestFinished(() => closeSync(fd));
		const system = { env: { LANG: 'C.UTF-8', ...env }, fd };
		const monitor = await openMonitor({ computers: 24, size: [90, 20], system });
		const cursor = hasUnicode ? '❯ atlas' : '> atlas';
		await monitor.see(cursor);
		await monitor.press('j', 'k');
		for (const width of [60, 160, 120]) {
			monitor.resize(width, 20);
			await monitor.see(cursor);
			// The rule above the table goes from edge to edge.
			const rule = hasUnicode ? ' ─' : ' -';
			expect(monitor.lines().some(line => line.length === width && line.endsWith(rule))).toBe(true);
			expectToFit(monitor, '? help');
		}
		await monitor.press('j', 'G', '\x1b[5~', 'g', 'x');
		await monitor.see('Stop atlas?');
		expectToFit(monitor, '');
		await monitor.answer('n');
		await monitor.press('y');
		await monitor.see(clipboard ? 'Copied' : 'no clipboard access');
		if (hasTitle) expect(monitor.effects.titles.at(-1)).toContain('crowsnest');

		await monitor.press('q');
		expect(monitor.device.exits).toEqual([0]);
		const resets = readFileSync(past, 'utf8');
		await new Promise<void>(done => monitor.device.emulator.write(resets, done));
		const received = monitor.device.written() + resets;
		expect(neededCapabilities(received).filter(each => !knows.includes(each))).toEqual([]);
		expect(neededColours(received)).toBe(colours);
		if (!hasUnicode) expect(received).not.toMatch(/[^\x00-\x7f]/);
		expect(/\x1b\][02];/.test(received)).toBe(hasTitle);
		expect(received).toMatch(clipboard ?? /^(?!.*\x1b\])/s);
		const { modes, buffer } = monitor.device.emulator;
		expect(modes).toMatchObject({
			bracketedPasteMode: false,
			sendFocusMode: false,
			mouseTrackingMode: 'none',
			synchronizedOutputMode: false,
			wraparoundMode: true,
		});
		expect(buffer.active.type).toBe('normal');
		expect(received.lastIndexOf('\x1b[?25h')).toBeGreaterThan(received.lastIndexOf('\x1b[?25l'));
		expect(received).toMatch(/^\x1b\[\?[\d;]*1000[\d;]*l.*\x1b\[\?1049h/s);
		// Kitty keeps the modes of its keys on a stack.
		expect(received.split('\x1b[<u')).toHaveLength(received.split('\x1b[>1u').length);
		expect(monitor.effects.titles.at(-1) ?? '').toBe('');
	},
);
