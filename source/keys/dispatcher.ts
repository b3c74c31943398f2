import {
	type Binding,
	type Intent,
	isTextContext,
	type KeyContext,
	keyContexts,
	outerContextOf,
} from './binding.ts';

/** Returns the intent of a key in a context, or undefined if the key does nothing there. */
export type Dispatcher = (key: string, context: KeyContext) => Intent | undefined;

/** Creates the dispatcher of a table. Throws if a key is bound twice in one context. */
export function createDispatcher(bindings: readonly Binding[]): Dispatcher {
	const intents = new Map<string, Intent>();
	const replaced = new Set(
		bindings
			.filter(({ isInPlaceOfEverywhere }) => isInPlaceOfEverywhere)
			.flatMap(({ keys, contexts }) => contexts.flatMap(each => keys.map(key => `${each} ${key}`))),
	);
	for (const { keys, contexts: where, intent } of bindings) {
		for (const context of keyContexts) {
			if (!where.includes('everywhere') && !where.includes(context)) continue;
			for (const key of keys) {
				// A text field must accept every letter, even a letter that is bound to an action everywhere else.
				if (isTextContext(context) && letterOf(key) !== undefined) continue;
				const place = `${context} ${key}`;
				if (where.includes('everywhere') && replaced.has(place)) continue;
				if (intents.has(place)) throw new Error(`the key ${key} is bound twice in ${context}`);
				intents.set(place, withPressedKey(key, intent));
			}
		}
	}
	return (key, context) =>
		intents.get(`${context} ${key}`) ??
		intents.get(`${outerContextOf(context)} ${key}`) ??
		intentOfUnboundKey(key, context);
}

/** Stores the pressed key in an intent that opens a question, so that the same key cannot confirm it. */
function withPressedKey(key: string, intent: Intent): Intent {
	return 'key' in intent ? { ...intent, key } : intent;
}

/** Returns the intent of a key without a binding: a letter is typed into a text field. */
function intentOfUnboundKey(key: string, context: KeyContext): Intent | undefined {
	const text = isTextContext(context) ? letterOf(key) : undefined;
	return text === undefined ? undefined : { type: 'edit', edit: { type: 'insert', text } };
}

/** Returns the text that a key types; undefined if it types none. */
export function letterOf(key: string): string | undefined {
	const letter = key === 'space' ? ' ' : key;
	return Array.from(letter).length === 1 ? letter : undefined;
}
