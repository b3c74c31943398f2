import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { isHelpOpen, type Screen } from './screen.ts';
import { endScrollPosition } from './view-table.ts';

type Opening =
	| { type: 'computer'; id: GlobalId; name: string }
	| { type: 'filter'; text: string }
	/** The lines that this line sums up. If they are visible already, Enter hides them. */
	| { type: 'parts' };

export type Choice = {
	id: string;
	line: number;
	opens?: Opening | undefined;
	isCancellable?: boolean | undefined;
	hasFailed?: boolean | undefined;
};

export type ChoiceList = {
	choices: readonly Choice[];
	windowLines: number;
	/** A spoken list has no cursor, so the chosen line is the line at the scroll position. */
	isSpoken?: boolean;
};

type Place = Pick<Screen, 'view' | 'open' | 'listCursors' | 'scroll'>;

const openList = (place: Place) => (isHelpOpen(place) ? 'help' : place.view);

export function choiceIndex(place: Place, choices: readonly Choice[]): number {
	const cursor = place.listCursors[openList(place)];
	if (!cursor) return Math.min(0, choices.length - 1);
	const index = choices.findIndex(({ id }) => id === cursor.id);
	return index >= 0 ? index : Math.min(cursor.index, choices.length - 1);
}

export function chosenChoiceOf(place: Place, list: ChoiceList | undefined): Choice | undefined {
	if (list?.isSpoken) return list.choices.find(({ line }) => line === place.scroll);
	return list?.choices[choiceIndex(place, list.choices)];
}

export const chosenChoice = ({ screen, shown }: { screen: Screen; shown: Listed }) =>
	chosenChoiceOf(screen, shown.choiceList?.());

type Listed = { choiceList?: () => ChoiceList | undefined };

/** The line under the cursor stays where it is. Only beyond the first and the last choice does the text scroll alone. */
export function firstVisibleLine(place: Place, list: ChoiceList | undefined): number {
	const { scroll } = place;
	if (!list || list.isSpoken) return scroll;
	const { choices, windowLines } = list;
	const index = choiceIndex(place, choices);
	const { line = 0 } = choices[index] ?? {};
	const lineBefore = place.listCursors[openList(place)]?.line ?? line;
	const first = Math.max(0, scroll + line - lineBefore);
	if (index > 0 && line >= first + windowLines) return line - windowLines + 1;
	return index >= 0 && index < choices.length - 1 ? Math.min(first, line) : first;
}

export const withCursorKept = (screen: Screen, list: ChoiceList): Screen =>
	withChoiceMoved(screen, 0, list, Number.POSITIVE_INFINITY);

/** Shows the cursor and the heading above it. Beyond the first and the last choice, the text scrolls. */
export function withChoiceMoved(
	screen: Screen,
	steps: number,
	list: ChoiceList,
	maxScroll: number,
): Screen {
	const { choices, windowLines } = list;
	const from = choiceIndex(screen, choices);
	const index = Math.max(0, Math.min(from + steps, choices.length - 1));
	const choice = choices[index];
	if (!choice) return screen;
	const { id, line } = choice;
	const first = firstVisibleLine(screen, list);
	const shown = Math.max(line - windowLines + 1, Math.min(first, line - 1));
	const goesOn = index === from || Math.abs(steps) >= endScrollPosition;
	const wanted = goesOn ? first + steps : index === 0 && line < windowLines ? 0 : shown;
	const scroll = Math.max(0, Math.min(wanted, maxScroll));
	// After a jump to the first line, the cursor stays on top when newer lines appear.
	const isJump = index === 0 && -steps > choices.length;
	const cursor = isJump ? undefined : { id, index, line };
	return { ...screen, scroll, listCursors: { ...screen.listCursors, [openList(screen)]: cursor } };
}

/** By as many lines as are in sight, which may have headings or several choices among them. */
export function withChoicePaged(
	screen: Screen,
	lines: number,
	list: ChoiceList,
	maxScroll: number,
): Screen {
	const { choices, windowLines } = list;
	const from = choiceIndex(screen, choices);
	const most = windowLines - 1;
	const wanted = (choices[from]?.line ?? 0) + Math.max(-most, Math.min(lines, most));
	const found =
		lines > 0
			? choices.findLastIndex(({ line }) => line <= wanted)
			: choices.findIndex(({ line }) => line >= wanted);
	return withChoiceMoved(screen, found - from || Math.sign(lines), list, maxScroll);
}
