import type { Action, Effect } from '../scene.ts';
import { typeLetter } from './fields.ts';
import { isFieldPlace, outerPlaceOf, type Place, places } from './places.ts';

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
		return bound ?? (letter === undefined ? undefined : typeLetter(letter));
	};
}

/** Returns the text that a key types; undefined if it types none. */
export function letterOf(key: string): string | undefined {
	const letter = key === 'space' ? ' ' : key;
	return Array.from(letter).length === 1 ? letter : undefined;
}
