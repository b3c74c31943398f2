import { beforeEach, expect, test } from 'vitest';
import { createFrameHandoff } from '../../source/terminal/frame-handoff.ts';
import { createGrid, type Grid, isSameGrid } from '../../source/terminal/grid.ts';
import { createPainter } from '../../source/terminal/painter.ts';
import { createTerminalScreen, type TerminalScreen } from '../../source/terminal/screen.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { createEmulator } from './emulator.ts';

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
		painter: createPainter(() => ({ canRepeat: true, hasColours: true, hasLinks: true })),
		clock,
		size: () => size,
		send(text, call) {
			sent.push(text);
			taken = call;
		},
		isFrameRateLimited: () => isSparing,
		onFrameTaken: milliseconds => took.push(milliseconds),
	});
	screen.setOpen(true);
});

function gridOf(...rows: string[]): Grid {
	const grid = createGrid(10, 3);
	for (const [y, row] of rows.entries()) {
		for (const [x, glyph] of [...row].entries()) grid.glyphs[y * 10 + x] = glyph;
	}
	return grid;
}

/** What Ink's log-update writes for a frame, with the cursor where `useCursor` asks for it. */
function show(grid: Grid, cursor?: { x: number; y: number }) {
	const place = cursor ? `\u001B[${2 - cursor.y}A\u001B[${cursor.x + 1}G\u001B[?25h` : '';
	screen.stream.write(`\u001B[2K\u001B[1A${frames.textFor(grid)}${place}`);
}

async function shown() {
	const emulator = createEmulator(10, 3);
	await emulator.write(sent.join(''));
	return emulator;
}

test('the stream has the current size of the terminal', () => {
	expect(screen.stream).toMatchObject({ isTTY: true, columns: 10, rows: 3 });
	size = { columns: 20, rows: 5 };
	expect(screen.stream).toMatchObject({ columns: 20, rows: 5 });
});

test('passes on nothing but frames', async () => {
	show(gridOf('one'));
	take();
	const { length } = sent;
	screen.stream.write('\u001B[?2026h');
	screen.stream.write('written by console.log\n');
	screen.stream.write('\u001B[2J\u001B[?1049l\u001B[?2004l');
	expect(sent.length).toBe(length);
	expect((await shown()).text()).toMatch(/^one/);
});

test('only the newest frame waits while the terminal is taking one', async () => {
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

test('reports the newest frame as taken, and not the one that was on its way before', () => {
	let taken = 0;
	const count = () => {
		taken += 1;
	};
	show(gridOf('one'));
	show(gridOf('two'));
	screen.whenFrameTaken(count);
	take();
	expect(taken).toBe(0);
	take();
	expect(taken).toBe(1);
	screen.whenFrameTaken(count);
	expect(taken).toBe(2);
});

test('reports how long the terminal took for a frame', () => {
	show(gridOf('one'));
	clock.move(700);
	take();
	expect(took).toEqual([700]);
});

test('draws one frame a second on a slow terminal, the newest', async () => {
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

test('a clock that is set back neither stops nor hastens the frames of a slow terminal', () => {
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

test('draws the answer to a key at once on a slow terminal, with what waited before it', () => {
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

test('draws a resize at once on a slow terminal, and the frame that Ink lays out for it', () => {
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

test('draws a frame that came while the screen was given back whole when it is taken again', async () => {
	show(gridOf('row 1'));
	take();
	screen.setOpen(false);
	show(gridOf('row 2'));
	expect(sent.length).toBe(1);
	screen.setOpen(true);
	sent = sent.slice(1);
	expect((await shown()).text()).toMatch(/^row 2/);
});

test('draws everything in the new size after a resize, and notifies Ink', () => {
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

test('shows the cursor where Ink places it, and hides it otherwise', async () => {
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

test('does not count a frame as slow that was under way when the screen was given back', () => {
	show(gridOf('one'));
	screen.setOpen(false);
	clock.move(9_000);
	take();
	screen.setOpen(true);
	clock.move(40);
	take();
	expect(took).toEqual([40]);
});
