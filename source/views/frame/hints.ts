import type { Part } from '../../lines/parts.ts';
import { isTablePlace, isViewPlace, shownKey, worksIn } from '../keys.ts';
import { rowUnderCursor } from '../look/cursor.ts';
import type { Click } from '../look/moves.ts';
import { currentFilter, isMap } from '../look/screen.ts';
import { isFilterable } from '../look/view-table.ts';
import { hintGroups, type Scene } from '../scene.ts';
import { failureOf, isCountingDown } from './messages.ts';

/** While computers are marked, an operation on them is probably next, so its hint stays longer. */
const markedPriority = 4;

export function hintsOf(scene: Scene): readonly Part[] {
	const hasMarks = markedRowsOf(scene).length > 0;
	const hints = scene.actions.flatMap(action => {
		const { keys, hint, operation } = action;
		const [key] = keys;
		if (!hint || key === undefined) return [];
		if (!worksIn(action, scene.place) || action.refusal?.(scene) !== undefined) return [];
		const text = hint.text(scene);
		if (text === undefined) return [];
		const isBack = action.id === 'back';
		const isUrgent = isBack && isCancelOffered(scene);
		const drop = hint.drop - (operation !== undefined && hasMarks ? markedPriority : 0);
		const click: Click = { type: 'key', key };
		const spans: Part['spans'] = [
			[shownKey(key), 'accent', click],
			[` ${text}`, 'faint', click],
		];
		const group = hintGroups.indexOf(isUrgent ? 'now' : hint.group);
		return [{ group, rank: hint.rank, drop: isUrgent || (isBack && scene.live) ? 0 : drop, spans }];
	});
	return hints.toSorted((a, b) => a.group - b.group || a.rank - b.rank);
}

export const markedRowsOf = ({ screen: { marks }, shown: { allRows } }: Scene) =>
	marks.size === 0 ? [] : allRows.filter(row => marks.has(row.id));

/** These keys change the table, so they have no hint while the details hide it. */
export const isTableHidden = ({ place, screen }: Scene) =>
	isTablePlace(place) && screen.isDetailOpen;

export const hasLine = (scene: Scene) =>
	isTablePlace(scene.place)
		? rowUnderCursor(scene) !== undefined
		: scene.shown.choiceList()?.choices.length !== 0;

export const hasVisibleLine = (scene: Scene) =>
	isTablePlace(scene.place)
		? scene.shown.lines.length > 0 && !isTableHidden(scene)
		: hasLine(scene);

export const hasFilteredLines = (scene: Scene) =>
	isFilterable(scene.screen.view) &&
	(hasVisibleLine(scene) || (currentFilter(scene.screen) !== '' && !isTableHidden(scene)));

export const runsCommand = ({ operationsState: { commandRuns } }: Scene) =>
	commandRuns.some(({ endedAt }) => endedAt === undefined);

const isCancelOffered = (scene: Scene) =>
	scene.canChange && !scene.replay && isCountingDown(scene) && isViewPlace(scene.place);

export function escapeHint(scene: Scene): string | undefined {
	const { place, screen } = scene;
	const filter = currentFilter(screen);
	if (place === 'columns') return 'close';
	if (scene.live && isViewPlace(place)) return 'back to now';
	if (isCancelOffered(scene)) return 'cancel';
	if (failureOf(scene) && isViewPlace(place)) return 'clear failure';
	if (!isTablePlace(place)) return filter !== '' && isViewPlace(place) ? 'clear filter' : 'back';
	if (screen.isDetailOpen) return 'back';
	if (screen.marks.size > 0) return 'unmark all';
	if (screen.viewsBehind.length > 0) return 'back';
	if (isMap(screen) && filter === '') return 'table';
	return filter !== '' ? 'clear filter' : undefined;
}
