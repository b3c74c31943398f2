import type { SignInAnswers, SignInField } from '../../accounts/sign-in-fields.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { Span, Tone } from '../../lines/span.ts';
import type { OwnColours } from '../../lines/theme.ts';
import type { ExitSummary } from '../../operations/operations.ts';
import type { Place } from '../keys.ts';
import {
	type DialogEntry,
	dialogEntryFor,
	type LineHistories,
	type SeenDialog,
} from './typed-line.ts';
import {
	type Filters,
	homeView,
	initialFilters,
	initialOrderings,
	isFilterable,
	isOrderable,
	isTextView,
	type Orderings,
	type ViewName,
} from './view-table.ts';

export type ChangeableSetting = {
	/** The name in the configuration, such as `notify.creditsLow`. */
	name: string;
	label: string;
	note: string;
	present: string;
	words: readonly string[];
	isRefused: boolean;
};

/** By which the map groups and colours the computers, in the order of the keys. */
export const groupings = ['location', 'status', 'version', 'account'] as const;

export type GroupField = (typeof groupings)[number];

/** The heading of a group of the table. No account has an empty name, so no computer has this id. */
export type HeadingId = `\n${string}`;

export type LineId = GlobalId | HeadingId;

export const headingId = (field: GroupField, value = ''): HeadingId => `\n${field} ${value}`;

/** Among the folded groups, this stands for all groups of the field, also for those that come later. The others there are then open. */
export const everyGroupLike = (id: HeadingId): HeadingId => `\n${id.slice(1).split(' ')[0]}`;

export const isGroupFolded = (folded: Screen['foldedGroups'], id: HeadingId): boolean =>
	folded.has(everyGroupLike(id)) !== folded.has(id);

export const isHeadingId = (id: LineId | undefined): id is HeadingId => String(id).startsWith('\n');

export type MapLook = { isOpen: boolean; grouping: GroupField; colouring: GroupField };

export const initialMapLook: MapLook = { isOpen: false, grouping: 'location', colouring: 'status' };

type Cursor = {
	id: LineId;
	/** If the computer is removed, the computer at this index takes its place. */
	index: number;
	/** The line in the window, which stays the same when rows above appear or disappear. */
	line: number;
	/** The column of the map to which the cursor returns after a row that was too short. */
	column?: number | undefined;
	/** Whether the table keeps its first row in sight, where new trouble appears, while the cursor is visible. */
	isAtTop?: boolean;
};

type ListCursor = Pick<Cursor, 'index' | 'line'> & { id: string };

type Payment =
	| { state: 'opening' }
	| { state: 'open'; url: string; openedAt: number }
	| { state: 'failed'; failure: Failure };

/** A question about the program or the account, not about computers. Its verbs are in the third person. */
export type Confirmation = {
	title: string;
	/** What a person must read, such as the operations under way that it cancels. */
	lines: (underWay: ExitSummary) => readonly Span[];
	tone?: Tone;
	accept: string;
	refuse?: string;
	openingKey: string;
	onYes: () => void;
	account?: string;
	isQuit?: boolean;
	equivalentCommand?: string;
};

type ColumnChoice = { name: string; isShown: boolean; isFixed: boolean };

type CapturedRows = {
	/** The id of the batch, or the key of the only operation. */
	asked: string;
	filter: string;
	ids: readonly GlobalId[];
	/** These come back if all of so many operations are cancelled. */
	marks?: { ids: ReadonlySet<GlobalId>; operationCount: number };
};

/** What is open over the view until Esc closes it; one thing at a time. */
export type Open =
	| { kind: 'welcome' | 'order' }
	| HelpLook
	/** `under` is the computer of the line from which the palette was opened, in a view that is not the table. */
	| { kind: 'palette'; chosenId?: string; under?: { id: GlobalId; name: string } }
	| { kind: 'columns'; choices: readonly ColumnChoice[]; index: number }
	/** The field of the filter. Esc returns to what there was before. */
	| { kind: 'filter'; before: { filter: string; cursor: Cursor | undefined } }
	| { kind: 'signIn'; form: SignInForm };

type HelpLook = {
	kind: 'help';
	filter: string;
	isFiltering: boolean;
	/** Whether each key is listed with its name for the configuration instead of its explanation. */
	showsNames: boolean;
};

export const initialHelp: HelpLook = {
	kind: 'help',
	filter: '',
	isFiltering: false,
	showsNames: false,
};

export const helpOf = ({ open }: Pick<Screen, 'open'>): HelpLook =>
	open?.kind === 'help' ? open : initialHelp;

