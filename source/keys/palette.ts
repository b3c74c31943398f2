import { operations } from '../operations/operations.ts';
import { type Screen, type View, views } from '../screen/screen.ts';
import { type Binding, type Intent, placeOfView } from './binding.ts';
import { matchOf, wordsOf } from './palette-match.ts';

export type PaletteItem = {
	label: string;
	key: string;
	intent: Intent;
	/** Where its key holds, when that is not the table. */
	view: View | undefined;
	isRefused: boolean;
};

/**
 * Everything that a key does in a view, by name: those that match what was typed, the best first. What
 * would be refused is there for those who look for it: they had better be told so than do something else.
 */
export function paletteItems(bindings: readonly Binding[], typed: string): readonly PaletteItem[] {
	const wanted = wordsOf(typed);
	if (wanted.length === 0 && typed.trim() !== '') return [];
	return bindings
		.map(binding => ({
			...binding,
			view: views.find(view => binding.places.includes(placeOfView(view))),
		}))
		.filter(({ view, intent }) => view !== undefined && !isOnlyAKey(intent))
		.filter(({ isRefused }) => !isRefused || wanted.length > 0)
		.map(({ keys, intent, help, view, isRefused = false }) => ({
			label: labelOf(intent, help),
			key: keys[0] ?? '',
			intent,
			view: view === 'fleet' ? undefined : view,
			isRefused,
		}))
		.map(item => ({ item, score: matchOf(wordsOf(item.label), wanted) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.map(({ item }) => item);
}

/** The one that is marked, and that Enter does; undefined where nothing was found. */
export function chosenItem(
	bindings: readonly Binding[],
	palette: Screen['palette'],
): PaletteItem | undefined {
	return palette && paletteItems(bindings, palette.text)[palette.index];
}

// Nobody looks for these by name: they are what the hand does anyway.
const keysAlone: readonly Intent['type'][] = ['palette', 'redraw', 'suspend'];
const movesAlone = ['step', 'page', 'end', 'back', 'nextView', 'open'];

function isOnlyAKey(intent: Intent): boolean {
	if (intent.type === 'move') return movesAlone.includes(intent.move.type);
	return keysAlone.includes(intent.type);
}

function labelOf(intent: Intent, help: string): string {
	if (intent.type === 'ask') return `${operations[intent.operation].label}: ${help}`;
	return help.slice(0, 1).toUpperCase() + help.slice(1);
}
