import { hiddenUnreadCount } from '../fleet/rows.ts';
import { tableWidth } from '../layout.ts';
import { type Choice, chosenChoiceOf, firstVisibleLine, type VisibleRows } from '../look/cursor.ts';
import { shownFilterMistake } from '../look/filter-mistake.ts';
import { currentFilter, isHelpOpen, isMap, isTable } from '../look/screen.ts';
import { viewRows } from '../look/view-table.ts';
import { isTableShown, type OpenText } from '../open-text.ts';
import type { Scene } from '../scene.ts';
import { hasSpareLines } from './empty-table.ts';

/** The scene of the lines around a view, with what they say about it. */
export type FrameScene = Scene & {
	isTableSeen: boolean;
	tableEnd: number;
	/** The view or the lines below the table show the newest changes, so that nothing else has to. */
	areChangesSeen: boolean;
	choice: Choice | undefined;
	choiceCount: number | undefined;
	matchCount: number;
	/** The filter may match these hidden rows once they are read. */
	notReadCount: number;
	mistake: ReturnType<typeof shownFilterMistake>;
	completions: VisibleRows['filterCompletions'];
};

export function frameSceneOf(scene: Scene, text: OpenText | undefined): FrameScene {
	const { screen, shown, layout, width } = scene;
	const isTableSeen = isTableShown(scene, text);
	const tableEnd = isTableSeen && text ? tableWidth(screen, width) : width;
	const spareLines = layout.tableRowCount - shown.allRows.length;
	const hasSpare = isTableSeen && !isMap(screen) && hasSpareLines(spareLines, tableEnd);
	const isLogInSight =
		viewRows[screen.view].showsNewestChanges === true &&
		!isHelpOpen(screen) &&
		currentFilter(screen) === '' &&
		firstVisibleLine(screen, text?.choiceList) === 0;
	const choiceCount = text?.choiceList?.choices.length;
	return {
		...scene,
		isTableSeen,
		tableEnd,
		areChangesSeen: hasSpare || isLogInSight,
		choice: chosenChoiceOf(screen, text?.choiceList),
		choiceCount,
		matchCount: isTable(screen) ? shown.rows.length - shown.keptIds.size : (choiceCount ?? 0),
		notReadCount: hiddenUnreadCount(screen, shown),
		mistake: shownFilterMistake(shown.allRows, screen),
		completions: text?.filterCompletions ?? shown.filterCompletions,
	};
}
