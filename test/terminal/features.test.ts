import { expect, test } from 'vitest';
import { environmentFrom, reasonForNoScreen } from '../../source/terminal/features/environment.ts';
import {
	canRestoreTitle,
	cleanForTerminal,
	clipboardSequence,
	notificationSequence,
	titleSequence,
} from '../../source/terminal/features/escape-sequences.ts';
import {
	disableModesSequence,
	enableModesSequence,
	modesFor,
} from '../../source/terminal/features/modes.ts';
import { createPendingReplies } from '../../source/terminal/features/queries.ts';
import { createSlownessDetector } from '../../source/terminal/features/terminal-state.ts';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import { createTerminal } from '../../source/terminal/terminal.ts';
import { createDevice, type DeviceOptions } from '../driver/device.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { createHeldClock } from '../held-clock.ts';
import { recordDirectWrites } from './direct-writes.ts';
import { terminals } from './matrix-facts.ts';
import { neededCapabilities, neededColours } from './matrix-sequences.ts';

test.each([
	[{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 24],
	[{ TERM: 'xterm-direct' }, 24],
	[{ TERM: 'tmux-256color' }, 8],
	[{ TERM: 'xterm' }, 4],
	[{ TERM: 'linux' }, 4],
	[{ TERM: 'vt100' }, 0],
	[{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 0],
	[{ TERM: 'xterm-256color', NO_COLOR: '' }, 8],
] as const)('the environment %o promises %i bits of colour', (env, colours) => {
	expect(environmentFrom(env).colourBits).toBe(colours);
});

test.each([
	[{ TERM: 'xterm' }, true],
	[{ TERM: 'xterm', LANG: 'de_DE.UTF-8' }, true],
	[{ TERM: 'xterm', LANG: 'de_DE.utf8', LC_ALL: 'C' }, false],
	[{ TERM: 'xterm', LANG: 'POSIX' }, false],
	[{ TERM: 'linux', LANG: 'en_US.UTF-8' }, false],
	[{ TERM: 'vt220', LANG: 'en_US.UTF-8' }, false],
] as const)('the answer to whether the environment %o allows Unicode is %s', (env, hasUnicode) => {
	expect(environmentFrom(env).hasUnicode).toBe(hasUnicode);
});

test.each([
	['15;0', 'dark'],
	['0;default;15', 'light'],
	['0;7', 'light'],
	['default', undefined],
] as const)('the variable `COLORFGBG=%s` sets the background to “%s”', (COLORFGBG, background) => {
	expect(environmentFrom({ TERM: 'rxvt', COLORFGBG }).background).toBe(background);
});

test('the preferences of the person override the properties that were detected', () => {
	const env = { TERM: 'xterm-256color', COLORFGBG: '15;0', LANG: 'C.UTF-8' };
	const looks = { background: 'light', hasUnicode: false, hasColours: false } as const;
	expect(environmentFrom(env, looks)).toMatchObject({
		background: 'light',
		hasUnicode: false,
		colourBits: 0,
	});
	expect(environmentFrom({ TERM: 'linux' }, { hasUnicode: true }).hasUnicode).toBe(true);
	expect(environmentFrom({ ...env, NO_COLOR: '1' }, { hasColours: true }).colourBits).toBe(0);
});

test('in nested multiplexers the program detects the innermost one', () => {
	expect(environmentFrom({ TERM: 'screen-256color', TMUX: 'x' }).multiplexer).toBe('tmux');
	expect(environmentFrom({ TERM: 'screen-256color', STY: 'x' }).multiplexer).toBe('screen');
	expect(environmentFrom({ TERM: 'screen' }).multiplexer).toBe('screen');
	expect(environmentFrom({ TERM: 'xterm' }).multiplexer).toBeUndefined();
});

test('the screen is refused with a reason where the input or output is no terminal, or where `TERM` is `dumb` or not set', () => {
	const tty = { isTTY: true };
	expect(reasonForNoScreen({ TERM: 'xterm' }, tty, tty)).toBeUndefined();
	expect(reasonForNoScreen({ TERM: 'xterm' }, tty, {})).toContain('output');
	expect(reasonForNoScreen({ TERM: 'xterm' }, {}, tty)).toContain('input');
	expect(reasonForNoScreen({ TERM: 'dumb' }, tty, tty)).toContain('dumb');
	expect(reasonForNoScreen({}, tty, tty)).toContain('dumb');
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
	['kitty(0.39.1)', '\u001B]99;;draco failed\u0007\u0007'],
	['foot(1.16)', '\u001B]777;notify;crowsnest;draco failed\u0007\u0007'],
	['VTE(7600)', '\u001B]777;notify;crowsnest;draco failed\u0007\u0007'],
	['WezTerm 2024', '\u001B]9;draco failed\u0007\u0007'],
	['xterm-256color', '\u001B]9;draco failed\u0007\u0007'],
])(
	'a notification on the terminal “%s” uses the sequence of that terminal and the bell',
	(name, sequence) => {
		expect(notificationSequence('draco failed', name, xterm)).toBe(sequence);
	},
);

test('a notification text that begins with a number is not read as another terminal command', () => {
	expect(notificationSequence('4;1;50', 'iTerm2 3.5', xterm)).toBe(
		'\u001B]9;crowsnest: 4;1;50\u0007\u0007',
	);
});

test('a notification inside tmux is wrapped with doubled escapes', () => {
	expect(notificationSequence('failed', 'iTerm2', tmux)).toBe(
		'\u001BPtmux;\u001B\u001B]9;failed\u0007\u001B\\\u0007',
	);
});

test('a notification only rings the bell on a terminal without notifications', () => {
	expect(notificationSequence('failed', 'linux', linux)).toBe('\u0007');
});

test('copied text is sent twice inside tmux, in short pieces inside GNU screen, and never on the Linux console', () => {
	const content = Buffer.from('sb_atlas01').toString('base64');
	const plain = `\u001B]52;c;${content}\u0007`;
	expect(clipboardSequence('sb_atlas01', xterm)).toBe(plain);
	expect(clipboardSequence('sb_atlas01', tmux)).toBe(`${plain}\u001BPtmux;\u001B${plain}\u001B\\`);
	expect(clipboardSequence('sb_atlas01', linux)).toBe('');

	const long = clipboardSequence('x'.repeat(1000), screen);
	const pieces = [...long.matchAll(/\u001BP([^\u001B]*(?:\u001B\][^\u001B]*)?)\u001B\\/g)];
	expect(pieces.map(([, piece]) => piece).join('')).toBe(
		clipboardSequence('x'.repeat(1000), xterm),
	);
	expect(Math.max(...pieces.map(([piece]) => piece.length))).toBeLessThan(256);
});

test('text longer than a terminal accepts is not copied', () => {
	expect(clipboardSequence('x'.repeat(100_000), xterm)).toBe('');
});

test('the title is set only on terminals that can restore the previous title', () => {
	expect([xterm, tmux, screen, linux].map(canRestoreTitle)).toEqual([true, true, false, false]);
});

test('the screen switches off the modes of other programs before it enables its own', () => {
	const set = enableModesSequence(modesFor(environmentFrom({ TERM: 'xterm' }), true));
	const switchedOff = set.slice(0, set.indexOf('\x1b[?1049h'));
	for (const mode of [9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016])
		expect(switchedOff).toMatch(new RegExp(`\\x1b\\[\\?([\\d;]*;)?${mode}(;[\\d;]*)?l`));
	expect(set.indexOf('\x1b[>4m')).toBeLessThan(set.indexOf('\x1b[m'));
	expect(set.indexOf('\x1b[>0u')).toBeGreaterThan(set.indexOf('\x1b[?1049h'));
	expect(set).toMatch(/\x1b\[\?1000h\x1b\[\?1006h$/);
});

test('the screen does not switch the modes of other programs on again at exit', () => {
	const reset = disableModesSequence(modesFor(environmentFrom({ TERM: 'xterm' }), false));
	expect(reset).not.toMatch(/1;9;|\?1000|\?1h|>4/);
});

/** Ends the program, which waits for the replies of the terminal to its queries. */
function openEnd({ asks = 0, answered = 0 }) {
	const clock = createHeldClock();
	const replies = createPendingReplies(clock);
	for (let count = 0; count < asks; count += 1) replies.begin();
	for (let count = 0; count < answered; count += 1) replies.end();
	let isDone = false;
	void replies.done().then(() => {
		isDone = true;
	});
	async function isOver() {
		await new Promise(setImmediate);
		return isDone;
	}
	return { clock, replies, isOver };
}

test('the program does not wait at exit when no query was sent or the terminal has replied', async () => {
	expect(await openEnd({}).isOver()).toBe(true);
	const { clock, isOver } = openEnd({ asks: 1, answered: 1 });
	expect(await isOver()).toBe(true);
	expect(clock.waiting).toBe(0);
});

test('the wait at exit ends as soon as the last reply arrives', async () => {
	const { replies, isOver } = openEnd({ asks: 1 });
	expect(await isOver()).toBe(false);
	replies.end();
	expect(await isOver()).toBe(true);
});

test('the program waits 150 ms at exit for a terminal that does not reply', async () => {
	const { clock, isOver } = openEnd({ asks: 1 });
	clock.move(149);
	expect(await isOver()).toBe(false);
	clock.move(1);
	expect(await isOver()).toBe(true);
});

test('replies are expected for at most three seconds after the queries', () => {
	const clock = createHeldClock();
	const replies = createPendingReplies(clock);
	replies.begin();
	clock.move(2_999);
	expect(replies.arePending()).toBe(true);
	clock.move(1);
	expect(replies.arePending()).toBe(false);
});

function openSlowness() {
	const clock = createHeldClock();
	const said: boolean[] = [];
	return { clock, said, tookFrame: createSlownessDetector(clock, isSlow => said.push(isSlow)) };
}

test('a terminal that takes half a second for a frame counts as slow until it has read all frames quickly for a minute', () => {
	const { clock, said, tookFrame } = openSlowness();
	tookFrame(499);
	expect(said).toEqual([]);
	tookFrame(500);
	expect(said).toEqual([true]);
	clock.move(59_000);
	tookFrame(900);
	clock.move(59_999);
	tookFrame(10);
	expect(said).toEqual([true, true]);
	clock.move(1);
	expect(said).toEqual([true, true, false]);
	expect(clock.waiting).toBe(0);
});

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

// At the last of these widths, there is no room for the details beside the table.
const widths = [60, 160, 120];

const unchanged = {
	bracketedPasteMode: false,
	sendFocusMode: false,
	mouseTrackingMode: 'none',
	synchronizedOutputMode: false,
	wraparoundMode: true,
};

/** Expects that each row is in its place: no line has wrapped, and no line has scrolled away. */
function expectToFit({ device, lines }: Monitor, last: string) {
	expect(lines()[0]).toContain('Fleet');
	expect(lines().at(-1)).toContain(last);
	const { active } = device.emulator.buffer;
	for (let y = 0; y < device.emulator.rows; y += 1) {
		expect(active.getLine(active.baseY + y)?.isWrapped).toBe(false);
	}
}

test.each(Object.entries(terminals))(
	'on the terminal “%s”, the monitor sends only sequences that the terminal knows, and restores the terminal at exit',
	async (_, facts) => {
		const past = recordDirectWrites();
		const { env, knows, colours, hasUnicode, hasTitle, clipboard } = facts;
		const monitor = await openMonitor({
			computers: 24,
			size: [90, 20],
			system: { env: { LANG: 'C.UTF-8', ...env }, fd: past.fd },
		});
		const cursor = hasUnicode ? '❯ atlas' : '> atlas';
		const rule = hasUnicode ? ' ─' : ' -';
		await monitor.see(cursor);
		await monitor.press('j', 'k');
		for (const width of widths) {
			monitor.resize(width, 20);
			await monitor.see(cursor);
			// The rule above the table goes from edge to edge.
			expect(monitor.lines().some(line => line.length === width && line.endsWith(rule))).toBe(true);
			expectToFit(monitor, '? help');
		}
		await monitor.press('j', 'G', '\x1b[5~', 'g', 'enter');
		await monitor.see('198.18.0.1');
		await monitor.press('escape');
		await monitor.seeNo('198.18.0.1');
		await monitor.press('x');
		await monitor.see('Stop atlas?');
		expectToFit(monitor, '');
		await monitor.answer('n');
		await monitor.seeNo('Stop atlas?');
		await monitor.press('y');
		await monitor.see(clipboard ? 'Copied' : 'no clipboard access');
		if (hasTitle) expect(monitor.effects.titles.at(-1)).toContain('crowsnest');

		await monitor.press('q');
		expect(monitor.device.exits).toEqual([0]);
		const resets = past.text();
		await new Promise<void>(done => monitor.device.emulator.write(resets, done));
		const received = monitor.device.written() + resets;
		expect(
			[...neededCapabilities(received)].filter(each => !knows.some(known => known === each)),
		).toEqual([]);
		expect(neededColours(received)).toBe(colours);
		if (!hasUnicode) expect(received).not.toMatch(/[^\x00-\x7f]/);
		expect(/\x1b\][02];/.test(received)).toBe(hasTitle);
		if (clipboard) expect(received).toMatch(clipboard);
		else expect(received).not.toContain('\x1b]');
		const { modes, buffer } = monitor.device.emulator;
		expect(modes).toMatchObject(unchanged);
		expect(buffer.active.type).toBe('normal');
		expect(received.lastIndexOf('\x1b[?25h')).toBeGreaterThan(received.lastIndexOf('\x1b[?25l'));
		expect(monitor.effects.titles.at(-1) ?? '').toBe('');
	},
);
