import { gap } from '../../lines/line.ts';
import { joinedParts } from '../../lines/parts.ts';
import { isSpoken, spellOut, spokenSpans, spokenText } from '../../lines/print.ts';
import { type Span, textOf } from '../../lines/span.ts';
import { outageOf } from '../../store/freshness.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { detail } from '../../views/detail.ts';
import { cellContextsOf } from '../../views/fleet/cell-context.ts';
import { placedColumns } from '../../views/fleet/column-widths.ts';
import { summarizeMap } from '../../views/fleet/map.ts';
import { type BodyFacts, bodyFactsOf } from '../../views/frame/body-facts.ts';
import { emptyTableLines } from '../../views/frame/empty-table.ts';
import { resultParts } from '../../views/frame/filter-line.ts';
import { spokenHeader } from '../../views/frame/header.ts';
import { alarmRules, unreadableText, viewRule } from '../../views/frame/rules.ts';
import type { Choice, ChoiceList } from '../../views/look/choice.ts';
import { cursorIndex } from '../../views/look/cursor.ts';
import { currentOrdering, isTable } from '../../views/look/screen.ts';
import { isTextView } from '../../views/look/view-table.ts';
import { troubleOf, troubleSentences } from '../../views/phrases/reads.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { Scene } from '../../views/scene.ts';
import { textViews } from '../../views/text-views.ts';
import { underWayIn } from '../../views/under-way.ts';
import type { View } from '../../views/view.ts';
import { failureIn } from './news.ts';

export const linesPerPage = 10;

/** The cells of a line that has two ends. In a line of a view, nothing is cut. */
export const frameWidth = 1000;

/** What is open: the table, a view or the details, as the lines that the cursor moves through. */
export type Place = {
	id: string;
	isText: boolean;
	title: () => readonly string[];
	lineCount: number;
	/** Returns a line. Only the lines that are spoken are composed. */
	lineAt: (index: number) => string;
	index: number;
	/** The lines that Enter opens. A spoken view has no other cursor than the line that was read last. */
	choiceList?: ChoiceList | undefined;
	filterCompletions?: ReturnType<NonNullable<View['completions']>> | undefined;
};

export function placeOf(scene: Scene): Place {
	const { view, isDetailOpen } = scene.screen;
	if (isTextView(view)) return textPlace(view, textViews[view], scene);
	const row = rowUnderCursor(scene);
	return row && isDetailOpen ? textPlace(`details ${row.id}`, detail, scene) : tablePlace(scene);
}

function textPlace(id: string, view: View, scene: Scene): Place {
	const lines = view.lines(scene).filter(isSpoken);
	const choices = lines.flatMap(
		({ id, opens, isCancellable, hasFailed }, line): readonly Choice[] =>
			id === undefined ? [] : [{ id, opens, isCancellable, hasFailed, line }],
	);
	return {
		id,
		isText: true,
		title() {
			const ends = [...view.title(scene).map(spokenSpans), view.spokenOrder];
			return [`${ends.filter(text => text).join(', ')}.`];
		},
		lineCount: lines.length,
		lineAt: at => spokenText(lines[at] ?? gap),
		index: Math.max(0, Math.min(scene.screen.scroll, lines.length - 1)),
		choiceList: view.hasCursor ? { choices, windowLines: linesPerPage, isSpoken: true } : undefined,
		filterCompletions: view.completions?.(scene),
	};
}

function tablePlace(scene: Scene): Place {
	const { screen, shown } = scene;
	const { rows, ids } = shown;
	const { isOpen, grouping, colouring } = screen.map;
	const empty = () => emptyTableLines(scene, shown.allRows.length).map(spokenSpans).join(' ');
	return {
		id: isOpen ? `map by ${grouping} and ${colouring}` : 'table',
		isText: false,
		title: () => (isOpen ? mapLines(scene) : summaryLines(scene)),
		lineCount: Math.max(1, rows.length),
		lineAt: at => (rows.length === 0 ? empty().trim() : rowLine(at, scene)),
		index: Math.max(0, cursorIndex(screen, ids)),
	};
}

const rowUnderCursor = ({ screen, shown }: Scene): FleetRow | undefined =>
	shown.rows[cursorIndex(screen, shown.ids)];

