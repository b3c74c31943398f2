import { changeFilterMistake } from '../../fleet/change.ts';
import { modelFields, modelFilterMistake } from '../../fleet/computers/account.ts';
import { type Ordering, troubleFirst } from '../../fleet/computers/fields.ts';
import type { FilterMistake } from '../../fleet/filters/filter.ts';

type ViewRow = {
	title: string;
	/** A few words: the help says them after the name of the view, in a narrow column. */
	about: string;
	/** More words by which the palette and the help find it. They are not shown. */
	words?: string;
	key: string;
	keysTitle: string;
	filterHints?: readonly string[];
	filterMistake?: (filter: string) => FilterMistake | undefined;
	/** From left to right. The table is ordered by its visible columns. */
	orderFields?: readonly string[];
	/** It has no tab in the header, and the Tab key skips it. */
	isApart?: boolean;
	showsNewestChanges?: boolean;
	followsEnd?: boolean;
};

/** In the order of the Tab key. Screen, keys, help, palette and speech derive from it. */
const viewTable = {
	fleet: {
		title: 'Fleet',
		about: 'the table of computers',
		key: '1',
		keysTitle: 'In the table',
	},
	billing: {
		title: 'Billing',
		about: 'credits, plans, payment page',
		words: 'cost costs price money spending balance burn top up subscription invoice',
		key: '2',
		keysTitle: 'In the billing view',
	},
	models: {
		title: 'Models',
		about: 'prices, context sizes',
		words: 'cost costs tokens llm ai',
		key: '3',
		keysTitle: 'In the models view',
		filterHints: ['words', 'owner:', 'context:>128k', 'input:<1', 'output:<5', '-not'],
		filterMistake: modelFilterMistake,
		orderFields: modelFields,
	},
	versions: {
		title: 'Versions',
		about: 'releases, computers behind',
		words: 'updates upgrade outdated notes',
		key: '4',
		keysTitle: 'In the versions view',
	},
	log: {
		title: 'Log',
		about: 'what happened, newest first',
		words: 'history events activity why failures',
		key: '5',
		keysTitle: 'In the log',
		filterHints: ['words', 'who:you', 'since:8h', 'on:yesterday', 'kind:failure', '-not'],
		filterMistake: changeFilterMistake,
		showsNewestChanges: true,
	},
	output: {
		title: 'Output',
		about: 'the output of own commands',
		isApart: true,
		followsEnd: true,
		key: 'O',
		keysTitle: 'In the output of commands',
	},
} satisfies Readonly<Record<string, ViewRow>>;

export type ViewName = keyof typeof viewTable;

export type TextViewName = Exclude<ViewName, 'fleet'>;

export const initialFilters = { fleet: '', models: '', log: '' };

export type Filters = Readonly<typeof initialFilters>;

export const isFilterable = (view: ViewName): view is keyof Filters => view in initialFilters;

export type Orderings = {
	readonly fleet: Ordering;
	readonly models: { by: (typeof modelFields)[number]; isReversed: boolean };
};

export const initialOrderings: Orderings = {
	fleet: troubleFirst,
	models: { by: 'id', isReversed: false },
};

export const isOrderable = (view: ViewName): view is keyof Orderings => view in initialOrderings;

export const viewRows: Readonly<Record<ViewName, ViewRow>> = viewTable;

export const views = Object.keys(viewTable) as readonly ViewName[];

export const tabViews = views.filter(view => !viewRows[view].isApart);

export const homeView: ViewName = 'fleet';

export const endScrollPosition = 1e9;

export const isTextView = (view: ViewName): view is TextViewName => view !== homeView;
