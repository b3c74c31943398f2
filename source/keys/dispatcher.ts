import type { Binding, Intent } from './binding.ts';
import { type KeyContext, viewContexts } from './key-context.ts';

/** Finds the meaning of a key in a context; undefined if it has none. */
export type Dispatcher = (key: string, context: KeyContext) => Intent | undefined;

const allContexts: readonly KeyContext[] = [
	...viewContexts,
	...([
		'line',
		'palette',
		'columns',
		'welcome',
		'help',
		'confirmation',
		'question',
		'unseen',
	] as const),
];

/** Throws if a key has two meanings in one context. */
export function createDispatcher(bindings: readonly Binding[]): Dispatcher {
	const meanings = new Map<string, Intent>();
	for (const { keys, contexts: where, intent } of bindings) {
		for (const context of allContexts) {
			if (!where.includes('everywhere') && !where.includes(context)) continue;
			for (const key of keys) {
				const meant = `${context} ${key}`;
				if (meanings.has(meant)) throw new Error(`the key ${key} is bound twice in ${context}`);
				meanings.set(meant, withKey(key, intent));
			}
		}
	}
	return (key, context) => meanings.get(`${context} ${key}`) ?? unboundKey(key, context);
}

/** Adds the pressed key to an intent that asks, so that the same key never confirms. */
function withKey(key: string, intent: Intent): Intent {
	return 'key' in intent ? { ...intent, key } : intent;
}

/** Without a binding, text fields type letters, and dialogs get every key. */
function unboundKey(key: string, context: KeyContext): Intent | undefined {
	if (context === 'question') return { type: 'answer', input: { key } };
	if (context === 'confirmation') return { type: 'confirm', key };
	if (context !== 'line' && context !== 'palette') return undefined;
	const letter = key === 'space' ? ' ' : key;
	return Array.from(letter).length === 1 ? { type: 'type', text: letter } : undefined;
}
