import type { OrderField } from '../../fleet/computers/order-fields.ts';
import type { Action } from '../scene.ts';

type Actions = readonly Pick<Action, 'id' | 'keys'>[];

export function shownKeyOf(actions: Actions, id: string): string | undefined {
	const key = actions.find(action => action.id === id)?.keys[0];
	return key === undefined ? undefined : shownKey(key);
}

export function shownKey(key: string): string {
	if (key === 'escape') return 'Esc';
	return key.replaceAll(
		/[a-z]+-|[a-z]{2,}|(?<=-)[a-z]$/g,
		word => word[0]?.toUpperCase() + word.slice(1),
	);
}

const spokenKeyNames: Readonly<Record<string, string>> = {
	'/': 'slash',
	':': 'colon',
	'?': 'question mark',
	'<': 'less than',
	'>': 'greater than',
	'=': 'equals sign',
	'*': 'star',
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

/** Returns the key that says yes to a question. It is never the key that opened the question. */
export function yesKeyOf(actions: Actions, openingKey: string | undefined): string {
	const keys = actions.find(({ id }) => id === 'yes')?.keys ?? [];
	return keys.find(key => key !== openingKey) ?? '';
}

export function orderActionOf(field: OrderField): string {
	return `order${field.slice(0, 1).toUpperCase()}${field.slice(1)}`;
}
