import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Grid, readLine, resizedGrid } from '../../source/terminal/output/cells.ts';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import { createPainter } from '../../source/terminal/output/painter.ts';
import { createTerminalScreen } from '../../source/terminal/output/screen.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { styledText } from '../arbitraries/styled-text.ts';
import { linesOf } from '../driver/device.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { runs } from '../runs.ts';

const openPainter = () => createPainter(() => ({ hasLinks: true, hasUnicode: true }));

/** A real terminal emulator whose cells can be read. */
function createEmulator(columns: number, rows: number) {
	const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });

	return {
		resize: (columns: number, rows: number) => terminal.resize(columns, rows),
		write: (text: string) => new Promise<void>(resolve => terminal.write(text, resolve)),
		/** Each cell as a text: its glyph and style. Of a blank, colour and weight cannot be seen. */
		cells(): string[][] {
			const { active } = terminal.buffer;
			return Array.from({ length: terminal.rows }, (_, y) =>
				Array.from({ length: terminal.cols }, (_, x) => {
					const cell = active.getLine(active.baseY + y)?.getCell(x);
					if (!cell) return 'none';
					const glyph = cell.getChars() || (cell.getWidth() === 0 ? '' : ' ');
					const lines = [cell.isUnderline(), cell.isInverse(), cell.isStrikethrough()];
					const letters = [cell.isBold(), cell.isDim(), cell.isItalic()];
					const colour = `${cell.getFgColorMode()}:${cell.getFgColor()}`;
					const background = `${cell.getBgColorMode()}:${cell.getBgColor()}`;
					const isBare = glyph === ' ' && !lines.some(Boolean);
					return [glyph, background, ...(isBare ? [] : [colour, ...lines, ...letters])].join(' ');
				}),
			);
		},
		text: () => linesOf(terminal).join('\n'),
	};
}

describe('the screen', () => {
	let clock: HeldClock;
	let sent: string[];
	/** Makes the terminal take the text that was sent. */
	let take: () => void;
	let isSlow: boolean;
	let screen: ReturnType<typeof createTerminalScreen>;
	let size: { columns: number; rows: number };

	beforeEach(() => {
		clock = createHeldClock();
		sent = [];
		isSlow = false;
		size = { columns: 10, rows: 3 };
		take = () => {};
		screen = createTerminalScreen({
			painter: openPainter(),
			clock,
			size: () => size,
			send(text, onTaken) {
				sent.push(text);
				take = () => {
					take = () => {};
					onTaken();
				};
			},
			isFrameRateLimited: () => isSlow,
			onFrameRead() {},
		});
		screen.setOpen(true);
	});

	/** Draws a row as Ink does, and writes what Ink's log-update writes for the frame. */
	function show(row: string) {
		const output = InkOutput({ width: 10, height: 3 });
		output.write(0, 0, row, { transformers: [] });
		screen.stream.write(`\u001B[2K\u001B[1A${output.get().output}`);
	}

	async function shown() {
		const emulator = createEmulator(10, 3);
		await emulator.write(sent.join(''));
		return emulator.text();
	}

	test('sends nothing of what Ink writes except frames', async () => {
		show('one');
		take();
		for (const text of ['\u001B[?2026h', 'printed\n', '\u001B[2J\u001B[?1049l'])
			screen.stream.write(text);
		expect(sent).toHaveLength(1);
		expect(await shown()).toMatch(/^one/);
	});

	test('keeps only the newest frame while the terminal is reading one, and tells when it was read', async () => {
		const told: string[] = [];
		show('one');
		for (let number = 0; number < 1000; number++) show(`n ${number}`);
		screen.whenFrameShown(() => told.push('newest'));
		expect(sent).toHaveLength(1);
		take();
		expect(sent).toHaveLength(2);
		expect(told).toEqual([]);
		take();
		expect(told).toEqual(['newest']);
		screen.whenFrameShown(() => told.push('at once'));
		expect(told).toEqual(['newest', 'at once']);
		expect(await shown()).toMatch(/^n 999/);
	});

	test('sends a slow terminal the newest frame each second, whatever the clock on the wall does', async () => {
		isSlow = true;
		clock.move(1000);
		show('one');
		take();
		clock.jump(-3_600_000);
		for (let tick = 0; tick < 35; tick++) {
			show(`tick ${tick}`);
			clock.move(100);
			take();
		}
		expect(sent).toHaveLength(4);
		clock.move(1000);
		take();
		expect(await shown()).toMatch(/^tick 34/);
		expect(clock.waiting).toBe(0);
	});

	test.each([
		['a key', () => screen.drawNow()],
		['a resize', () => screen.resize()],
	])('sends a slow terminal the frames after %s at once, with earlier changes', (_, act) => {
		isSlow = true;
		clock.move(1000);
		show('one');
		take();
		show('two');
		expect(sent).toHaveLength(1);
		act();
		expect(sent).toHaveLength(2);
		take();
		show('three');
		expect(sent).toHaveLength(3);
		take();
		clock.move(600);
		show('four');
		expect(sent).toHaveLength(3);
	});

	test('draws the newest frame whole when the screen is taken again', async () => {
		show('row 1');
		take();
		screen.setOpen(false);
		show('row 2');
		expect(sent).toHaveLength(1);
		screen.setOpen(true);
		sent = sent.slice(1);
		expect(await shown()).toMatch(/^row 2/);
	});
});

