import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { DialogEntry, SeenDialog, TableWhenAsked } from './dialogs.ts';
import type { Notice } from './notice.ts';
import type { SignInForm } from './sign-in-form.ts';
import type { LineHistories } from './typed-line.ts';
import {
	type Filters,
	homeView,
	initialFilters,
	initialOrderings,
	isTextView,
	type Orderings,
	type View,
} from './view-table.ts';

/** A setting that can be changed while the monitor runs, with the word of its present value and all words. */
export type ChangeableSetting = {
	/** The name in the configuration, such as `notify.creditsLow`. */
	name: string;
	label: string;
	note: string;
	present: string;
	words: readonly string[];
	isRefused: boolean;
};

/** The fields that can group and colour the map of the fleet, in the order in which the key of the groups goes through them. */
export const groupings = ['location', 'status', 'version', 'account'] as const;

export type MapField = (typeof groupings)[number];

/** The same fields in the order in which the key of the colours goes through them. */
export const colourings: readonly MapField[] = ['status', 'version', 'location', 'account'];

/** The fields that can divide the computers of one account. */
export const groupingsOfOneAccount: readonly MapField[] = ['location', 'status', 'version'];

export type MapLook = { isOpen: boolean; grouping: MapField; colouring: MapField };

export const initialMapLook: MapLook = {
	isOpen: false,
	grouping: 'location',
	colouring: 'status',
};

/** The cursor stays on its computer when the rows move. */
type Cursor = {
	id: GlobalId;
	/** The index of the computer. If it is removed, the computer at this index takes its place. */
	index: number;
	/** The line of the cursor in the window, which stays the same when rows above appear or disappear. */
	line: number;
	/** The column of the map that the cursor returns to after a row that was too short. */
	column?: number | undefined;
	/** Whether the table keeps its first row in sight, where new trouble appears, while the cursor is visible. */
	isAtTop?: boolean;
};

/** A cursor stays on its line when lines appear above it. */
type ListCursor = {
	id: string;
	/** If the line disappears, the choice at this index takes its place. */
	index: number;
	/** The line when the cursor moved there, so that the choice stays in place when lines appear above it. */
	line: number;
};

/** The help covers a view and has a cursor of its own. */
type ListCursors = Readonly<Partial<Record<View | 'help', ListCursor>>>;

export type Payment =
	| { state: 'opening' }
	| { state: 'open'; url: string; openedAt: number }
	| { state: 'failed'; failure: Failure };

/** A question about the program or the account, not about computers. */
export type Confirmation = {
	about: 'unlock' | 'leave' | 'pay' | 'billing' | 'removeAccount' | 'signOut';
	openingKey: string;
	/** The account that the question is about, and the name by which a person knows it; absent for the program. */
	account?: { key: string; name: string };
	/** A sentence that says why the request may not be needed, such as that billing has already started. */
	present?: string;
	equivalentCommand?: string;
};

export type ColumnChoice = { name: string; isShown: boolean; isFixed: boolean };

type NamedComputer = { id: GlobalId; name: string };

/** `asked` is the id of the batch, or the key of the only operation. */
type CapturedRows = { asked: string; filter: string; ids: readonly GlobalId[] };

export const initialHelp = {
	filter: '',
	isFiltering: false,
	/** Whether each key is listed with its name for the configuration instead of its explanation. */
	showsNames: false,
};

/** What going back from something shows again; a filter of the table too, which opening a line may replace. */
type LookBehind = {
	look: Pick<Screen, 'view' | 'scroll' | 'listCursors' | 'filters' | 'isDetailOpen'>;
	/** Whether the details of a computer were opened from the view, so that closing them leads back. */
	hasOpenedDetail: boolean;
};

/** How a person looks at the fleet. No fact changes this state. */
export type Screen = {
	view: View;
	isDetailOpen: boolean;
	isHelpOpen: boolean;
	help: typeof initialHelp;
	isWelcomeOpen: boolean;
	entry?: DialogEntry;
	/** The dialog that a person can see; undefined while none is open, or while it is not drawn yet. */
	seenDialog?: SeenDialog;
	lineHistories: LineHistories;
	savedFilters: Readonly<Record<string, string>>;
	/**
	 * The open palette, with the id of the chosen result. The choice stays on its result. `under` is the computer
	 * under the cursor when the palette was opened in a view that is not the table of computers.
	 */
	palette?: { chosenId: string | undefined; under?: NamedComputer | undefined };
	confirmation?: Confirmation;
	tableWhenAsked?: TableWhenAsked;
	cursor?: Cursor;
	/** The computers of operations that were asked for under a filter. Their rows stay under this filter. */
	capturedRows: readonly CapturedRows[];
	marks: ReadonlySet<GlobalId>;
	/** The computer that was marked last, at which the next range of marks begins. */
	rangeStart?: GlobalId;
	scroll: number;
	listCursors: ListCursors;
	/** The views to which going back leads, the latest last. */
	viewsBehind: readonly LookBehind[];
	/** The ids of the lines whose parts are visible below them, such as the operations of a batch. */
	unfoldedIds: ReadonlySet<string>;
	filters: Filters;
	/** The filter and the cursor from before a filter was typed. Esc in the field of the filter returns to both. */
	beforeFiltering?: { filter: string; cursor: Cursor | undefined };
	isFiltering: boolean;
	isOrderMenuOpen: boolean;
	orderings: Orderings;
	map: MapLook;
	/** The names of the columns from left to right; undefined for the defaults. */
	columns?: readonly string[];
	/** The column menu: all columns, and the index of its cursor. */
	columnMenu?: { choices: readonly ColumnChoice[]; index: number };
	/** The settings that the palette can change. */
	settings: readonly ChangeableSetting[];
	themeChoice?: 'dark' | 'light';
	payment?: Payment;
	signInForm?: SignInForm;
	/** The message in reply to the last key. It disappears after a while. */
	notice?: Notice;
};

export function initialScreen(): Screen {
	return {
		view: homeView,
		isDetailOpen: false,
		isHelpOpen: false,
		help: initialHelp,
		isWelcomeOpen: false,
		lineHistories: {},
		savedFilters: {},
		capturedRows: [],
		marks: new Set(),
		scroll: 0,
		listCursors: {},
		viewsBehind: [],
		unfoldedIds: new Set(),
		filters: initialFilters,
		isFiltering: false,
		isOrderMenuOpen: false,
		orderings: initialOrderings,
		map: initialMapLook,
		settings: [],
	};
}

export function currentFilter({ view, filters }: Pick<Screen, 'view' | 'filters'>): string {
	const filtersByView: Partial<Record<View, string>> = filters;
	return filtersByView[view] ?? '';
}

type NamedOrder = { by: string; isReversed: boolean };

export function currentOrdering({ view, orderings }: Screen): NamedOrder | undefined {
	const orderingsByView: Partial<Record<View, NamedOrder>> = orderings;
	return orderingsByView[view];
}

/** Whether the current view is the table of computers. It may be hidden behind the help. */
export function isTable({ view }: Pick<Screen, 'view'>): boolean {
	return !isTextView(view);
}

export function isMap({ view, map }: Pick<Screen, 'view' | 'map'>): boolean {
	return isTable({ view }) && map.isOpen;
}
