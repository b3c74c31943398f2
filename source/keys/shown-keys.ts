import type { Binding } from './binding.ts';

/** Returns the first key of an action as texts show it, such as `Ctrl-Y`; undefined if it has no key. */
export function shownKeyOf(bindings: readonly Binding[], action: string): string | undefined {
	const key = firstKeysOf(bindings).get(action);
	return key === undefined ? undefined : shownKey(key);
}

const keysByAction = new WeakMap<readonly Binding[], Map<string, string | undefined>>();

/** Returns the first key of each action. A frame shows a dozen keys of the same bindings. */
function firstKeysOf(bindings: readonly Binding[]): Map<string, string | undefined> {
	let firstKeys = keysByAction.get(bindings);
	if (firstKeys) return firstKeys;
	firstKeys = new Map();
	for (const { action, keys } of bindings)
		if (!firstKeys.has(action)) firstKeys.set(action, keys[0]);
	keysByAction.set(bindings, firstKeys);
	return firstKeys;
}

const shownKeys = new Map<string, string>([['escape', 'Esc']]);

/** Returns the name of a key as texts show it, such as `Ctrl-Y`. Every frame shows the same few keys. */
export function shownKey(key: string): string {
	let shown = shownKeys.get(key);
	if (shown === undefined) {
		shown = key.replaceAll(
			/[a-z]+-|[a-z]{2,}|(?<=-)[a-z]$/g,
			word => word[0]?.toUpperCase() + word.slice(1),
		);
		shownKeys.set(key, shown);
	}
	return shown;
}
