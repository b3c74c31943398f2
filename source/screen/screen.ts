import type { Model } from '../fleet/account.ts';
import type { Failure } from '../fleet/failure.ts';
import type { FieldName } from '../fleet/field.ts';
import { filterFrom, isStatusAmong } from '../fleet/filter.ts';
import type { Ordering } from '../fleet/ordering.ts';
import type { AccountState } from '../store/state.ts';

/** Where the cursor stands: on a computer, not on a place. */
export type Cursor = {
	id: string;
	/** Where it stood in the list, for when that computer is gone. */
	index: number;
	/** Its line in the window: what is above may come and go, and the cursor's line stays. */
	line: number;
};

export const views = ['fleet', 'billing', 'models', 'versions', 'log'] as const;

export type View = (typeof views)[number];

/** How it goes with a payment page that was asked for. */
export type Payment =
	| { state: 'opening' }
	| { state: 'open'; url: string; at: number }
	| { state: 'failed'; failure: Failure };

/** A question of the program's own, about itself. */
export type Confirmation = {
	about: 'unlock' | 'leave' | 'pay' | 'billing';
	openedAt: number;
	/** The key that it was begun with. */
	askedWith: string;
	/** The equivalent in a shell, where there is one. */
	command?: string;
};

/** A column of the table, as it is chosen. */
export type ColumnChoice = { name: string; isShown: boolean; isFixed: boolean };

/** What a person has before them: how they look at the fleet, not what it is. */
export type Screen = {
	/** The account that is shown. */
	account: string;
	view: View;
	/** The computer under the cursor is shown in full. */
	isDetailOpen: boolean;
	isHelpOpen: boolean;
	/** The first start is greeted. */
	isWelcoming: boolean;
	/** What is looked for by name, how many were found, and which of them is chosen. */
	palette: { text: string; found: number; index: number } | undefined;
	confirmation: Confirmation | undefined;
	cursor: Cursor | undefined;
	/** The ids of computers that the next operation is for. */
	marks: ReadonlySet<string>;
	/** The first line that is shown of a view longer than its window. */
	scroll: number;
	filter: string;
	/** Words that lines of the log must have. */
	logFilter: string;
	/** The filter is being typed. */
	isFiltering: boolean;
	ordering: Ordering;
	/** The names of the table's columns from left to right; the usual ones without. */
	columns: readonly string[] | undefined;
	/** All columns while one chooses among them, and which of them the cursor is on. */
	columnMenu: { choices: readonly ColumnChoice[]; index: number } | undefined;
	modelOrdering: { by: keyof Model; isReversed: boolean };
	payment: Payment | undefined;
	/** How many letters of a password have been typed; which, stands nowhere here. */
	passwordLetters: number;
	/** One line that answers the last key, and since when. It is told for a while only. */
	notice: { text: string; at: number; isLasting?: boolean } | undefined;
};

export function initialScreen(account: string): Screen {
	return {
		account,
		view: 'fleet',
		isDetailOpen: false,
		isHelpOpen: false,
		isWelcoming: false,
		palette: undefined,
		confirmation: undefined,
		cursor: undefined,
		marks: new Set(),
		scroll: 0,
		filter: '',
		logFilter: '',
		isFiltering: false,
		ordering: { by: 'name', isReversed: false },
		columns: undefined,
		columnMenu: undefined,
		modelOrdering: { by: 'id', isReversed: false },
		payment: undefined,
		passwordLetters: 0,
		notice: undefined,
	};
}

/** Whether there is something to filter in the present view. */
export function hasFilter({ view }: Screen): boolean {
	return view === 'fleet' || view === 'log';
}

/** The filter of the present view. */
export function filterIn({ view, filter, logFilter }: Screen): string {
	return view === 'log' ? logFilter : filter;
}

/** What is shown at the moment, for moves that depend on it. */
export type Viewport = {
	/** The computers of the table from first to last, also those that are not in the window. */
	ids: readonly string[];
	/** How many rows the window has. */
	lines: number;
	/** How far the present view can be scrolled; found out when somebody wants to. */
	scrollable: () => number;
	/** The fields that the columns on screen are ordered by, from left to right. */
	fields: readonly FieldName[];
};

/** Where the cursor is in the list now, or -1 in an empty one. Whoever types looks at the first match. */
export function cursorIndex({ cursor, isFiltering }: Screen, ids: readonly string[]): number {
	if (ids.length === 0) return -1;
	if (cursor === undefined) return 0;
	const index = ids[cursor.index] === cursor.id ? cursor.index : ids.indexOf(cursor.id);
	if (index >= 0) return index;
	return isFiltering ? 0 : Math.min(cursor.index, ids.length - 1);
}

/** The first row of the window, such that the cursor is in it and its line moves as little as can be. */
export function firstLine(screen: Screen, { ids, lines }: Viewport): number {
	const index = cursorIndex(screen, ids);
	const line = Math.min(screen.cursor?.line ?? 0, Math.max(0, lines - 1));
	return Math.max(0, Math.min(index - line, ids.length - lines));
}

/** What an operation is for: the marked computers that are there, or else the one under the cursor. */
export function chosenIds(
	screen: Screen,
	ids: readonly string[],
	isThere: (id: string) => boolean,
): readonly string[] {
	const marked = [...screen.marks].filter(isThere);
	const under = ids[cursorIndex(screen, ids)];
	return marked.length > 0 || under === undefined ? marked : [under];
}

/** The same screen with the cursor where its computer, or the one in its place, stands now. */
export function withCursorFollowing(screen: Screen, shown: Viewport): Screen {
	const { ids } = shown;
	const index = cursorIndex(screen, ids);
	const id = ids[index];
	const { cursor } = screen;
	if (!cursor || id === undefined || (cursor.id === id && cursor.index === index)) return screen;
	return { ...screen, cursor: { id, index, line: index - firstLine(screen, shown) } };
}

/** Why the filter of the present view cannot be kept; the log is filtered by words alone. */
export function filterProblem(
	{ computers }: Pick<AccountState, 'computers'>,
	{ view, filter }: Pick<Screen, 'view' | 'filter'>,
): string | undefined {
	return view === 'fleet'
		? filterFrom(filter, isStatusAmong(computers.values())).problem
		: undefined;
}

/** How many of the marked computers the filter hides. */
export function hiddenMarks(
	{ view, filter, marks }: Pick<Screen, 'view' | 'filter' | 'marks'>,
	ids: readonly string[],
): number {
	if (view !== 'fleet' || filter === '' || marks.size === 0) return 0;
	const shown = new Set(ids);
	return [...marks].filter(id => !shown.has(id)).length;
}
