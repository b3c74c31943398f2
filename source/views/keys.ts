import type { OrderField } from '../fleet/computers/fields.ts';
import { capitalized } from '../foundation/letter-case.ts';
import { homeView, type ViewName, viewRows, views } from './look/view-table.ts';

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

export type Place = ViewName | typeof mapPlace | (typeof dialogPlaces)[number];

export type Where = readonly (Place | 'everywhere')[];

export const viewPlaces: readonly Place[] = views;

export const places: readonly Place[] = [...views, mapPlace, ...dialogPlaces];

export const outerPlaceOf = (place: Place): Place | undefined =>
	place === mapPlace ? homeView : undefined;

export const isViewPlace = (place: Place) => viewPlaces.includes(outerPlaceOf(place) ?? place);

export const isMenuPlace = (place: Place) => ['columns', 'order', 'help'].includes(place);

export const isFieldPlace = (place: Place | 'everywhere') =>
	fieldPlaces.some(each => each === place);

export const isTablePlace = (place: Place) => place === homeView || place === mapPlace;

export function worksIn({ where }: { where: Where }, place: Place): boolean {
	const outer = outerPlaceOf(place);
	return where.includes(place) || (outer !== undefined && where.includes(outer));
}

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

// How keys are shown and spoken

type Keys = { actions: readonly { id: string; keys: readonly string[] }[] };

export function shownKeyOf(actions: Keys['actions'], id: string, show = shownKey) {
	const key = actions.find(action => action.id === id)?.keys[0];
	return key === undefined ? undefined : show(key);
}

/** As in "; L unlocks"; empty if the action has no key. */
export function keyHint({ actions }: Keys, id: string, does: string, before = '', show = shownKey) {
	const key = shownKeyOf(actions, id, show);
	return key === undefined ? '' : `${before}${key} ${does}`;
}

export function shownKey(key: string): string {
	if (key === 'escape') return 'Esc';
	return key.replaceAll(/[a-z]+-|[a-z]{2,}|(?<=-)[a-z]$/g, capitalized);
}

const spokenKeyNames: Readonly<Record<string, string>> = {
	'/': 'slash',
	':': 'colon',
	'?': 'question mark',
	'<': 'less than',
	'>': 'greater than',
	'=': 'equals sign',
	'*': 'star',
	'!': 'exclamation mark',
	'+': 'plus',
	space: 'the space bar',
	up: 'arrow up',
	down: 'arrow down',
	left: 'arrow left',
	right: 'arrow right',
	pageup: 'page up',
	pagedown: 'page down',
};

/** Many screen readers do not tell capital letters from small ones. */
export function spokenKey(key: string): string {
	if (/^[A-Z]$/.test(key)) return `capital ${key}`;
	return spokenKeyNames[key] ?? key.replace('ctrl-', 'control ').replace('shift-', 'shift ');
}

/** It is never the key that opened the question. */
export function yesKeyOf(actions: Keys['actions'], openingKey: string | undefined): string {
	const keys = actions.find(({ id }) => id === 'yes')?.keys ?? [];
	return keys.find(key => key !== openingKey) ?? '';
}

export const orderActionOf = (field: OrderField) => `order${capitalized(field)}`;
