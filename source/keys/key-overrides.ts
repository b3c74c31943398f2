import type { KeyOverride } from '../fleet/operations/preferences.ts';
import { type Binding, isTextContext } from './binding.ts';
import { createDispatcher, letterOf } from './dispatcher.ts';

/** An error in the configured keys. */
export class KeyOverrideError extends Error {}

/** Returns the table with the keys that the person configured. Throws a KeysError if a key is bound twice. */
export function withKeyOverrides(
	bindings: readonly Binding[],
	overrides: readonly KeyOverride[],
): readonly Binding[] {
	let all = bindings;
	for (const { action, keys } of overrides) {
		if (!all.some(binding => binding.action === action)) {
			const names = [...new Set(bindings.map(binding => binding.action))].sort().join(', ');
			throw new KeyOverrideError(`there is no action ${action}; use one of ${names}`);
		}
		if (action === 'yes' && keys.includes('enter')) {
			throw new KeyOverrideError('Enter alone never says yes to a question');
		}
		const letter = keys.find(key => letterOf(key) !== undefined);
		const isForTyping = all.some(
			each => each.action === action && each.contexts.every(isTextContext),
		);
		if (letter !== undefined && isForTyping) {
			throw new KeyOverrideError(`the key ${letter} of ${action} types a letter in text fields`);
		}
		all = all.map(binding => (binding.action === action ? withKeys(binding, keys) : binding));
	}
	try {
		createDispatcher(all);
	} catch (error) {
		const message = error instanceof Error ? error.message : '';
		throw new KeyOverrideError(message);
	}
	return all;
}

function withKeys(binding: Binding, keys: readonly string[]): Binding {
	return { ...binding, keys: [...new Set([...keys, ...(binding.fixedKeys ?? [])])] };
}
