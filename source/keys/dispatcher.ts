import type { Binding, Intent } from './binding.ts';
import { type KeyContext, viewContexts } from './key-context.ts';

/** What a key means in a place; undefined when it means nothing there. */
export type Dispatcher = (key: string, place: KeyContext) => Intent | undefined;

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

/** Refuses a table in which one key has two meanings in one place. */
export function createDispatcher(bindings: readonly Binding[]): Dispatcher {
	const meanings = new Map<string, Intent>();
	for (const { keys, contexts: where, intent } of bindings) {
		for (const place of allContexts) {
			if (!where.includes('everywhere') && !where.includes(place)) continue;
			for (const key of keys) {
				const meant = `${place} ${key}`;
				if (meanings.has(meant)) throw new Error(`the key ${key} is bound twice in ${place}`);
				meanings.set(meant, withKey(key, intent));
			}
		}
	}
	return (key, place) => meanings.get(`${place} ${key}`) ?? unboundKey(key, place);
}

/** A question knows by which key it was asked: that one never confirms. */
function withKey(key: string, intent: Intent): Intent {
	return 'key' in intent ? { ...intent, key } : intent;
}

/** Letters are typed where a line is, and questions read their keys themselves. */
function unboundKey(key: string, place: KeyContext): Intent | undefined {
	if (place === 'question') return { type: 'answer', input: { key } };
	if (place === 'confirmation') return { type: 'confirm', key };
	if (place !== 'line' && place !== 'palette') return undefined;
	const letter = key === 'space' ? ' ' : key;
	return Array.from(letter).length === 1 ? { type: 'type', text: letter } : undefined;
}
