import { expect, test } from 'vitest';
import type { CellLine } from '../../../source/terminal/output/cells.ts';
import { createFrameHandoff } from '../../../source/terminal/output/frame-handoff.ts';
import { createBlankLine, isSameGrid } from '../../../source/terminal/output/grid.ts';
import { InkOutput } from '../../../source/terminal/output/ink-output.ts';
import { createPainter } from '../../../source/terminal/output/painter.ts';
import { glyphsOf, gridFrom, lineFrom } from '../../frame-text.ts';

const columns = 20;
const rows = 40;
const capabilities = { canRepeatCharacters: true, hasColours: true, hasLinks: true };

/** Creates lines that count how often one of them is read. */
function createCountedLines() {
	let reads = 0;
	const lineOf = (text: string): CellLine => {
		const { cells, rareCells } = lineFrom([...text.padEnd(columns)]);
		return {
			get cells() {
				reads += 1;
				return cells;
			},
			rareCells,
		};
	};
	const readsOf = (work: () => void) => {
		reads = 0;
		work();
		return reads;
	};
	return { lineOf, readsOf };
}

test('the painter reads no line that the terminal already shows', () => {
	const { lineOf, readsOf } = createCountedLines();
	const lines = Array.from({ length: rows }, (_, y) => lineOf(`row ${y}`));
	const painter = createPainter(() => capabilities);
	painter.paint({ columns, lines }, undefined);
	const next = { columns, lines: lines.with(3, { ...createBlankLine(columns) }) };
	const readsOfShown = readsOf(() => expect(painter.paint(next, undefined)).not.toBe(''));
	// All lines except the changed one are shared. The cells of the changed line are read, but not the cells of the
	// 39 others.
	const one = createPainter(() => capabilities);
	one.paint({ columns, lines: lines.slice(3, 4) }, undefined);
	const readsOfOne = readsOf(() =>
		one.paint({ columns, lines: next.lines.slice(3, 4) }, undefined),
	);
	expect(readsOfShown).toBe(readsOfOne);
});

test('two frames with the same lines are compared without reading a cell', () => {
	const { lineOf, readsOf } = createCountedLines();
	const lines = Array.from({ length: rows }, (_, y) => lineOf(`row ${y}`));
	const frames = createFrameHandoff(isSameGrid);
	const name = frames.nameOf({ columns, lines });
	expect(readsOf(() => expect(frames.nameOf({ columns, lines: [...lines] })).toBe(name))).toBe(0);
});

/** Returns the lines of a frame of Ink that has a text on every row, and another text over row 5. */
function framed(textOf: (y: number) => string, overlay: string): readonly CellLine[] {
	const output = InkOutput({ width: columns, height: rows });
	const write = (x: number, y: number, text: string) =>
		output.write(x, y, text, { transformers: [] });
	for (let y = 0; y < rows; y++) write(0, y, textOf(y));
	write(4, 5, overlay);
	const grid = gridFrom(output.get().output);
	if (!grid) throw new Error('The frame was lost.');
	return grid.lines;
}

test('a frame composes only the lines whose texts have changed', () => {
	const before = framed(y => `computer-${y}`, 'over');
	const after = framed(y => (y === 7 ? 'another' : `computer-${y}`), 'over');
	const composed = after.filter(line => !before.includes(line));
	expect(composed.map(line => glyphsOf(line).join('').trim())).toEqual(['another']);
	const covered = framed(y => (y === 7 ? 'another' : `computer-${y}`), 'more');
	expect(covered.filter(line => !after.includes(line)).length).toBe(1);
});
