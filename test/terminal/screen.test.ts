import { beforeEach, expect, test } from 'vitest';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import { createPainter } from '../../source/terminal/output/painter.ts';
import { createTerminalScreen, type TerminalScreen } from '../../source/terminal/output/screen.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { createEmulator } from './emulator.ts';

let clock: HeldClock;
let sent: string[];
/** Makes the terminal take the text that was sent. */
let take: () => void;
let isSparing: boolean;
let took: number[];
let screen: TerminalScreen;
let size: { columns: number; rows: number };

beforeEach(() => {
	clock = createHeldClock();
	sent = [];
	took = [];
	isSparing = false;
	size = { columns: 10, rows: 3 };
	let taken: (() => void) | undefined;
	take = () => {
		const call = taken;
		taken = undefined;
		call?.();
	};
	screen = createTerminalScreen({
		painter: createPainter(() => ({ hasColours: true, hasLinks: true, lacksUnicode: false })),
		clock,
		size: () => size,
		send(text, call) {
			sent.push(text);
			taken = call;
		},
		isFrameRateLimited: () => isSparing,
		onFrameRead: milliseconds => took.push(milliseconds),
	});
	screen.setOpen(true);
});

/** Draws these rows as Ink does, and writes what Ink's log-update writes for the frame. */
function show(...rows: string[]) {
	const output = InkOutput({ width: 10, height: 3 });
	for (const [y, row] of rows.entries()) output.write(0, y, row, { transformers: [] });
	screen.stream.write(`\u001B[2K\u001B[1A${output.get().output}`);
}

async function shown() {
	const emulator = createEmulator(10, 3);
	await emulator.write(sent.join(''));
	return emulator;
}

test('the screen sends nothing of what Ink writes except frames', async () => {
	show('one');
	take();
	const { length } = sent;
	screen.stream.write('\u001B[?2026h');
	screen.stream.write('written by console.log\n');
	screen.stream.write('\u001B[2J\u001B[?1049l\u001B[?2004l');
	expect(sent.length).toBe(length);
	expect((await shown()).text()).toMatch(/^one/);
});

test('only the newest frame waits while the terminal is reading a frame', async () => {
	show('one');
	expect(sent.length).toBe(1);
	for (let number = 0; number < 1000; number++) show(`n ${number}`);
	expect(sent.length).toBe(1);
	take();
	expect(sent.length).toBe(2);
	expect((await shown()).text()).toMatch(/^n 999/);
	take();
	expect(sent.length).toBe(2);
});

test('a slow terminal gets one frame a second, always the newest', async () => {
	isSparing = true;
	show('one');
	take();
	for (let tick = 0; tick < 35; tick++) {
		show(`tick ${tick}`);
		clock.move(100);
		take();
	}
	expect(sent.length).toBe(4);
	clock.move(1000);
	take();
	expect((await shown()).text()).toMatch(/^tick 34/);
	expect(clock.waiting).toBe(0);
});

test('setting the clock back neither stops nor speeds up the frames of a slow terminal', () => {
	isSparing = true;
	screen.drawNow();
	show('one');
	take();
	clock.jump(-3_600_000);
	show('two');
	take();
	expect(sent.length).toBe(2);
	clock.move(100);
	show('three');
	expect(sent.length).toBe(2);
	clock.move(900);
	expect(sent.length).toBe(3);
});

test('a slow terminal gets the frame after a key at once, including earlier changes', () => {
	isSparing = true;
	show('one');
	take();
	clock.move(10);
	show('two');
	expect(sent.length).toBe(1);
	screen.drawNow();
	expect(sent.length).toBe(2);
	take();
	show('three');
	expect(sent.length).toBe(3);
});

test('a slow terminal gets the frames after a resize at once', () => {
	isSparing = true;
	show('one');
	take();
	clock.move(10);
	size = { columns: 4, rows: 2 };
	screen.resize();
	expect(sent.length).toBe(2);
	take();
	clock.move(10);
	show('two');
	expect(sent.length).toBe(3);
	take();
	clock.move(1000);
	show('three');
	take();
	show('four');
	expect(sent.length).toBe(4);
});

test('a frame that Ink wrote while the screen was given back is drawn whole when the screen is taken again', async () => {
	show('row 1');
	take();
	screen.setOpen(false);
	show('row 2');
	expect(sent.length).toBe(1);
	screen.setOpen(true);
	sent = sent.slice(1);
	expect((await shown()).text()).toMatch(/^row 2/);
});
