import type { Binding, Intent, Place } from './binding.ts';

/** What a key means in a place; undefined when it means nothing there. */
export type Dispatcher = (key: string, place: Exclude<Place, 'everywhere'>) => Intent | undefined;

const places = ['fleet', 'line', 'help'] as const;

/** Refuses a table in which one key has two meanings in one place. */
export function createDispatcher(bindings: readonly Binding[]): Dispatcher {
	const meanings = new Map<string, Intent>();
	for (const { keys, places: where, intent } of bindings) {
		for (const place of where.includes('everywhere') ? places : where) {
			for (const key of keys) {
				const meant = `${place} ${key}`;
				if (meanings.has(meant)) throw new Error(`the key ${key} is bound twice in ${place}`);
				meanings.set(meant, intent);
			}
		}
	}
	return (key, place) => {
		const intent = meanings.get(`${place} ${key}`);
		if (intent !== undefined || place !== 'line') return intent;
		const letter = key === 'space' ? ' ' : key;
		return Array.from(letter).length === 1 ? { type: 'type', text: letter } : undefined;
	};
}
