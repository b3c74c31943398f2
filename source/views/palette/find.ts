import type { VisibleRows } from '../fleet/rows.ts';
import { chosenIds } from '../look/marks.ts';
import type { Scene } from '../scene.ts';
import { actionItems } from './actions.ts';
import { computerItems } from './computers.ts';
import type { FoundItem, PaletteItem, PaletteSource } from './item.ts';
import { columnItems, filterItems, savedFilterItems, settingItems, statusItems } from './look.ts';
import { guessScore, matchText, type TextMatch, type TypedText, typedTextFrom } from './match.ts';

type PaletteScene = Pick<Scene, 'actions' | 'accounts' | 'screen' | 'canChange' | 'replay'> & {
	shown: Pick<VisibleRows, 'orderedRows' | 'rows' | 'ids'>;
};

/** The results that the palette shows, and the index of the one that Enter runs, or -1 if that one is gone. */
export type PaletteResults = { items: readonly FoundItem[]; index: number };

export function findPaletteItems(scene: PaletteScene): PaletteResults {
	const source = sourceFrom(scene);
	const items = bestFirst(itemsOf(source), source.typed);
	const { open } = scene.screen;
	const chosenId = open?.kind === 'palette' ? open.chosenId : undefined;
	return { items, index: items.findIndex(({ id }) => id === chosenId) };
}

/** Returns everything that can be found. Before anything is typed, that is only what a person may do next. */
function itemsOf(source: PaletteSource): readonly PaletteItem[] {
	if (source.text.trim() === '') return [...actionItems(source), ...savedFilterItems(source)];
	// Signs alone find nothing.
	if (source.typed.words.length === 0) return [];
	return [
		...actionItems(source),
		...filterItems(source),
		...computerItems(source),
		...columnItems(source),
		...settingItems(source),
		...statusItems(source),
	];
}

/**
 * Equal matches keep their order: actions come before filters, and filters before computers. Guesses are left out if
 * anything has the typed words.
 */
function bestFirst(items: readonly PaletteItem[], typed: TypedText): readonly FoundItem[] {
	const found = new Map<string, FoundItem & TextMatch & { isGuess: boolean }>();
	for (const item of items) {
		const match = item.match ?? matchOf(item, typed);
		if (!match || found.has(item.id)) continue;
		const { places, score } = match;
		const isGuess = score < guessScore;
		found.set(item.id, { ...item, places, isGuess, score: score - (item.penalty ?? 0) });
	}
	const all = [...found.values()];
	const exact = all.filter(({ isGuess }) => !isGuess);
	return (exact.length > 0 ? exact : all).sort((one, other) => other.score - one.score);
}

// A match that the item does not show comes after the names of computers that begin with the typed text.
const unseenWordsScore = 3;

function matchOf(item: PaletteItem, typed: TypedText): TextMatch | undefined {
	if (typed.words.length === 0) return { score: 0, places: [] };
	const { label, completion = label, words = '' } = item;
	const match = matchText(label, typed, completion.length);
	if (match) return match;
	const hasWords = typed.words.every(each => words.split(' ').some(word => word.startsWith(each)));
	return hasWords ? { score: unseenWordsScore, places: [] } : undefined;
}

function sourceFrom({ accounts, shown, ...scene }: PaletteScene): PaletteSource {
	const { screen } = scene;
	const { orderedRows, rows: shownRows, ids } = shown;
	const text = screen.entry?.id === 'palette' ? screen.entry.line.text : '';
	const rowsById = new Map(orderedRows.map(row => [row.id, row]));
	const chosen = chosenIds(screen, ids, id => rowsById.has(id));
	const targets = chosen.flatMap(id => rowsById.get(id) ?? []);
	const under = screen.open?.kind === 'palette' ? screen.open.under : undefined;
	const rowUnder = under && rowsById.get(under.id);
	const named = accounts.length < 2 ? [] : accounts;
	return {
		...scene,
		text,
		typed: typedTextFrom(text),
		accountNames: new Map(named.map(({ profile }) => [profile.account, profile.shortName])),
		rows: orderedRows,
		shownRows,
		targets,
		subjects: targets.length === 0 && rowUnder ? [rowUnder] : targets,
	};
}
