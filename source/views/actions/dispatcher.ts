import { orderFields, orderRows } from '../../fleet/computers/order-fields.ts';
import type { KeyOverride } from '../../fleet/operations/preferences.ts';
import type { MessageParts } from '../look/screen.ts';
import type { Action, Effect, Scene } from '../scene.ts';
import { editing } from './fields.ts';
import {
	isFieldPlace,
	isMenuPlace,
	isViewPlace,
	outerPlaceOf,
	type Place,
	places,
} from './places.ts';
import { orderActionOf, shownKey, shownKeyOf } from './shown-keys.ts';

/** Returns what a key does in a place; undefined if it does nothing there. */
export type Dispatcher = (key: string, place: Place) => Effect | undefined;

export function createDispatcher(actions: readonly Action[]): Dispatcher {
	const effects = new Map<string, Effect>();
	const replaced = new Set(
		actions
			.filter(({ isInPlaceOfEverywhere }) => isInPlaceOfEverywhere)
			.flatMap(({ keys, where }) => where.flatMap(place => keys.map(key => `${place} ${key}`))),
	);
	for (const action of actions) {
		const isEverywhere = action.where.includes('everywhere');
		for (const place of places) {
			if (!isEverywhere && !action.where.includes(place)) continue;
			for (const key of action.keys) {
				// A text field must accept every letter, even a letter that is bound to an action everywhere else.
				if (isFieldPlace(place) && letterOf(key) !== undefined) continue;
				const bound = `${place} ${key}`;
				if (isEverywhere && replaced.has(bound)) continue;
				if (effects.has(bound)) throw new Error(`the key ${key} is bound twice in ${place}`);
				effects.set(bound, action);
			}
		}
	}
	return (key, place) => {
		const bound = effects.get(`${place} ${key}`) ?? effects.get(`${outerPlaceOf(place)} ${key}`);
		const letter = isFieldPlace(place) ? letterOf(key) : undefined;
		return bound ?? (letter === undefined ? undefined : editing({ type: 'insert', text: letter }));
	};
}

export function letterOf(key: string): string | undefined {
	const letter = key === 'space' ? ' ' : key;
	return Array.from(letter).length === 1 ? letter : undefined;
}

/** Returns what a key does in a place. A view or a menu says that a key does nothing; a dialog ignores it. */
export function effectOfKey(dispatcher: Dispatcher, key: string, place: Place): Effect | undefined {
	return dispatcher(key, place) ?? (isTold(place) ? unboundKey(key) : undefined);
}

/** Returns what a paste does in a place: it inserts text into a field, and does nothing elsewhere. */
export function effectOfPaste(text: string, place: Place): Effect | undefined {
	if (isFieldPlace(place)) return editing({ type: 'paste', text });
	return isTold(place) ? refusedPaste : undefined;
}

const isTold = (place: Place) => isViewPlace(place) || isMenuPlace(place);

const refusedPaste: Effect = {
	id: 'refusedPaste',
	run: ({ say }) => say('Nothing was pasted: a paste needs a text field, such as / or :'),
};

const unboundKey = (key: string): Effect => ({
	id: 'unboundKey',
	run: ({ scene, say }) => say(unboundKeyText(scene(), key)),
});

/** In a menu, the message lists the keys that do something; elsewhere, it names the key that opens or closes the help. */
function unboundKeyText(scene: Scene, key: string): string | MessageParts {
	const { actions, place } = scene;
	if (place === 'order') return noOrderText(scene, key);
	const text = `${shownKey(key)} does nothing here`;
	if (place === 'columns') {
		const here = actions.filter(({ where }) => where.includes(place));
		const keys = here.flatMap(action => action.keys.slice(0, 1));
		return `${text}: ${[...new Set(keys)].map(shownKey).join(' ')}`;
	}
	const isHelp = place === 'help';
	const hintedKey = shownKeyOf(actions, isHelp ? 'back' : 'help');
	if (hintedKey === undefined) return text;
	return { why: text, advice: ` · ${hintedKey} ${isHelp ? 'closes' : 'help'}` };
}

/** Says that a key chooses no order, and which keys do. The message may stand in the place of the menu. */
function noOrderText({ actions, accounts }: Scene, key: string): string {
	const choices = orderFields.flatMap(field => {
		const orderKey = shownKeyOf(actions, orderActionOf(field));
		const isHidden = field === 'account' && accounts.length < 2;
		return orderKey === undefined || isHidden ? [] : [`${orderKey} ${orderRows[field].label}`];
	});
	return `${shownKey(key)} chooses no order: ${choices.join(', ')}`;
}

export class KeyOverrideError extends Error {}

/** Returns the table with the keys that the person configured. Throws a KeyOverrideError if a key is bound twice. */
export function withKeyOverrides(
	actions: readonly Action[],
	overrides: readonly KeyOverride[],
): readonly Action[] {
	let all = actions;
	for (const { action: id, keys } of overrides) {
		const chosen = all.filter(each => each.id === id);
		if (chosen.length === 0) {
			const names = [...new Set(actions.map(each => each.id))].sort().join(', ');
			throw new KeyOverrideError(`there is no action ${id}; use one of ${names}`);
		}
		if (id === 'yes' && keys.includes('enter'))
			throw new KeyOverrideError('Enter alone never says yes to a question');
		const letter = keys.find(key => letterOf(key) !== undefined);
		const isForTyping = chosen.some(({ where }) => where.every(isFieldPlace));
		if (letter !== undefined && isForTyping)
			throw new KeyOverrideError(`the key ${letter} of ${id} types a letter in text fields`);
		all = all.map(each => {
			const { fixedKeys = [] } = each;
			return each.id === id ? { ...each, keys: [...new Set([...keys, ...fixedKeys])] } : each;
		});
	}
	try {
		createDispatcher(all);
	} catch (error) {
		throw new KeyOverrideError(error instanceof Error ? error.message : '');
	}
	return all;
}
