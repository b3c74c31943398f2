import {
	fitToWidth,
	justifySpans,
	paintSpans,
	partsThatFit,
	type Span,
	widthOf,
} from '../../drawing/span.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import type { Theme } from '../../lines/theme.ts';
import type { MapLook } from '../../screen/map-look.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { CellContext } from '../../views/fleet/cell-context.ts';
import { columns } from '../../views/fleet/columns.ts';
import { cellSpans, rowLook } from '../../views/fleet/row-line.ts';
import { statusCell } from '../../views/fleet/status.ts';
import { levelSign } from './map-cells.ts';
import { colouringRows, inLegendOrder, type MapLevel } from './map-colours.ts';
import { groupingRows } from './map-groups.ts';
import type { MapLayout } from './map-layout.ts';

type CaptionOptions = {
	screen: { map: MapLook; marks: ReadonlySet<GlobalId> };
	bindings: readonly Binding[];
	contextOf: (row: FleetRow) => CellContext;
	width: number;
	theme: Theme;
};

/** Draws the first line of the map: what the groups and the colours mean, and how many computers a cell stands for. */
export function mapTitleLine(
	{ computersPerCell }: MapLayout,
	{ screen, width, theme }: Pick<CaptionOptions, 'screen' | 'width' | 'theme'>,
): string {
	const { grouping, colouring } = screen.map;
	const left: readonly Span[] = [
		['   by ', 'faint'],
		[groupingRows[grouping].title],
		[', coloured by ', 'faint'],
		[colouringRows[colouring].title],
	];
	const count = countText(computersPerCell);
	const forms =
		computersPerCell === 1
			? ['each cell is a computer ', 'a computer a cell ']
			: [
					`each cell is ${count} computers and shows the worst `,
					`each cell shows the worst of ${count} `,
					`worst of ${count} a cell `,
				];
	const room = width - widthOf(left, theme) - 2;
	const right = forms.find(form => theme.ruler.width(form) <= room) ?? '';
	return paintSpans(justifySpans(left, [[right, 'faint']], width, theme), theme);
}

/** Draws what each colour, or each letter, means. */
export function mapLegendLine({
	screen,
	width,
	theme,
}: Pick<CaptionOptions, 'screen' | 'width' | 'theme'>): string {
	const levels = inLegendOrder(colouringRows[screen.map.colouring].levels);
	const partsWith = (wordOf: (level: MapLevel) => string) =>
		levels.map((level): readonly Span[] => [
			[levelSign(level, theme), level.tone],
			[` ${wordOf(level)}`, 'faint'],
		]);
	const parts = partsWith(({ word }) => word);
	const gaps = ['   ', '  ', ' '];
	const gap = gaps.find(each => partsWidth(parts, each, theme) + marginBefore(each).length < width);
	const shown = gap === undefined ? partsWith(({ word, short = word }) => short) : parts;
	const margin = marginBefore(gap ?? ' ');
	const fit = partsThatFit(shown, gap ?? ' ', width - margin.length - 1, theme);
	return paintSpans(fitToWidth([[margin], ...fit], width, theme), theme);
}

/** The legend begins below the names of the groups, unless it needs the whole line. */
const marginBefore = (gap: string) => (gap === ' ' ? ' ' : '   ');

const partsWidth = (parts: readonly (readonly Span[])[], gap: string, theme: Theme) =>
	parts.reduce((sum, part) => sum + widthOf(part, theme) + gap.length, -gap.length);

const labels: Readonly<Record<string, string>> = {
	cpu: 'CPU',
	version: 'version',
	stage: 'reason',
};

// The columns of the table that describe the computer under the cursor.
const describedBy = Object.keys(labels).flatMap(name =>
	columns.filter(column => column.name === name),
);

/**
 * Draws the line below the map, about the computer under the cursor:
 *
 *  ❯ vega-12  ● Active  CPU 96%  1.3.9 ↑      f filter  b group  c colour  m table
 */
export function mapCursorLine(
	row: FleetRow | undefined,
	inCell: number,
	{ screen, bindings, contextOf, width, theme }: CaptionOptions,
): string {
	const hints = hintSpans(bindings, width - minDescriptionWidth, theme);
	const parts = row ? descriptionOf(row, inCell, contextOf(row), theme) : [];
	const isMarked = row !== undefined && screen.marks.has(row.id);
	const begin: readonly Span[] = row
		? [isMarked ? [theme.glyphs.mark, 'mark'] : [' '], [theme.glyphs.cursor, 'accent'], [' ']]
		: [];
	const room = width - widthOf(begin, theme) - widthOf(hints, theme) - 2;
	const left = [...begin, ...partsThatFit(parts, '  ', room, theme)];
	return paintSpans(justifySpans(left, hints, width, theme), theme);
}

const minDescriptionWidth = 32;

function descriptionOf(
	row: FleetRow,
	inCell: number,
	context: CellContext,
	theme: Theme,
): readonly (readonly Span[])[] {
	const { name, id } = row.computer.reading;
	const look = rowLook(row, context);
	const cells = describedBy.map((column): readonly Span[] => {
		const spans = cellSpans(row, column, context, 30, look);
		const isUnread = spans[0]?.[0] === '…';
		const hasLabel = isUnread || (column.name === 'cpu' && spans.length > 0);
		return hasLabel ? [[`${labels[column.name]} `, 'faint'], ...spans] : spans;
	});
	const isOld = look.isOld;
	const status = statusCell(row, context);
	return [
		[[name ?? id, 'strong']],
		isOld ? status.map(([text]): Span => [text, 'faint']) : status,
		...cells,
		inCell > 1 ? [[`one of ${inCell} in this cell`, 'faint']] : [],
	].filter((spans): spans is readonly Span[] =>
		spans.some(([text]) => text.trim() !== '' && text !== theme.glyphs.noValue),
	);
}

const hinted = [
	['filterToCell', 'filter'],
	['groupBy', 'group'],
	['colourBy', 'colour'],
	['map', 'table'],
] as const;

/** Returns hints for the keys of the map, as many as fit. */
function hintSpans(bindings: readonly Binding[], width: number, theme: Theme): readonly Span[] {
	const parts = hinted.flatMap(([action, word]): readonly (readonly Span[])[] => {
		const key = shownKeyOf(bindings, action);
		if (key === undefined) return [];
		return [
			[
				[key, 'accent'],
				[` ${word}`, 'faint'],
			],
		];
	});
	const fit = partsThatFit(parts, '  ', width, theme);
	return fit.length > 0 ? [...fit, [' ']] : [];
}