describe('the painter', () => {
	type Size = { columns: number; rows: number };
	type Rows = readonly string[];

	const anySize: fc.Arbitrary<Size> = fc.record({
		columns: fc.integer({ min: 2, max: 60 }),
		rows: fc.integer({ min: 1, max: 14 }),
	});
	// These rows resemble those of a table: they differ in the middle and end with blanks.
	const tableRow = fc
		.tuple(fc.integer({ min: 0, max: 99 }), fc.constantFrom('32', '7', '1;48;5;236'))
		.map(
			([number, codes]) => `  name-${number}   \u001B[${codes}m● Active\u001B[0m      ${number}%`,
		);
	const row = fc.oneof(styledText({ maxLength: 70, hasLines: false }), tableRow);
	const change = fc.record({
		top: fc.integer({ min: 0, max: 13 }),
		by: fc.integer({ min: 0, max: 19 }),
		row,
		size: fc.option(anySize, { freq: 4 }),
	});

	/** The rows from `top` on have moved, and the first of them is another one. */
	const changed = (rows: Rows, { top, by, row }: { top: number; by: number; row: string }) =>
		rows.map((each, y) => (y < top ? each : (rows[(y + by) % rows.length] ?? ''))).with(top, row);

	function gridOf(rows: Rows, { columns, rows: height }: Size): Grid {
		const lines = Array.from({ length: height }, (_, y) => readLine(rows[y % rows.length] ?? ''));
		return resizedGrid({ columns: Number.POSITIVE_INFINITY, lines }, columns, height);
	}

	/** The alternate screen, which no terminal reflows, and no wrapping. */
	const screenModes = '\u001B[?1049h\u001B[?7l';

	async function cellsAfter({ columns, rows }: Size, text: string) {
		const emulator = createEmulator(columns, rows);
		await emulator.write(screenModes + text);
		return emulator.cells();
	}

	test('leaves exactly the newest frame on the screen, whatever was there before', async () => {
		const pool = fc.array(row, { minLength: 14, maxLength: 20 });
		const changes = fc.array(change, { minLength: 1, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(anySize, pool, changes, async (first, pool, changes) => {
				const emulator = createEmulator(first.columns, first.rows);
				await emulator.write(screenModes);
				const painter = openPainter();
				let [size, rows]: [Size, Rows] = [first, pool];
				for (const each of [undefined, ...changes]) {
					if (each?.size) {
						size = each.size;
						emulator.resize(size.columns, size.rows);
						painter.forgetShownGrid();
					}
					if (each) rows = changed(rows, each);
					const grid = gridOf(rows, size);
					await emulator.write(painter.paint(grid));
					expect(emulator.cells()).toEqual(await cellsAfter(size, openPainter().paint(grid)));
					expect(painter.paint(grid)).toBe('');
				}
			}),
			runs(15),
		);
	}, 60_000);

	test('draws what a terminal shows of the same text, colours, attributes and links', async () => {
		const fitting = styledText({ maxLength: 25, hasLines: false });
		// The package that measures and terminals disagree on these.
		const isPlain = (text: string) =>
			!/\u00AD|\u200B|\u200D|\u20E3|\uFE0F|[\u{1D49C}-\u{1F9FF}]/u.test(text);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fitting.filter(isPlain), { minLength: 1, maxLength: 5 }),
				async rows => {
					const size = { columns: 90, rows: rows.length };
					const raw = rows.map((text, y) => `\u001B[m\u001B]8;;\u0007\u001B[${y + 1};1H${text}`);
					expect(await cellsAfter(size, openPainter().paint(gridOf(rows, size)))).toEqual(
						await cellsAfter(size, raw.join('')),
					);
				},
			),
			runs(40),
		);
	});

	test('moves the rows of a page that scrolls in place of writing them again', () => {
		const size = { columns: 60, rows: 20 };
		const rows = Array.from({ length: 40 }, (_, at) => `row ${at} ${'x'.repeat(40)}`);
		const painter = openPainter();
		painter.paint(gridOf(rows, size));
		expect(painter.paint(gridOf(rows.slice(5), size)).length).toBeLessThan(400);
	});

	test('lets no control character of a text reach the terminal', () => {
		const ours = /\u001B(?:\[[\d;:?]*[A-Za-z]|\]8;[^\u0007\u001B]*\u001B\\)/g;
		const anyRows = fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 5 });
		fc.assert(
			fc.property(anyRows, anySize, (rows, size) => {
				const text = openPainter().paint(gridOf(rows, size)).replaceAll(ours, '');
				expect(text).not.toMatch(/[\p{Control}]/u);
			}),
			runs(30),
		);
	});
});
