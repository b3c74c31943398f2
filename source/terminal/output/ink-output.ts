import {
	blankLine,
	type Cell,
	type CellLine,
	type Grid,
	isSameLine,
	readLine,
	writeOver,
} from './cells.ts';

type LineTransformer = (text: string, line: number) => string;

type Output = {
	write(x: number, y: number, text: string, options: { transformers: LineTransformer[] }): void;
	clip(): void;
	unclip(): void;
	get(): { output: string; height: number };
};

/** The lines that were read last. Most lines of a frame are those of the frame before. */
const maxKeptLines = 500;
let recent = new Map<string, CellLine>();
let older = new Map<string, CellLine>();

function keptLine(text: string): CellLine {
	let line = recent.get(text);
	if (line) return line;
	line = older.get(text) ?? readLine(text);
	if (recent.size >= maxKeptLines) {
		older = recent;
		recent = new Map();
	}
	recent.set(text, line);
	return line;
}

// Ink creates an Output for every frame, passes nothing of ours to it, and writes its text where that has changed. So the
// newest frame is kept here, and its text is a name that changes with its cells.
let newest: Grid = { columns: 0, lines: [] };
let number = 0;

const frameName = /frame \d+;/;

export const frameWrittenAs = (text: string): Grid | undefined =>
	frameName.test(text) ? newest : undefined;

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
				const shown = transformers.reduce((current, transform) => transform(current, index), part);
				const cells = keptLine(shown);
				// A line that fills the whole width stays the same object from frame to frame.
				if (x === 0 && cells.length === width) lines[y + index] = cells;
				else {
					const line: Cell[] = [...before];
					writeOver(line, x, cells);
					lines[y + index] = line;
				}
			}
		},
		// No view of this program clips.
		clip() {},
		unclip() {},
		get: () => ({ output: nameOf({ columns: width, lines }), height }),
	};
}
