import type * as tokenizing from '@alcalzone/ansi-tokenize';
import fc from 'fast-check';
import type measure from 'string-width';
import { expect, test } from 'vitest';
import type InkOutput from '../../node_modules/ink/build/output.js';
import { styleAt } from '../../source/terminal/output/cells.ts';
import { type Grid, isSameGrid } from '../../source/terminal/output/grid.ts';
import { codesOfChange, plainStyle } from '../../source/terminal/output/style.ts';
import { glyphsOf, gridFrom } from '../frame-text.ts';
import { runs } from '../properties/runs.ts';
import { styledText } from '../properties/styled-text.ts';
import { loadBoth } from './both.ts';

const { original, replaced } = await loadBoth<{ default: typeof InkOutput }>('ink/build/output.js');
const { styledCharsFromTokens } = (
	await loadBoth<typeof tokenizing>('@alcalzone/ansi-tokenize/build/index.js')
).original;
const { tokenize } = (
	await loadBoth<typeof tokenizing>('@alcalzone/ansi-tokenize/build/tokenize.js')
).original;
const { default: stringWidth } = (
	await loadBoth<{ default: typeof measure }>('string-width/index.js')
).original;

type Output = Pick<InstanceType<typeof InkOutput>, 'write' | 'clip' | 'unclip' | 'get'>;
type Operation = (output: Output) => void;

const restyled = (start: number, end: number) => (text: string) =>
	`\u001B[${start}m${text.replaceAll(`\u001B[${end}m`, `\u001B[${start}m`)}\u001B[${end}m`;

const transformers = fc.array(
	fc.constantFrom<(text: string, index: number) => string>(
		text => text,
		restyled(31, 39),
		restyled(1, 22),
		restyled(7, 27),
		(text, index) => `${index}${text}`,
		text => text.replaceAll('b', 'B'),
	),
	{ maxLength: 3 },
);

const write = fc
	.record({
		x: fc.integer({ min: -6, max: 24 }),
		y: fc.integer({ min: -2, max: 7 }),
		text: styledText({ maxLength: 16, hasLines: true }),
		transformers,
	})
	.map(({ x, y, text, transformers }): Operation[] => [
		output => output.write(x, y, text, { transformers }),
	]);

const bound = fc.option(fc.integer({ min: -2, max: 22 }), { nil: undefined });

const clip = fc.record({ x1: bound, x2: bound, y1: bound, y2: bound });

const { operations } = fc.letrec<{ operations: Operation[]; clipped: Operation[] }>(tie => ({
	clipped: fc
		.tuple(clip, tie('operations'))
		.map(([clip, inside]): Operation[] => [
			output => output.clip(clip),
			...inside,
			output => output.unclip(),
		]),
	operations: fc
		.array(fc.oneof({ depthSize: 'small' }, write, tie('clipped')), { maxLength: 5 })
		.map(groups => groups.flat()),
}));

const width = 20;
const height = 6;

/** Describes a cell as text: its glyph and the codes of its style. For a space, only the visible codes are listed. */
function described(glyph: string, codes: string[]): string {
	const isLined = codes.some(code => /\[(4|7|9|53)m|\]8/.test(code));
	const seen = glyph === ' ' && !isLined ? codes.filter(code => /\[(4|10)\d/.test(code)) : codes;
	return `${glyph} ${seen.sort().join(' ')}`;
}

/** Returns the cells that the original output of Ink fills. */
function cellsOfInk(operations: Operation[]): string[][] {
	const output = new original.default({ width, height });
	for (const operate of operations) operate(output);
	return output
		.get()
		.output.split('\n')
		.map(line => {
			const cells: string[] = [];
			for (const { value, styles } of styledCharsFromTokens(tokenize(line))) {
				const codes = styles.map(({ code }) => code);
				const cellsTaken = Math.max(1, stringWidth(value));
				// A wide glyph in the last column sticks out of Ink's frame, and the terminal cuts it off.
				const isCut = cells.length + cellsTaken > width && cells.length < width;
				cells.push(described(isCut ? ' ' : value, codes));
				for (let more = 1; more < cellsTaken; more++) cells.push(described('+', codes));
			}
			while (cells.length < width) cells.push(described(' ', []));
			return cells.slice(0, width);
		});
}

/** Returns the name that the replaced output gives to the frame; Ink writes this name to the stream. */
function nameOf(operations: Operation[]): string {
	const output = new replaced.default({ width, height });
	for (const operate of operations) operate(output);
	return output.get().output;
}

/** Returns the cells of the frame, which are found by its name. */
function gridOf(operations: Operation[]): Grid {
	const grid = gridFrom(nameOf(operations));
	if (!grid) throw new Error('The frame was lost.');
	return grid;
}

function cellsOf(grid: Grid): string[][] {
	return grid.lines.map(line =>
		glyphsOf(line).map((glyph, x) => {
			const style = styleAt(line, x);
			const codes = codesOfChange(plainStyle, style).map(code => `\u001B[${code}m`);
			if (style.link !== '') codes.push(`\u001B]8;${style.link}\u0007`);
			return described(glyph || '+', codes);
		}),
	);
}

test('the replaced output of Ink fills every cell as the original does', () => {
	fc.assert(
		fc.property(operations, operations => {
			expect(cellsOf(gridOf(operations))).toEqual(cellsOfInk(operations));
		}),
		runs(80),
	);
});

test('the replaced output of Ink gives a frame a new name only if a cell looks different', () => {
	fc.assert(
		fc.property(operations, operations, (before, after) => {
			const [first, again, then] = [nameOf(before), nameOf(before), nameOf(after)];
			expect(again).toBe(first);
			expect(then === first).toBe(isSameGrid(gridOf(before), gridOf(after)));
		}),
		runs(40),
	);
});
