import { blankLine, type CellLine, type Grid, isSameLine, overwritten, readLine } from './cells.ts';

type LineTransformer = (text: string, line: number) => string;

type Output = {
	write(x: number, y: number, text: string, options: { transformers: LineTransformer[] }): void;
	clip(): void;
	unclip(): void;
	get(): { output: string; height: number };
};

/** A line that stays is the same object, so that frames are compared in a third of the time. */
const readLines = new Map<string, CellLine>();
const maxKeptLines = 500;

function lineFrom(text: string): CellLine {
	const kept = readLines.get(text);
	if (kept) return kept;
	if (readLines.size >= maxKeptLines) readLines.clear();
	const line = readLine(text);
	readLines.set(text, line);
	return line;
}

// Ink passes nothing of ours to its Output, so the newest frame is kept here under a name that changes with its cells.
let newest: Grid = { columns: 0, lines: [] };
let number = 0;

export const frameWrittenAs = (text: string): Grid | undefined =>
	/frame \d+;/.test(text) ? newest : undefined;

function nameOf(grid: Grid): string {
	const isSame =
		grid.columns === newest.columns &&
		grid.lines.length === newest.lines.length &&
		grid.lines.every((line, y) => isSameLine(newest.lines[y], line));
	if (!isSame) number += 1;
	newest = grid;
	return `frame ${number};`;
}

/** Replaces Ink's Output in the build. Ink calls this function with `new` and gets the returned object. */
export function InkOutput({ width, height }: { width: number; height: number }): Output {
	const lines: CellLine[] = new Array(height).fill(blankLine(width));
	return {
		write(x, y, text, { transformers }) {
			for (const [index, part] of text.split('\n').entries()) {
				const before = lines[y + index];
				if (!before) continue;
				const cells = lineFrom(transformers.reduce((shown, change) => change(shown, index), part));
				// A line that fills the whole width stays the same object from frame to frame.
				const isWhole = x === 0 && cells.length === width;
				lines[y + index] = isWhole ? cells : overwritten(before, x, cells);
			}
		},
		// No view of this program clips.
		clip() {},
		unclip() {},
		get: () => ({ output: nameOf({ columns: width, lines }), height }),
	};
}
