import { createFrameHandoff, type FrameHandoff } from './frame-handoff.ts';
import { createGrid, type Grid, isSameGrid } from './grid.ts';
import { type CellLine, createTextReader, textOfLine } from './text-cells.ts';

type Transformer = (text: string, line: number) => string;

type Clip = {
	x1: number | undefined;
	x2: number | undefined;
	y1: number | undefined;
	y2: number | undefined;
};

/** The part of Ink's `build/output.js` that its renderer uses. */
export type Output = {
	write(x: number, y: number, text: string, options: { transformers: Transformer[] }): void;
	clip(clip: Clip): void;
	unclip(): void;
	get(): { output: string; height: number };
};

/**
 * Replaces Ink's Output, which creates an object for every cell and parses every text in every frame. This
 * one keeps parsed texts from frame to frame.
 */
export function createOutputs(frames: FrameHandoff) {
	const linesOf = createTextCache(createTextReader());
	const texts = new WeakMap<CellLine, string>();

	function textOf(line: CellLine): string {
		let text = texts.get(line);
		if (text === undefined) {
			text = textOfLine(line);
			texts.set(line, text);
		}
		return text;
	}

	/** Ink passes a transformer with every text; most of them change nothing. */
	function transformed(line: CellLine, transformers: Transformer[], index: number): CellLine {
		if (transformers.length === 0) return line;
		const text = textOf(line);
		const result = transformers.reduce((so, transform) => transform(so, index), text);
		return result === text ? line : (linesOf(result)[0] ?? line);
	}

	return ({ width, height }: { width: number; height: number }): Output => {
		const grid = createGrid(width, height);
		const clips: Clip[] = [];

		return {
			write(x, y, text, { transformers }) {
				if (text === '') return;
				const clip = clips.at(-1);
				const visible = clip ? clipped(linesOf(text), x, y, clip) : { x, y, lines: linesOf(text) };
				for (const [index, line] of visible.lines.entries()) {
					const row = visible.y + index;
					if (row < 0 || row >= height) continue;
					put(grid, visible.x, row, transformed(line, transformers, row - y));
				}
			},
			clip(clip) {
				clips.push(intersection(clips.at(-1), clip));
			},
			unclip() {
				clips.pop();
			},
			get: () => ({ output: frames.textFor(grid), height }),
		};
	};
}

/** Keeps at least the last `limit` texts and at most twice as many. */
function createTextCache(read: (text: string) => CellLine[], limit = 250) {
	let recent = new Map<string, CellLine[]>();
	let older = new Map<string, CellLine[]>();

	return (text: string): CellLine[] => {
		const known = recent.get(text);
		if (known) return known;
		const lines = older.get(text) ?? read(text);
		if (recent.size >= limit) {
			older = recent;
			recent = new Map();
		}
		recent.set(text, lines);
		return lines;
	};
}

function intersection(outer: Clip | undefined, inner: Clip): Clip {
	if (!outer) return inner;
	return {
		x1: tighter(outer.x1, inner.x1, Math.max),
		x2: tighter(outer.x2, inner.x2, Math.min),
		y1: tighter(outer.y1, inner.y1, Math.max),
		y2: tighter(outer.y2, inner.y2, Math.min),
	};
}

function tighter(
	a: number | undefined,
	b: number | undefined,
	choose: (a: number, b: number) => number,
) {
	return a === undefined || b === undefined ? (a ?? b) : choose(a, b);
}

const nothing = { x: 0, y: 0, lines: [] };

/** The part of these lines inside the clip. As in Ink, an axis is cut only if it has both ends. */
function clipped(lines: CellLine[], x: number, y: number, { x1, x2, y1, y2 }: Clip) {
	if (isEmpty(x1, x2) || isEmpty(y1, y2)) return nothing;
	let visible = lines;
	let left = x;
	let top = y;
	if (x1 !== undefined && x2 !== undefined) {
		const widest = lines.reduce((width, { glyphs }) => Math.max(width, glyphs.length), 0);
		if (x + widest < x1 || x > x2) return nothing;
		visible = visible.map(line => columnsOf(line, Math.max(0, x1 - x), x2 - x));
		left = Math.max(x, x1);
	}
	if (y1 !== undefined && y2 !== undefined) {
		visible = visible.slice(Math.max(0, y1 - y), Math.max(0, y2 - y));
		top = Math.max(y, y1);
	}
	return { x: left, y: top, lines: visible };
}

const isEmpty = (from: number | undefined, to: number | undefined) =>
	from !== undefined && to !== undefined && from >= to;

/** The cells from one column to another. Half of a wide glyph becomes a space in its style. */
function columnsOf(line: CellLine, from: number, to: number): CellLine {
	if (from <= 0 && to >= line.glyphs.length) return line;
	const end = Math.max(from, Math.min(to, line.glyphs.length));
	const glyphs = line.glyphs.slice(from, end);
	for (let at = 0; at < glyphs.length && glyphs[at] === ''; at++) glyphs[at] = ' ';
	if (line.glyphs[end] === '') {
		let at = glyphs.length - 1;
		for (; at >= 0 && glyphs[at] === ''; at--) glyphs[at] = ' ';
		if (at >= 0) glyphs[at] = ' ';
	}
	return { glyphs, styles: line.styles.slice(from, end) };
}

/** Writes the cells into a row. The rest of a wide glyph that they partly cover becomes a space. */
function put(grid: Grid, x: number, y: number, line: CellLine) {
	const { columns, glyphs, styles } = grid;
	const visible = columnsOf(line, Math.max(0, -x), columns - x);
	const { length } = visible.glyphs;
	if (length === 0) return;
	const start = y * columns + Math.max(0, x);
	const end = start + length;
	const rowEnd = (y + 1) * columns;
	if (glyphs[start] === '') {
		let at = start - 1;
		for (; glyphs[at] === ''; at--) glyphs[at] = ' ';
		glyphs[at] = ' ';
	}
	for (let at = end; at < rowEnd && glyphs[at] === ''; at++) glyphs[at] = ' ';
	for (let index = 0; index < length; index++) {
		const style = visible.styles[index];
		if (style === undefined) continue;
		glyphs[start + index] = visible.glyphs[index] ?? ' ';
		styles[start + index] = style;
	}
}

/**
 * Ink creates an Output for every frame and passes nothing of ours to it, so what outlives a frame is kept
 * here. It is the only state of the program that belongs to a module.
 */
export const frameHandoff = createFrameHandoff(isSameGrid);

const outputFor = createOutputs(frameHandoff);

/** The build puts it in the place of Ink's Output. Ink calls it with `new` and gets the returned object. */
export function InkOutput(size: { width: number; height: number }): Output {
	return outputFor(size);
}