/** The width of the screen whose columns are spoken, unless a person has chosen others. */
const spokenTableWidth = 120;

/** Says a row as "3 of 24: cygnus, Stopped 2 hours, asleep, version 1.3.9 behind". */
function rowLine(at: number, scene: Scene): string {
	const { accounts, screen, shown, now, times } = scene;
	const row = shown.rows[at];
	if (!row) return '';
	const context = cellContextsOf(scene)(row);
	const { by } = screen.orderings.fleet;
	const placed = placedColumns(spokenTableWidth, screen.columns, accounts.length > 1, by);
	const unread: string[] = [];
	const cells = placed.flatMap(({ column }) => {
		const { name, needsHistory = false } = column;
		const text = needsHistory ? '' : textOf(column.cell(row, context, Number.POSITIVE_INFINITY));
		if (text === '…') unread.push(name === 'stage' ? 'reason' : name);
		const value = spellOut(text);
		if (value === '') return [];
		return [namelessColumns.includes(name) ? value : `${name} ${value}`];
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

/** The columns whose values say what they are. */
const namelessColumns = ['account', 'name', 'status', 'stage'];

function mapLines({ accounts, screen, shown, now }: Scene): readonly string[] {
	const { grouping, colouring } = screen.map;
	const groups = summarizeMap(accounts, shown.allRows, shown.rows, screen.map, now);
	return [
		`Map by ${grouping}, coloured by ${colouring}.`,
		...groups.map(
			({ label, total, levels }) =>
				`${label}: ${pluralize(total, 'computer')}, ${spellOut(levels.join(', '))}.`,
		),
	];
}

export function summaryLines(scene: Scene): readonly string[] {
	const header = spokenHeader({ ...scene, width: frameWidth }).map(spokenSpans);
	const underWay = underWayIn(scene).lines.filter(isSpoken).map(spokenText);
	const { unreadableCount } = scene.account;
	const note = unreadableCount > 0 ? unreadableText(unreadableCount) : '';
	const failing = outageOf(scene.account, scene.now) ? undefined : failureIn(scene);
	const trouble = failing ? [troubleSentences(troubleOf(failing, scene.now))] : [];
	const lines = [...ruleLines(scene), ...header, note, ...underWay].filter(text => text !== '');
	return [...lines.map(text => `${text}.`), ...trouble];
}

export function ruleLines(all: Scene): readonly string[] {
	const scene = { ...all, width: frameWidth };
	const facts = factsOf(all);
	const rules = [viewRule(scene, facts), ...alarmRules(scene, facts)].map(spans =>
		spans.map(([text, tone]): Span => [text.replace(' ▼', ', reversed'), tone]),
	);
	// The titles of the columns say the order of a view.
	const { by, isReversed = false } = (!isTable(all.screen) && currentOrdering(all.screen)) || {};
	const field = by?.replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);
	const order = field === undefined ? '' : `by ${field}${isReversed ? ', reversed' : ''}`;
	return [order, ...rules.map(spokenSpans)]
		.map(text => text.replace(/(^|, )\//, '$1filter '))
		.filter(text => text !== '');
}

function factsOf(scene: Scene): BodyFacts {
	const facts = bodyFactsOf({ ...scene, width: frameWidth }, undefined);
	if (isTable(scene.screen)) return facts;
	return { ...facts, matchCount: placeOf(scene).choiceList?.choices.length ?? 0 };
}

export function filterResult(all: Scene): string {
	const parts = resultParts({ ...all, width: frameWidth }, factsOf(all));
	return spokenSpans(joinedParts(parts));
}

/** The details are of one computer, so all of them are spoken but a long history. */
const linesOfDetails = 30;

/** The lines from the cursor on, and how many follow. */
export function pageOf({ id, lineCount, lineAt, index }: Place): readonly string[] {
	const isOfComputer = id.startsWith('details');
	const end = Math.min(lineCount, index + (isOfComputer ? linesOfDetails : linesPerPage));
	const lines = Array.from({ length: end - index }, (_, at) => lineAt(index + at));
	const rest = lineCount - end;
	return rest === 0
		? lines
		: [...lines, `${pluralize(rest, 'more line')}: press page down to continue.`];
}
