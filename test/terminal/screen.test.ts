import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Grid, readLine, resizedGrid } from '../../source/terminal/output/cells.ts';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import {
	type Capabilities,
	createPainter,
	type Painter,
} from '../../source/terminal/output/painter.ts';
import { createTerminalScreen, type TerminalScreen } from '../../source/terminal/output/screen.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { styledText } from '../arbitraries/styled-text.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { runs } from '../runs.ts';
import { createEmulator, describedCell, type Emulator } from './emulator.ts';

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

describe('the painter', () => {
	type Size = { columns: number; rows: number };
	type Row = string;
	/** A change of the rows between two frames. */
	type Step =
		| { kind: 'rewrite'; row: number; text: Row }
		| { kind: 'scroll'; top: number; bottom: number; by: number; texts: Row[] }
		| { kind: 'renew'; texts: Row[] }
		| { kind: 'resize'; size: Size }
		| { kind: 'nothing' };

	const size: fc.Arbitrary<Size> = fc.record({
		columns: fc.integer({ min: 2, max: 60 }),
		rows: fc.integer({ min: 1, max: 14 }),
	});
	const text = fc.oneof(
		styledText({ maxLength: 70, hasLines: false }),
		// These rows resemble those of a table: they differ in the middle and end with blanks.
		fc
			.tuple(fc.integer({ min: 0, max: 99 }), fc.constantFrom('32', '7', '1;48;5;236'))
			.map(
				([number, codes]) => `  name-${number}   \u001B[${codes}m● Active\u001B[0m      ${number}%`,
			),
	);
	const texts = fc.array(text, { minLength: 1, maxLength: 14 });
	const row = fc.integer({ min: 0, max: 13 });

	const step: fc.Arbitrary<Step> = fc.oneof(
		{ weight: 4, arbitrary: fc.record({ kind: fc.constant('rewrite'), row, text }) },
		{
			weight: 3,
			arbitrary: fc.record({
				kind: fc.constant('scroll'),
				top: row,
				bottom: row,
				by: fc.integer({ min: -5, max: 5 }),
				texts,
			}),
		},
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant('renew'), texts }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant('resize'), size }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'nothing' }) },
	);

	function gridOf(rows: readonly Row[], { columns, rows: height }: Size): Grid {
		const lines = Array.from({ length: height }, (_, y) => readLine(rows[y % rows.length] ?? ''));
		return resizedGrid({ columns: Number.POSITIVE_INFINITY, lines }, columns, height);
	}

	function after(rows: readonly Row[], step: Step): readonly Row[] {
		if (step.kind === 'renew') return step.texts;
		if (step.kind === 'rewrite') return rows.with(step.row % rows.length, step.text);
		if (step.kind !== 'scroll') return rows;
		const [top, bottom] = [step.top, step.bottom].sort((a, b) => a - b) as [number, number];
		const block = rows.slice(top, bottom);
		const by = Math.min(Math.abs(step.by), block.length);
		const news = step.texts.slice(0, by);
		const moved =
			step.by > 0 ? [...block.slice(by), ...news] : [...news, ...block.slice(0, block.length - by)];
		const next = [...rows.slice(0, top), ...moved, ...rows.slice(bottom)];
		return next.length > 0 ? next : rows;
	}

	/** The modes of the program: the alternate screen, which no terminal reflows, and no wrapping. */
	const screenModes = '\u001B[?1049h\u001B[?7l';

	async function drawnWhole(grid: Grid, dialect: Capabilities): Promise<string[][]> {
		const emulator = createEmulator(grid.columns, grid.lines.length);
		await emulator.write(screenModes + createPainter(() => dialect).paint(grid));
		return emulator.cells();
	}

	async function expectRight(
		emulator: Emulator,
		painter: Painter,
		grid: Grid,
		dialect: Capabilities,
	) {
		await emulator.write(painter.paint(grid));
		const cells = emulator.cells();
		expect(cells).toEqual(await drawnWhole(grid, dialect));
		const expected = cells.map((row, y) =>
			row.map((cell, x) => describedCell(grid, x, y, dialect) ?? cell),
		);
		expect(cells).toEqual(expected);
	}

	const dialect: fc.Arbitrary<Capabilities> = fc.record({
		lacksUnicode: fc.constant(false),
		hasColours: fc.constant(true),
		hasLinks: fc.boolean(),
	});

	test('drawing a frame leaves exactly that frame on a screen with any earlier content', async () => {
		await fc.assert(
			fc.asyncProperty(
				size,
				dialect,
				texts,
				fc.array(step, { minLength: 1, maxLength: 8 }),
				async (firstSize, dialect, firstRows, steps) => {
					const emulator = createEmulator(firstSize.columns, firstSize.rows);
					await emulator.write(screenModes);
					const painter = createPainter(() => dialect);
					let size = firstSize;
					let rows: readonly Row[] = Array.from(
						{ length: 14 },
						(_, index) => firstRows[index % firstRows.length] ?? '',
					);
					await expectRight(emulator, painter, gridOf(rows, size), dialect);
					for (const step of steps) {
						if (step.kind === 'resize') {
							size = step.size;
							emulator.terminal.resize(size.columns, size.rows);
							painter.forgetShownGrid();
						}
						rows = after(rows, step);
						await expectRight(emulator, painter, gridOf(rows, size), dialect);
					}
				},
			),
			runs(12),
		);
	}, 60_000);

	test('a frame without a changed cell writes nothing', () => {
		fc.assert(
			fc.property(texts, size, (rows, size) => {
				const painter = createPainter(() => ({
					hasColours: true,
					hasLinks: true,
					lacksUnicode: false,
				}));
				expect(painter.paint(gridOf(rows, size))).not.toBe('');
				expect(painter.paint(gridOf(rows, size))).toBe('');
			}),
			runs(25),
		);
	});

	test('no control character in a text reaches the terminal', () => {
		const sent = /\u001B(?:\[[\d;:?]*[A-Za-z]|\]8;[^\u0007\u001B]*\u001B\\)|\r\n|\r|\u0008/g;
		fc.assert(
			fc.property(
				fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 5 }),
				size,
				(rows, size) => {
					const painter = createPainter(() => ({
						hasColours: true,
						hasLinks: true,
						lacksUnicode: false,
					}));
					const text = painter.paint(gridOf(rows, size)).replaceAll(sent, '');
					expect(text).not.toMatch(/[\p{Control}]/u);
				},
			),
			runs(30),
		);
	});
});