/** What going back from something shows again; a filter of the table too, which opening a line may replace. */
type LookBehind = {
	look: Pick<Screen, 'view' | 'scroll' | 'listCursors' | 'filters' | 'isDetailOpen'>;
	/** Whether the details of a computer were opened from the view, so that closing them leads back. */
	hasOpenedDetail: boolean;
};

export type SignInForm = {
	field: SignInField;
	answers: SignInAnswers;
	stayingNames: readonly string[];
	trial?: AbortController;
	refusedCount: number;
	/** A note about a correction of the answer before, such as an ending that was added. */
	note?: string | undefined;
};

export type Notice = MessageParts & {
	shownAt: number;
	isLasting?: boolean;
	/** It disappears soon after the read that it announces has ended. */
	isAboutRead?: boolean;
	/** The key of the operation, or the id of the batch, whose outcome the notice tells. */
	outcomeOf?: string | undefined;
};

/** A message such as why a key did nothing, in parts for narrow screens. */
export type MessageParts = {
	/** As in "Cannot stop ". It leaves first, because a person knows the key. */
	what?: string;
	/** As in "atlas: already stopped". It is never left out. */
	why: string;
	/** As in ": r restarts it". */
	advice?: string;
	hint?: string;
};

/** How a person looks at the fleet. No fact changes this state. */
export type Screen = {
	view: ViewName;
	isDetailOpen: boolean;
	open?: Open;
	entry?: DialogEntry;
	seenDialog?: SeenDialog;
	lineHistories: LineHistories;
	savedFilters: Readonly<Record<string, string>>;
	confirmation?: Confirmation;
	/** The rows that passed the filter when a question was asked; undefined without a filter. */
	passingWhenAsked?: ReadonlySet<GlobalId>;
	cursor?: Cursor;
	capturedRows: readonly CapturedRows[];
	marks: ReadonlySet<GlobalId>;
	rangeStart?: GlobalId;
	/** These stand on top in every order. A computer that is not known now may come back. */
	pins: ReadonlySet<GlobalId>;
	scroll: number;
	listCursors: Readonly<Partial<Record<ViewName | 'help', ListCursor>>>;
	pastAt?: number | undefined;
	viewsBehind: readonly LookBehind[];
	unfoldedIds: ReadonlySet<string>;
	filters: Filters;
	orderings: Orderings;
	map: MapLook;
	grouping?: GroupField | undefined;
	foldedGroups: ReadonlySet<HeadingId>;
	/** From left to right; undefined for the defaults. */
	columns?: readonly string[] | undefined;
	defaultColumns?: readonly string[] | undefined;
	settings: readonly ChangeableSetting[];
	themeChoice?: 'dark' | 'light';
	ownColours?: OwnColours | undefined;
	payment?: Payment;
	notice?: Notice;
};

export function initialScreen(): Screen {
	return {
		view: homeView,
		isDetailOpen: false,
		lineHistories: {},
		savedFilters: {},
		capturedRows: [],
		marks: new Set(),
		pins: new Set(),
		scroll: 0,
		listCursors: {},
		viewsBehind: [],
		unfoldedIds: new Set(),
		filters: initialFilters,
		orderings: initialOrderings,
		map: initialMapLook,
		foldedGroups: new Set(),
		settings: [],
	};
}

export const currentFilter = ({ view, filters }: Pick<Screen, 'view' | 'filters'>): string =>
	isFilterable(view) ? filters[view] : '';

/** A filter that is applied already is followed by a space, for another word. */
export function filterEntryOf(screen: Pick<Screen, 'entry' | 'view' | 'filters'>): DialogEntry {
	const filter = currentFilter(screen);
	return dialogEntryFor(screen.entry, 'filter', filter === '' ? '' : `${filter.trimEnd()} `);
}

export const currentOrdering = ({ view, orderings }: Screen) =>
	isOrderable(view) ? orderings[view] : undefined;

export const isTable = ({ view }: Pick<Screen, 'view'>): boolean => !isTextView(view);

export const isMap = ({ view, map }: Pick<Screen, 'view' | 'map'>): boolean =>
	isTable({ view }) && map.isOpen;

/** Where the keys of the view work while nothing is open over it. */
export const placeOfView = (screen: Pick<Screen, 'view' | 'map'>): Place =>
	isMap(screen) ? 'map' : screen.view;

export const isHelpOpen = ({ open }: Pick<Screen, 'open'>): boolean => open?.kind === 'help';
