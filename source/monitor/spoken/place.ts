import { gap } from '../../lines/line.ts';
import { isSpoken, spellOut, spokenSpans, spokenText } from '../../lines/print.ts';
import { outageOf } from '../../store/freshness.ts';
import { detail } from '../../views/detail.ts';
import { summarizeMap } from '../../views/fleet/map.ts';
import { spokenRow } from '../../views/fleet/row-line.ts';
import { emptyTableLines } from '../../views/frame/empty-table.ts';
import { spokenFrame } from '../../views/frame/spoken.ts';
import type { ChoiceList } from '../../views/look/choice.ts';
import { cursorIndex } from '../../views/look/cursor.ts';
import { isTextView } from '../../views/look/view-table.ts';
import { choicesIn } from '../../views/open-text.ts';
import { troubleOf, troubleSentences } from '../../views/phrases/reads.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { Scene } from '../../views/scene.ts';
import { textViews } from '../../views/text-views.ts';
import { underWayIn } from '../../views/under-way.ts';
import type { View } from '../../views/view.ts';
import { failureIn } from './news.ts';

export const linesPerPage = 10;

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
	const row = scene.shown.rows[cursorIndex(scene.screen, scene.shown.ids)];
	return row && isDetailOpen ? textPlace(`details ${row.id}`, detail, scene) : tablePlace(scene);
}

function textPlace(id: string, view: View, scene: Scene): Place {
	const lines = view.lines(scene).filter(isSpoken);
	const list = { choices: choicesIn(lines), top: 0, windowLines: linesPerPage, isSpoken: true };
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
		choiceList: view.hasCursor ? list : undefined,
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
		lineAt: at => (rows.length === 0 ? empty().trim() : spokenRow(at, scene)),
		index: Math.max(0, cursorIndex(screen, ids)),
	};
}

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
	const underWay = underWayIn(scene).lines.filter(isSpoken).map(spokenText);
	const failing = outageOf(scene.account, scene.now) ? undefined : failureIn(scene);
	const trouble = failing ? [troubleSentences(troubleOf(failing, scene.now))] : [];
	return [...[...spokenFrame(scene), ...underWay].map(text => `${text}.`), ...trouble];
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
