import { homeView, type View, viewRows, views } from '../look/view-table.ts';

/** The text fields, into which letters are typed. A `field` belongs to a question, such as a name or a port. */
export const fieldPlaces = ['filter', 'palette', 'field', 'password', 'signIn'] as const;

const dialogPlaces = [
	...fieldPlaces,
	'question',
	'columns',
	'order',
	'help',
	/** A terminal too small to show the screen. Questions are neither opened nor answered there. */
	'tooSmall',
] as const;

/** The map shows the same computers as the table, so the keys of the fleet view work there unless the map has other uses. */
const mapPlace = 'map';

export type Place = View | typeof mapPlace | (typeof dialogPlaces)[number];

export type Where = readonly (Place | 'everywhere')[];

export const viewPlaces: readonly Place[] = views;

export const places: readonly Place[] = [...views, mapPlace, ...dialogPlaces];

/** The place whose keys work here as well. */
export const outerPlaceOf = (place: Place): Place | undefined =>
	place === mapPlace ? homeView : undefined;

export const isViewPlace = (place: Place) => viewPlaces.includes(outerPlaceOf(place) ?? place);

/** The menus and lists that are open over a view ask no question. */
export const isMenuPlace = (place: Place) => ['columns', 'order', 'help'].includes(place);

export const isFieldPlace = (place: Place | 'everywhere') =>
	fieldPlaces.some(each => each === place);

export const isTablePlace = (place: Place) => place === homeView || place === mapPlace;

export function worksIn({ where }: { where: Where }, place: Place): boolean {
	const outer = outerPlaceOf(place);
	return where.includes(place) || (outer !== undefined && where.includes(outer));
}

/** In the order of the help. */
export const helpHeadings: readonly (readonly [Place | 'everywhere', string])[] = [
	...views.map(view => [view, viewRows[view].keysTitle] as const),
	[mapPlace, 'In the map'],
	['question', 'In a question'],
	['field', 'While typing'],
	['password', 'While typing a password'],
	['signIn', 'In the sign-in form'],
	['filter', 'While typing a filter'],
	['palette', 'In the palette'],
	['columns', 'While choosing columns'],
	['order', 'While choosing the order'],
	['help', 'In the help'],
	['everywhere', 'Everywhere'],
];

export const helpGroups = ['Go', 'Look', 'Do', 'Mark', 'Program'] as const;

export type HelpGroup = (typeof helpGroups)[number];
