import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { endScrollPosition, type View } from './view-table.ts';

type Opening =
	| { type: 'computer'; id: GlobalId; name: string }
	| { type: 'filter'; text: string }
	/** The lines that this line sums up. If they are visible already, Enter hides them. */
	| { type: 'parts' };

/** A line that the cursor can choose, in a view that is not the table of computers. */
export type Choice = {
	/** Identifies the line even when other lines appear or disappear. */
	id: string;
	line: number;
	opens?: Opening | undefined;
	/** Whether the line is an operation of this process that was not sent. */
	isCancellable?: boolean | undefined;
	hasFailed?: boolean | undefined;
};

/** The lines that the cursor can choose, and the window in which they are. */
export type ChoiceList = {
	choices: readonly Choice[];
	top: number;
	windowLines: number;
	/**
	 * Whether the list is spoken. A spoken list has no cursor, so the chosen line is the line at the scroll position.
	 */
	isSpoken?: boolean;
	/** Whether the lines belong to the help, which has its own cursor. */
	isOfHelp?: boolean;
};

/** The cursor stays on its line when lines appear above it. */
type ViewCursor = {
	id: string;
	/** The index of the choice. If the line disappears, the choice at this index takes its place. */
	index: number;
	/**
	 * The line number of the choice when the cursor moved there. It keeps the choice in place when lines appear above
	 * it.
	 */
	line: number;
};

export type ViewCursors = Readonly<Partial<Record<View, ViewCursor>>>;

/** A view as it was when something was opened from it, so that going back shows it again. */
export type ViewBehind = {
	view: View;
	scroll: number;
	cursor: ViewCursors[View];
	/** The filter of the table, which opening a line may replace. */
	filter: string;
	isDetailOpen: boolean;
	/** Whether the details of a computer were opened from the view, so that closing them leads back. */
	hasOpenedDetail: boolean;
};

type Place = {
	view: View;
	viewCursors: ViewCursors;
	scroll: number;
	help: { chosenId: string | undefined };
};

/** Returns the index of the choice under the cursor, or -1 without choices. */
export function choiceIndex(cursor: ViewCursor | undefined, choices: readonly Choice[]): number {
	if (choices.length === 0) return -1;
	if (!cursor) return 0;
	if (choices[cursor.index]?.id === cursor.id) return cursor.index;
	const index = choices.findIndex(({ id }) => id === cursor.id);
	return index >= 0 ? index : Math.min(cursor.index, choices.length - 1);
}

export function chosenChoiceOf(place: Place, list: ChoiceList | undefined): Choice | undefined {
	if (!list) return undefined;
	const { choices, top, isSpoken = false } = list;
	if (isSpoken) return choices.find(({ line }) => top + line === place.scroll);
	return choices[choiceIndex(place.viewCursors[place.view], choices)];
}

/**
 * Returns the first visible line of the text, so that the line under the cursor stays where it is, and in sight when the
 * window has become smaller. Only beyond the first and the last choice may the text be scrolled without the cursor.
 */
export function firstVisibleLine(
	{ view, viewCursors, scroll, help }: Place,
	list: ChoiceList | undefined,
): number {
	if (!list || list.isSpoken) return scroll;
	const { choices, top, windowLines, isOfHelp } = list;
	const cursor = isOfHelp ? undefined : viewCursors[view];
	const index = isOfHelp
		? choices.findIndex(({ id }) => id === help.chosenId)
		: choiceIndex(cursor, choices);
	const line = top + (choices[index]?.line ?? 0);
	const first = cursor ? Math.max(0, scroll + line - cursor.line) : scroll;
	if (index > 0 && line >= first + windowLines) return line - windowLines + 1;
	if (index >= 0 && index < choices.length - 1 && line < first) return line;
	return first;
}

/** Keeps the cursor on its choice when lines appear above it, even if the person has not moved the cursor yet. */
export function withCursorKept<P extends Place>(place: P, list: ChoiceList): P {
	return withChoiceMoved(place, 0, list, () => Number.POSITIVE_INFINITY);
}

/**
 * Moves the cursor by this number of choices, and scrolls as little as possible to show the cursor. Beyond the first
 * and the last choice, the text scrolls. A jump to an end shows the end of the text.
 */
export function withChoiceMoved<P extends Place>(
	place: P,
	steps: number,
	list: ChoiceList,
	maxScroll: () => number,
): P {
	const { choices, top, windowLines } = list;
	const { view, viewCursors } = place;
	const from = choiceIndex(viewCursors[view], choices);
	const index = Math.max(0, Math.min(from + steps, choices.length - 1));
	const choice = choices[index];
	const first = firstVisibleLine(place, list);
	if (!choice) return place;
	const line = top + choice.line;
	const lowest = Math.max(0, maxScroll());
	const goesOn = index === from || Math.abs(steps) >= endScrollPosition;
	const wanted = goesOn ? first + steps : Math.max(line - windowLines + 1, first);
	// At the first choice, the text scrolls to its beginning, so that the titles of the table are visible.
	const shown = index === 0 && line < windowLines ? 0 : Math.min(wanted, line);
	const scroll = Math.max(0, Math.min(goesOn ? wanted : shown, lowest));
	// After a jump to the first line, the cursor stays on top when newer lines appear.
	const isJump = index === 0 && -steps > choices.length;
	const cursor = isJump ? undefined : { id: choice.id, index, line };
	return { ...place, scroll, viewCursors: { ...viewCursors, [view]: cursor } };
}

export type HelpLook = {
	/** The key under the cursor; undefined for the first one. */
	chosenId: string | undefined;
	filter: string;
	isFiltering: boolean;
	/** Whether each key is listed with its name for the configuration instead of its explanation. */
	showsNames: boolean;
};

export const initialHelpLook: HelpLook = {
	chosenId: undefined,
	filter: '',
	isFiltering: false,
	showsNames: false,
};

/**
 * Moves the cursor of the help, and scrolls by as few lines as possible to show it. A page moves the text as far as the
 * cursor. Beyond the first and the last key, the text scrolls. A jump to an end shows the end of the text.
 */
export function withHelpMoved<S extends { scroll: number; help: HelpLook }>(
	screen: S,
	steps: number,
	{ choices, windowLines }: ChoiceList,
	maxScroll: () => number,
): S {
	const from = Math.max(
		0,
		choices.findIndex(({ id }) => id === screen.help.chosenId),
	);
	const index = Math.max(0, Math.min(from + steps, choices.length - 1));
	const choice = choices[index];
	if (!choice) return screen;
	const { line } = choice;
	// The heading above the first key of a block stays in sight.
	const highest = Math.max(0, line - 1);
	const isPage = Math.abs(steps) > 1;
	const moved = isPage ? screen.scroll + line - (choices[from]?.line ?? line) : screen.scroll;
	const wanted = isPage ? Math.max(0, Math.min(moved, maxScroll())) : moved;
	const shown = Math.max(line - windowLines + 1, Math.min(wanted, highest));
	const goesOn = index === from || Math.abs(steps) >= endScrollPosition;
	const scroll = goesOn
		? Math.max(0, Math.min(screen.scroll + steps, Math.max(0, maxScroll())))
		: shown;
	return { ...screen, scroll, help: { ...screen.help, chosenId: choice.id } };
}
