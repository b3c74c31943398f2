import { fields } from '../../fleet/computers/field.ts';
import type { Ordering } from '../../fleet/computers/order-fields.ts';
import { matchedPlaces } from '../../fleet/filters/matched-places.ts';
import { spellOut } from '../../lines/print.ts';
import { fitTo, type Span, textOf, widthOf, withMatches } from '../../lines/span.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { Click } from '../look/moves.ts';
import { orderByField } from '../look/views.ts';
import type { Scene } from '../scene.ts';
import { type CellContext, cellContextsOf, fieldSourceOf } from './cell-context.ts';
import type { Column } from './columns.ts';
import { type PlacedColumn, placedColumns } from './columns.ts';

//    NAME           STATUS        STAGE                                 CPU    MEM  VERSION   UPTIME
//  ❯ atlas          ● Active                                            12%    41%  1.4.2      6d 4h
// ▪  borealis       ✖ Error       image pull failed: disk quota exceeded          1.4.2

export function titleLine(placed: readonly PlacedColumn[], ordering: Ordering): readonly Span[] {
	const cells = placed.map(({ column: { title, field } }): readonly Span[] => {
		const sign = field !== ordering.by ? '' : ordering.isReversed ? '▼' : '▲';
		const click: Click | undefined = field && { type: 'move', move: orderByField(field) };
		return [[`${title}${sign}`, 'faint', click]];
	});
	return [['   '], ...joinedCells(cells, placed), [' ']];
}

/** An old row is grey, because its colours would suggest that the state is current. */
export function cellSpans(
	row: FleetRow,
	column: Column,
	context: CellContext,
	width: number,
): readonly Span[] {
	const spans = column.cell(row, context, width);
	const isStage = column.name === 'stage';
	// The state of an operation of this program is never out of date.
	const isGrey = context.ageOf(row) === 'old' && !(isStage && row.operation);
	const shown = isGrey ? spans.map(([text]): Span => [text, 'faint']) : spans;
	const name = isStage ? 'stage' : column.field;
	const source = fieldSourceOf(row, context.nameOf);
	const terms = context.matchedTermsOf?.(source, context.now) ?? [];
	if (name === undefined || terms.length === 0) return shown;
	const field = fields[name];
	const values = field.values(source, context.now);
	return withMatches(shown, matchedPlaces(terms, { text: textOf(shown), field, values }));
}

const isBlank = (spans: readonly Span[] = []) => textOf(spans).trim() === '';

/** The cells from this column on over which its text flows: as many as it needs, and only those that are empty or show the past. */
function flowOver(
	placed: readonly PlacedColumn[],
	at: number,
	needed: number,
	cells: readonly (readonly Span[])[],
) {
	let width = placed[at]?.width ?? 0;
	let next = at + 1;
	for (let each = placed[next]; each && needed > width; each = placed[next]) {
		if (!each.column.needsHistory && !isBlank(cells[next])) break;
		width += each.gap + each.width;
		next += 1;
	}
	return { width, next };
}

function joinedCells(
	cells: readonly (readonly Span[])[],
	placed: readonly PlacedColumn[],
): readonly Span[] {
	const joined: Span[] = [];
	let next = 0;
	for (const [at, { column, width, gap }] of placed.entries()) {
		if (at < next) continue;
		const spans = cells[at] ?? [];
		const taken = flowOver(placed, at, column.flowsOver ? widthOf(spans) : width, cells);
		if (gap > 0) joined.push([' '.repeat(gap)]);
		joined.push(...fitTo(spans, taken.width, column.align));
		next = taken.next;
	}
	return joined;
}

export function rowSign(isMarked: boolean, isKept: boolean): Span {
	if (isMarked) return ['▪', 'mark'];
	return isKept ? ['┊', 'faint'] : [' '];
}

export function rowLine(
	row: FleetRow,
	placed: readonly PlacedColumn[],
	context: CellContext,
	sign: Span,
	isUnderCursor: boolean,
): readonly Span[] {
	const cells: (readonly Span[])[] = [];
	// From right to left, because a text has as much room as the empty cells behind it leave.
	for (const [at, { column, width }] of [...placed.entries()].reverse()) {
		const room = column.flowsOver?.(row) ? flowOver(placed, at, Infinity, cells).width : width;
		cells[at] = cellSpans(row, column, context, room);
	}
	const cursor: Span = isUnderCursor ? ['❯', 'accent'] : [' '];
	return [sign, cursor, [' '], ...joinedCells(cells, placed), [' ']];
}

/** The width of the screen whose columns are spoken, unless a person has chosen others. */
const spokenTableWidth = 120;

/** Says a row as "3 of 24: cygnus, Stopped 2 hours, asleep, version 1.3.9 behind". */
export function spokenRow(at: number, scene: Scene): string {
	const { screen, shown, now, times } = scene;
	const row = shown.rows[at];
	if (!row) return '';
	const context = cellContextsOf(scene)(row);
	const placed = placedColumns(spokenTableWidth, scene);
	const unread: string[] = [];
	const cells = placed.flatMap(({ column }) => {
		const { name, needsHistory = false } = column;
		const text = needsHistory ? '' : textOf(column.cell(row, context, Number.POSITIVE_INFINITY));
		if (text === '…') unread.push(name === 'stage' ? 'reason' : name);
		const value = spellOut(text);
		if (value === '') return [];
		return [namelessColumns.includes(name) ? value : spellOut(`${name} ${text}`)];
	});
	const readAt = context.lastReadAtOf(row);
	const isOld = readAt !== undefined && context.ageOf(row) !== 'fresh';
	return [
		`${at + 1} of ${shown.rows.length}: ${screen.marks.has(row.id) ? 'marked, ' : ''}${cells[0]}`,
		...(shown.keptIds.has(row.id) ? ['hidden by the filter'] : []),
		...cells.slice(1),
		...(unread.length > 0 ? [`${unread.join(' and ')} not read yet`] : []),
		...(isOld ? [`data ${spellOut(times.age(now - readAt))} old`] : []),
	].join(', ');
}

const namelessColumns = ['account', 'name', 'status', 'stage'];
