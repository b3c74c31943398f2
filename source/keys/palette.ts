import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Screen } from '../screen/screen.ts';
import { homeView, type View, views } from '../screen/view-table.ts';
import type { Binding, Intent } from './binding.ts';

export type PaletteItem = {
	label: string;
	key: string;
	intent: Intent;
	/** The view in which the action's key works; undefined for the home view. */
	view: View | undefined;
	isRefused: boolean;
};

/**
 * Returns the actions that match the typed text, the best match first. Refused actions appear only in a
 * search, so that a person who looks for one reads the reason instead of picking another action.
 */
export function paletteItems(bindings: readonly Binding[], typed: string): readonly PaletteItem[] {
	const typedWords = wordsOf(typed);
	if (typedWords.length === 0 && typed.trim() !== '') return [];
	return bindings
		.map(binding => ({
			...binding,
			view: binding.contexts.includes('everywhere')
				? homeView
				: views.find(view => binding.contexts.includes(view)),
		}))
		.filter(({ view, intent }) => view !== undefined && !isKeyOnly(intent))
		.filter(({ isRefused }) => !isRefused || typedWords.length > 0)
		.map(({ keys, intent, help, view, isRefused = false }) => ({
			label: labelOf(intent, help),
			key: keys[0] ?? '',
			intent,
			view: view === homeView ? undefined : view,
			isRefused,
		}))
		.map(item => ({ item, score: matchScore(wordsOf(item.label), typedWords) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.map(({ item }) => item);
}

/** Returns the item under the cursor, which Enter runs, or undefined if nothing was found. */
export function chosenItem(
	bindings: readonly Binding[],
	{ palette, entry }: Pick<Screen, 'palette' | 'entry'>,
): PaletteItem | undefined {
	return palette && paletteItems(bindings, entry?.line.text ?? '')[palette.index];
}

// The palette does not offer these intents and moves, because they make sense only as keys.
const keyOnlyIntents: readonly Intent['type'][] = ['palette', 'redraw', 'suspend', 'closeOrQuit'];
const keyOnlyMoves = ['step', 'page', 'end', 'back', 'close', 'nextView', 'open'];

function isKeyOnly(intent: Intent): boolean {
	if (intent.type === 'move') return keyOnlyMoves.includes(intent.move.type);
	return keyOnlyIntents.includes(intent.type);
}

function labelOf(intent: Intent, help: string): string {
	if (intent.type === 'ask') return `${operationRowOf(intent.operation).label}: ${help}`;
	return help.slice(0, 1).toUpperCase() + help.slice(1);
}

//  typed       finds                            because
//  sto         Stop: stop it …                  the label begins with the text
//  port pub    Publish: publish a port of it    each typed word begins a word of the label
//  shbil       Show: billing                    the beginnings of successive words spell the text
//  rstrt       Restart: restart it …            one word has the letters in this order

const matchKinds = 4;

function wordsOf(text: string): readonly string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Rates how well a label matches the typed words: 0 for no match, higher for a better match. */
function matchScore(label: readonly string[], typedWords: readonly string[]): number {
	if (typedWords.length === 0) return 1;
	const letters = typedWords.join('');
	const places = [
		label.join(' ').startsWith(typedWords.join(' ')) ? 0 : -1,
		indexOfFirstMatch(label, typedWords),
		label.findIndex((_, at) => wordBeginningsSpell(label.slice(at), letters)),
		label.findIndex(word => hasLettersInOrder(word, letters)),
	];
	const kind = places.findIndex(place => place >= 0);
	if (kind < 0) return 0;
	// Of two matches of the same kind, the one earlier in its label is better.
	return matchKinds - kind + 1 / (1 + (places[kind] ?? 0));
}

/** If each typed word begins a word of the label, returns the index of the first such word; else -1. */
function indexOfFirstMatch(label: readonly string[], typedWords: readonly string[]): number {
	const places = typedWords.map(typed => label.findIndex(word => word.startsWith(typed)));
	return places.includes(-1) ? -1 : Math.min(...places);
}

/** Whether beginnings of the words, in order and starting with the first word, spell the letters. */
function wordBeginningsSpell([first = '', ...others]: readonly string[], letters: string): boolean {
	let common = 0;
	while (common < letters.length && first[common] === letters[common]) common += 1;
	if (common === letters.length) return true;
	for (; common > 0; common -= 1) {
		const rest = letters.slice(common);
		if (others.some((_, at) => wordBeginningsSpell(others.slice(at), rest))) return true;
	}
	return false;
}

function hasLettersInOrder(word: string, letters: string): boolean {
	if (word[0] !== letters[0]) return false;
	let from = 0;
	for (const letter of letters) {
		from = word.indexOf(letter, from) + 1;
		if (from === 0) return false;
	}
	return true;
}
