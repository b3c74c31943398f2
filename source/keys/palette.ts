import { operations } from '../operations/operations.ts';
import { type Screen, type View, views } from '../store/screen.ts';
import { type Binding, type Intent, placeOfView } from './binding.ts';

export type PaletteItem = {
	label: string;
	key: string;
	intent: Intent;
	/** Where its key holds, when that is not the table. */
	view: View | undefined;
};

/** Everything that a key does in a view, by name: those that match what was typed, the best first. */
export function paletteItems(bindings: readonly Binding[], typed: string): readonly PaletteItem[] {
	const wanted = typed.toLowerCase().replace(/\s+/g, '');
	return bindings
		.map(binding => ({
			...binding,
			view: views.find(view => binding.places.includes(placeOfView(view))),
		}))
		.filter(({ view, intent }) => view !== undefined && !isOnlyAKey(intent))
		.map(({ keys, intent, help, view }) => ({
			label: labelOf(intent, help),
			key: keys[0] ?? '',
			intent,
			view: view === 'fleet' ? undefined : view,
		}))
		.map(item => ({ item, score: scoreOf(item.label.toLowerCase(), wanted) }))
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
	return intent.type === 'ask' ? `${operations[intent.operation].label}: ${help}` : help;
}

/** Letters in their order are a match; the more so the nearer together and the earlier in a word. */
function scoreOf(label: string, wanted: string): number {
	let score = 1;
	let from = 0;
	for (const letter of wanted) {
		const at = label.indexOf(letter, from);
		if (at < 0) return 0;
		const isNext = at === from && from > 0;
		const isWordStart = at === 0 || /[^a-z0-9]/.test(label.charAt(at - 1));
		score += isNext ? 8 : isWordStart ? 5 : 1;
		score -= Math.min(at - from, 10) / 10;
		from = at + 1;
	}
	return score;
}
