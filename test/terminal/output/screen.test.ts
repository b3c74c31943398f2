import { beforeEach, expect, test } from 'vitest';
import { createFrameHandoff } from '../../../source/terminal/output/frame-handoff.ts';
import { type Grid, isSameGrid } from '../../../source/terminal/output/grid.ts';
import { createPainter } from '../../../source/terminal/output/painter.ts';
import {
	createTerminalScreen,
	type TerminalScreen,
} from '../../../source/terminal/output/screen.ts';
import { lineFrom } from '../../frame-text.ts';
import { createHeldClock, type HeldClock } from '../../held-clock.ts';
import { createEmulator } from '../emulator.ts';

const frames = createFrameHandoff(isSameGrid);
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
		frames,
		painter: createPainter(() => ({ canRepeatCharacters: true, hasColours: true, hasLinks: true })),
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

function gridOf(...rows: string[]): Grid {
	const lines = Array.from({ length: 3 }, (_, y) => lineFrom([...(rows[y] ?? '').padEnd(10)]));
	return { columns: 10, lines };
}

/** Returns the output of Ink's log-update for a frame, with the cursor where `useCursor` puts it. */
function show(grid: Grid, cursor?: { x: number; y: number }) {
	const place = cursor ? `\u001B[${2 - cursor.y}A\u001B[${cursor.x + 1}G\u001B[?25h` : '';
	screen.stream.write(`\u001B[2K\u001B[1A${frames.nameOf(grid)}${place}`);
}

async function shown() {
	const emulator = createEmulator(10, 3);
	await emulator.write(sent.join(''));
	return emulator;
}

test('the stream that Ink writes to has the current size of the terminal', () => {
	expect(screen.stream).toMatchObject({ isTTY: true, columns: 10, rows: 3 });
	size = { columns: 20, rows: 5 };
	expect(screen.stream).toMatchObject({ columns: 20, rows: 5 });
});

test('the screen sends nothing of what Ink writes except frames', async () => {
	show(gridOf('one'));
	take();
	const { length } = sent;
	screen.stream.write('\u001B[?2026h');
	screen.stream.write('written by console.log\n');
	screen.stream.write('\u001B[2J\u001B[?1049l\u001B[?2004l');
	expect(sent.length).toBe(length);
	expect((await shown()).text()).toMatch(/^one/);
});

test('only the newest frame waits while the terminal is reading a frame', async () => {
	show(gridOf('one'));
	expect(sent.length).toBe(1);
	for (let number = 0; number < 1000; number++) show(gridOf(`n ${number}`));
	expect(sent.length).toBe(1);
	take();
	expect(sent.length).toBe(2);
	expect((await shown()).text()).toMatch(/^n 999/);
	take();
	expect(sent.length).toBe(2);
});

test('`whenFrameShown` waits for the newest frame and not for an earlier one that is still being sent', () => {
	let taken = 0;
	const count = () => {
		taken += 1;
	};
	show(gridOf('one'));
	show(gridOf('two'));
	screen.whenFrameShown(count);
	take();
	expect(taken).toBe(0);
	take();
	expect(taken).toBe(1);
	screen.whenFrameShown(count);
	expect(taken).toBe(2);
});

test('the screen reports how long the terminal took to read a frame', () => {
	show(gridOf('one'));
	clock.move(700);
	take();
	expect(took).toEqual([700]);
});

test('a slow terminal gets one frame a second, always the newest', async () => {
	isSparing = true;
	show(gridOf('one'));
	take();
	for (let tick = 0; tick < 35; tick++) {
		show(gridOf(`tick ${tick}`));
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
	show(gridOf('one'));
	take();
	clock.jump(-3_600_000);
	show(gridOf('two'));
	take();
	expect(sent.length).toBe(2);
	clock.move(100);
	show(gridOf('three'));
	expect(sent.length).toBe(2);
	clock.move(900);
	expect(sent.length).toBe(3);
});

test('a slow terminal gets the frame after a key at once, including earlier changes', () => {
	isSparing = true;
	show(gridOf('one'));
	take();
	clock.move(10);
	show(gridOf('two'));
	expect(sent.length).toBe(1);
	screen.drawNow();
	expect(sent.length).toBe(2);
	take();
	show(gridOf('three'));
	expect(sent.length).toBe(3);
});

test('a slow terminal gets the frames after a resize at once', () => {
	isSparing = true;
	show(gridOf('one'));
	take();
	clock.move(10);
	size = { columns: 4, rows: 2 };
	screen.resize();
	expect(sent.length).toBe(2);
	take();
	clock.move(10);
	show(gridOf('two'));
	expect(sent.length).toBe(3);
	take();
	clock.move(1000);
	show(gridOf('three'));
	take();
	show(gridOf('four'));
	expect(sent.length).toBe(4);
});

test('a frame that Ink wrote while the screen was given back is drawn whole when the screen is taken again', async () => {
	show(gridOf('row 1'));
	take();
	screen.setOpen(false);
	show(gridOf('row 2'));
	expect(sent.length).toBe(1);
	screen.setOpen(true);
	sent = sent.slice(1);
	expect((await shown()).text()).toMatch(/^row 2/);
});

test('after a resize the whole screen is drawn in the new size, and Ink is notified', () => {
	show(gridOf('one', '', 'three'));
	take();
	let resized = 0;
	screen.stream.on('resize', () => {
		resized += 1;
	});
	size = { columns: 4, rows: 2 };
	screen.resize();
	expect(resized).toBe(1);
	expect(sent.at(-1)).toContain('\u001B[Jone');
	expect(sent.at(-1)).not.toContain('three');
});

test('the cursor is shown where Ink places it, and hidden otherwise', async () => {
	show(gridOf('name: atl', 'two'), { x: 9, y: 0 });
	take();
	let emulator = await shown();
	expect(emulator.terminal.buffer.active).toMatchObject({ cursorX: 9, cursorY: 0 });
	expect(sent.at(-1)).toContain('\u001B[?25h');

	// Ink's sequence for a cursor that moves while the frame stays.
	screen.stream.write('\u001B[?25l\u001B[2B\u001B[1G\u001B[1A\u001B[3G\u001B[?25h');
	take();
	emulator = await shown();
	expect(emulator.terminal.buffer.active).toMatchObject({ cursorX: 2, cursorY: 1 });

	show(gridOf('name: atla', 'two'));
	take();
	expect(sent.at(-1)).toContain('\u001B[?25l');
});

test('the time of a frame is not reported when the screen was given back during the frame', () => {
	show(gridOf('one'));
	screen.setOpen(false);
	clock.move(9_000);
	take();
	screen.setOpen(true);
	clock.move(40);
	take();
	expect(took).toEqual([40]);
});
