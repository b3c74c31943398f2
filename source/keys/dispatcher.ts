import type { Binding, Intent } from './binding.ts';
import { type KeyContext, keyContexts } from './key-context.ts';

/** Returns the intent of a key in a context, or undefined if the key does nothing there. */
export type Dispatcher = (key: string, context: KeyContext) => Intent | undefined;

/** Creates the dispatcher of a table. Throws if a key is bound twice in one context. */
export function createDispatcher(bindings: readonly Binding[]): Dispatcher {
	const intents = new Map<string, Intent>();
	for (const { keys, contexts: where, intent } of bindings) {
		for (const context of keyContexts) {
			if (!where.includes('everywhere') && !where.includes(context)) continue;
			for (const key of keys) {
				const place = `${context} ${key}`;
				if (intents.has(place)) throw new Error(`the key ${key} is bound twice in ${context}`);
				intents.set(place, withPressedKey(key, intent));
			}
		}
	}
	return (key, context) => intents.get(`${context} ${key}`) ?? intentOfUnboundKey(key, context);
}

/** Stores the pressed key in an intent that opens a question, so that the same key cannot confirm it. */
function withPressedKey(key: string, intent: Intent): Intent {
	return 'key' in intent ? { ...intent, key } : intent;
}

/** Returns the intent of a key without a binding: text fields type letters, and dialogs get every key. */
function intentOfUnboundKey(key: string, context: KeyContext): Intent | undefined {
	if (context === 'question') return { type: 'answer', input: { key } };
	if (context === 'confirmation') return { type: 'confirm', key };
	if (context !== 'filter' && context !== 'palette') return undefined;
	const letter = key === 'space' ? ' ' : key;
	return Array.from(letter).length === 1 ? { type: 'type', text: letter } : undefined;
}
