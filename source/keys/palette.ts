import { operationTable } from '../operations/operation-table.ts';
import { type Screen, type View, views } from '../screen/screen.ts';
import type { Binding, Intent } from './binding.ts';
import { contextOfView } from './key-context.ts';

export type PaletteItem = {
	label: string;
	key: string;
	intent: Intent;
	/** The view where its key works, if not the fleet. */
	view: View | undefined;
	isRefused: boolean;
};

/**
 * The actions whose names match the typed text, the best match first. Refused actions are found too, but
 * only by name: a person should read why they are refused rather than pick another one.
 */
export function paletteItems(bindings: readonly Binding[], typed: string): readonly PaletteItem[] {
	const wanted = wordsOf(typed);
	if (wanted.length === 0 && typed.trim() !== '') return [];
	return bindings
		.map(binding => ({
			...binding,
			view: views.find(view => binding.contexts.includes(contextOfView(view))),
		}))
		.filter(({ view, intent }) => view !== undefined && !isKeyOnly(intent))
		.filter(({ isRefused }) => !isRefused || wanted.length > 0)
		.map(({ keys, intent, help, view, isRefused = false }) => ({
			label: labelOf(intent, help),
			key: keys[0] ?? '',
			intent,
			view: view === 'fleet' ? undefined : view,
			isRefused,
		}))
		.map(item => ({ item, score: matchScore(wordsOf(item.label), wanted) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.map(({ item }) => item);
}

/** The item under the cursor, which Enter runs; undefined if nothing was found. */
export function chosenItem(
	bindings: readonly Binding[],
	palette: Screen['palette'],
): PaletteItem | undefined {
	return palette && paletteItems(bindings, palette.text)[palette.index];
}

// Nobody searches for these by name.
const keysAlone: readonly Intent['type'][] = ['palette', 'redraw', 'suspend'];
const movesAlone = ['step', 'page', 'end', 'back', 'nextView', 'open'];

function isKeyOnly(intent: Intent): boolean {
	if (intent.type === 'move') return movesAlone.includes(intent.move.type);
	return keysAlone.includes(intent.type);
}

function labelOf(intent: Intent, help: string): string {
	if (intent.type === 'ask') return `${operationTable[intent.operation].label}: ${help}`;
	return help.slice(0, 1).toUpperCase() + help.slice(1);
}

//  typed       finds
//  sto         Stop: stop it …                  it begins so
//  port pub    Publish: publish a port of it    words begin so
//  shbil       Show: billing                    beginnings of words, one after the other
//  rstrt       Restart: restart it …            letters of one word, in their order

const kinds = 4;

export function wordsOf(text: string): readonly string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How well a label matches: 0 for no match, higher for a better one. Scattered letters do not match. */
export function matchScore(label: readonly string[], wanted: readonly string[]): number {
	if (wanted.length === 0) return 1;
	const letters = wanted.join('');
	const places = [
		label.join(' ').startsWith(wanted.join(' ')) ? 0 : -1,
		indexOfBeginnings(label, wanted),
		label.findIndex((_, at) => isOfBeginnings(label.slice(at), letters)),
		label.findIndex(word => isScattered(word, letters)),
	];
	const kind = places.findIndex(place => place >= 0);
	if (kind < 0) return 0;
	// Among matches of one kind, an earlier place in the label is better.
	return kinds - kind + 1 / (1 + (places[kind] ?? 0));
}

/** The index of the first label word if each typed word begins some word of the label; else -1. */
function indexOfBeginnings(label: readonly string[], wanted: readonly string[]): number {
	const places = wanted.map(each => label.findIndex(word => word.startsWith(each)));
	return places.includes(-1) ? -1 : Math.min(...places);
}

/** Whether beginnings of consecutive words, starting with the first, spell the letters. */
function isOfBeginnings([first = '', ...others]: readonly string[], letters: string): boolean {
	let common = 0;
	while (common < letters.length && first[common] === letters[common]) common += 1;
	if (common === letters.length) return true;
	for (; common > 0; common -= 1) {
		const rest = letters.slice(common);
		if (others.some((_, at) => isOfBeginnings(others.slice(at), rest))) return true;
	}
	return false;
}

function isScattered(word: string, letters: string): boolean {
	if (word[0] !== letters[0]) return false;
	let from = 0;
	for (const letter of letters) {
		from = word.indexOf(letter, from) + 1;
		if (from === 0) return false;
	}
	return true;
}
