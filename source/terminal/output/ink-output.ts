import { type CellLine, wholeSpaceCell } from './cells.ts';
import { createFrameHandoff, type FrameHandoff } from './frame-handoff.ts';
import { isSameGrid } from './grid.ts';
import { createLineComposer, type Piece, sliceColumns } from './line-composer.ts';
import { createTextReader, type TextCells, textOfLine } from './text-cells.ts';

type LineTransformer = (text: string, line: number) => string;

type ClipRectangle = {
	x1: number | undefined;
	x2: number | undefined;
	y1: number | undefined;
	y2: number | undefined;
};

/** The part of Ink's `build/output.js` that its renderer uses. */
type Output = {
	write(x: number, y: number, text: string, options: { transformers: LineTransformer[] }): void;
	clip(clip: ClipRectangle): void;
	unclip(): void;
	get(): { output: string; height: number };
};

/** Few texts have a style of Ink, which is a transformer. */
const maxTransformedTexts = 50;

/**
 * Creates replacements of Ink's Output. The original creates an object for every cell, and parses every text again in
 * every frame. The replacement keeps the parsed texts from frame to frame.
 */
function createOutputFactory(frames: FrameHandoff, cellsOf: (text: string) => TextCells) {
	const linesOf = (text: string) => cellsOf(text).lines;
	// A transformer may show more of the style of a space, such as its colour by inverting it.
	const wholeCellsOf = createCache(createTextReader(wholeSpaceCell), maxTransformedTexts);
	const texts = new WeakMap<CellLine, string>();

	function textOf(line: CellLine): string {
		let text = texts.get(line);
		if (text === undefined) {
			text = textOfLine(line);
			texts.set(line, text);
		}
		return text;
	}

	function transformed(line: CellLine, transformers: LineTransformer[], index: number): CellLine {
		if (transformers.length === 0) return line;
		const text = textOf(line);
		const result = transformers.reduce((current, transform) => transform(current, index), text);
		return linesOf(result)[0] ?? line;
	}

	const lineOf = createLineComposer();

	return ({ width, height }: { width: number; height: number }): Output => {
		const pieces: Piece[][] = Array.from({ length: height }, () => []);
		const clips: ClipRectangle[] = [];

		return {
			write(x, y, text, { transformers }) {
				if (text === '') return;
				const clip = clips.at(-1);
				const lines = transformers.length > 0 ? wholeCellsOf(text).lines : linesOf(text);
				const visible = clip ? clippedLines(lines, x, y, clip) : { x, y, lines };
				for (let index = 0; index < visible.lines.length; index++) {
					const row = visible.y + index;
					const line = visible.lines[index];
					if (line === undefined) continue;
					const piece = { x: visible.x, line: transformed(line, transformers, row - y) };
					pieces[row]?.push(piece);
				}
			},
			clip(clip) {
				clips.push(intersectionOf(clips.at(-1), clip));
			},
			unclip() {
				clips.pop();
			},
			get: () => ({
				output: frames.nameOf({
					columns: width,
					lines: pieces.map((each, y) => lineOf(each, y, width)),
				}),
				height,
			}),
		};
	};
}

/**
 * Creates a reader that keeps the lines that it read. Of a longer text, each line is kept for itself, so that a key that
 * changes two lines of a table does not read all others again.
 */
function createLineCache(read: (text: string) => TextCells): (text: string) => TextCells {
	const lineOf = createCache(read, maxKeptLines);
	return createCache(text => {
		if (!text.includes('\n')) return lineOf(text);
		const parts = text.split('\n').map(lineOf);
		if (!parts.every(({ isClosed }) => isClosed)) return read(text);
		return {
			lines: parts.flatMap(({ lines }) => lines),
			isPlain: parts.every(({ isPlain }) => isPlain),
			isClosed: true,
		};
	}, maxKeptTexts);
}

const maxKeptLines = 250;
const maxKeptTexts = 20;

/** Keeps the results for at least the last `minKeptCount` texts, and for at most twice as many. */
function createCache(read: (text: string) => TextCells, minKeptCount: number) {
	let recent = new Map<string, TextCells>();
	let older = new Map<string, TextCells>();

	return (text: string): TextCells => {
		const known = recent.get(text);
		if (known) return known;
		const cells = older.get(text) ?? read(text);
		if (recent.size >= minKeptCount) {
			older = recent;
			recent = new Map();
		}
		recent.set(text, cells);
		return cells;
	};
}

function intersectionOf(outer: ClipRectangle | undefined, inner: ClipRectangle): ClipRectangle {
	if (!outer) return inner;
	return {
		x1: tighterBound(outer.x1, inner.x1, Math.max),
		x2: tighterBound(outer.x2, inner.x2, Math.min),
		y1: tighterBound(outer.y1, inner.y1, Math.max),
		y2: tighterBound(outer.y2, inner.y2, Math.min),
	};
}

function tighterBound(
	a: number | undefined,
	b: number | undefined,
	tighterOf: (a: number, b: number) => number,
) {
	return a === undefined || b === undefined ? (a ?? b) : tighterOf(a, b);
}

const noVisibleLines = { x: 0, y: 0, lines: [] };

/** Cuts the lines to the clip rectangle. As in Ink, an axis is cut only if both of its ends are set. */
function clippedLines(lines: CellLine[], x: number, y: number, { x1, x2, y1, y2 }: ClipRectangle) {
	if (isEmptyRange(x1, x2) || isEmptyRange(y1, y2)) return noVisibleLines;
	let visible = lines;
	let left = x;
	let top = y;
	if (x1 !== undefined && x2 !== undefined) {
		const widest = lines.reduce((width, { cells }) => Math.max(width, cells.length), 0);
		if (x + widest < x1 || x > x2) return noVisibleLines;
		visible = visible.map(line => sliceColumns(line, Math.max(0, x1 - x), x2 - x));
		left = Math.max(x, x1);
	}
	if (y1 !== undefined && y2 !== undefined) {
		visible = visible.slice(Math.max(0, y1 - y), Math.max(0, y2 - y));
		top = Math.max(y, y1);
	}
	return { x: left, y: top, lines: visible };
}

const isEmptyRange = (from: number | undefined, to: number | undefined) =>
	from !== undefined && to !== undefined && from >= to;

/**
 * Ink creates an Output for every frame and passes nothing of ours to the constructor, so this module keeps
 * the state that outlives a frame. No other module of the program has state.
 */
export const frameHandoff = createFrameHandoff(isSameGrid);
const cellsOf = createLineCache(createTextReader());

const createOutput = createOutputFactory(frameHandoff, cellsOf);

/** Replaces Ink's Output in the build. Ink calls this function with `new` and gets the returned object. */
export function InkOutput(size: { width: number; height: number }): Output {
	return createOutput(size);
}

/**
 * Returns the size of a text in which Ink would change nothing; undefined for any other text. Its cells are kept for the next
 * frame, so that a text is read only once.
 */
export function plainSizeOf(text: string): { width: number; height: number } | undefined {
	const { lines, isPlain } = cellsOf(text);
	if (!isPlain) return undefined;
	const width = lines.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
	return { width, height: lines.length };
}
