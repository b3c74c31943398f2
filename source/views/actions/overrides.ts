import type { KeyOverride } from '../../fleet/operations/preferences.ts';
import type { Action } from '../scene.ts';
import { createDispatcher, letterOf } from './dispatcher.ts';
import { isFieldPlace } from './places.ts';

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
