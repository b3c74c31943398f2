import { fitToWidth, paintSpans, type Span } from '../../drawing/span.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Theme } from '../../lines/theme.ts';
import type { Colouring } from '../../screen/map-look.ts';
import { type CellCode, cellCodes, createCellPainter, levelSign } from './map-cells.ts';
import { colouringRows } from './map-colours.ts';
import {
	type CellPlace,
	cellCountOf,
	firstCellColumn,
	type MapLayout,
	nameInCell,
	type PlacedGroup,
} from './map-layout.ts';
import type { GroupLevels } from './map-levels.ts';

/** The values from which all lines of the map are drawn. */
export type MapLinesOptions = {
	layout: MapLayout;
	colouring: Colouring;
	levelsOf: (group: PlacedGroup) => GroupLevels;
	cursor: CellPlace | undefined;
	marks: ReadonlySet<GlobalId>;
	lines: number;
	theme: Theme;
};

const noMarks: ReadonlySet<GlobalId> = new Set();

type KeptLine = { inputs: readonly unknown[]; codes: string; text: string };

/**
 * Creates a function that draws the lines of the groups. A line is painted again only if one of its cells differs:
 *
 *    eu-north  1,204  ■■■■■■■■■✖■■■■■■■■■□□□■■■■■■■■■■■■■■■   7 error
 */
export function createMapLines(): (options: MapLinesOptions) => readonly string[] {
	const painterOf = memoize(createCellPainter);
	const kept: KeptLine[] = [];

	function textOf(at: number, group: PlacedGroup, index: number, options: MapLinesOptions): string {
		const { layout, colouring, levelsOf, cursor, theme } = options;
		const levels = levelsOf(group);
		const isHere = cursor !== undefined && layout.groups[cursor.group] === group;
		const here = isHere ? cursor.cell : -1;
		const marks = options.marks.size === 0 ? noMarks : options.marks;
		const inputs = [layout, group, levels, colouring, theme, here, marks];
		const before = kept[at];
		if (before?.inputs.every((input, place) => Object.is(input, inputs[place]))) return before.text;
		const codes = codesOfLine(group, index, here, marks, options);
		const head = index === 0 ? headOf(group, here >= 0, options) : restHeadOf(options);
		const alarm = index === 0 ? alarmOf(levels, options) : [];
		const { style, cellsPerRow, cellWidth } = layout;
		const names = namesOfLine(group, index, layout);
		const sizes = [style, cellsPerRow, cellWidth];
		const key = JSON.stringify([codes, names, head, alarm, ...sizes, colouring]);
		const isSame = before?.codes === key && before.inputs[4] === theme;
		const text = isSame
			? before.text
			: paintSpans(head, theme) +
				painterOf(colouring, theme)(codes, layout, names) +
				paintSpans(alarm, theme);
		kept[at] = { inputs, codes: key, text };
		return text;
	}

	return options => {
		const texts = Array.from({ length: options.lines }, () => '');
		for (const group of options.layout.groups) {
			for (let index = 0; index < group.lineCount; index += 1) {
				const at = group.firstLine + index;
				if (at < texts.length) texts[at] = textOf(at, group, index, options);
			}
		}
		kept.length = Math.min(kept.length, texts.length);
		return texts;
	};
}

function codesOfLine(
	group: PlacedGroup,
	index: number,
	here: number,
	marks: ReadonlySet<GlobalId>,
	{ layout, levelsOf }: MapLinesOptions,
): readonly CellCode[] {
	const { computersPerCell: number, cellsPerRow, style } = layout;
	const levels = levelsOf(group);
	const count = cellCountOf(group, layout);
	const perLine = cellsPerRow * (style === 'half' ? 2 : 1);
	const first = index * perLine;
	return Array.from({ length: perLine }, (_, at) => {
		const cell = first + at;
		if (cell >= count) return cellCodes.empty;
		const underCursor = cell === here ? cellCodes.underCursor : 0;
		let most = 0;
		for (let each = cell * number; each < Math.min((cell + 1) * number, levels.length); each += 1) {
			const row = group.rows[each];
			if (marks.size > 0 && row && marks.has(row.id)) return cellCodes.marked + underCursor;
			most = Math.max(most, levels[each] ?? 0);
		}
		return most + underCursor;
	});
}

/** Returns the names in the cells of a line, if the cells have names. */
function namesOfLine(
	{ rows }: PlacedGroup,
	index: number,
	{ style, cellsPerRow }: MapLayout,
): readonly string[] {
	if (style !== 'named') return [];
	return rows.slice(index * cellsPerRow, (index + 1) * cellsPerRow).map(nameInCell);
}

function headOf(
	{ label, rows }: PlacedGroup,
	isHere: boolean,
	{ layout, theme }: MapLinesOptions,
): readonly Span[] {
	const { labelWidth, countWidth } = layout;
	const cursor: Span = isHere ? [theme.glyphs.cursor, 'accent'] : [' '];
	return [
		[' '],
		cursor,
		[' '],
		...fitToWidth([[label]], labelWidth, theme),
		[' '],
		...fitToWidth([[countText(rows.length), 'faint']], countWidth, theme, 'right'),
		['  '],
	];
}

const restHeadOf = ({ layout }: MapLinesOptions): readonly Span[] => [
	[' '.repeat(firstCellColumn(layout))],
];

/** Writes the number of computers at the level that matters most, at the right end of the group's first line. */
function alarmOf(
	levels: GroupLevels,
	{ layout: { alarmWidth }, colouring, theme }: MapLinesOptions,
): readonly Span[] {
	const { levels: rows, alarm } = colouringRows[colouring];
	const level = rows[alarm.level];
	let count = 0;
	for (const each of levels) if (each === alarm.level) count += 1;
	if (count === 0 || !level) return [];
	const number = countText(count);
	const whole = ` ${number} ${alarm.word}`;
	const text = whole.length <= alarmWidth ? whole : ` ${number}${levelSign(level, theme)}`;
	return fitToWidth([[text, level.tone]], alarmWidth, theme, 'right');
}
