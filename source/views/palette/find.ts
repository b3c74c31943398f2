import { chosenIds } from '../../screen/marks.ts';
import type { VisibleRows } from '../fleet/rows.ts';
import type { Scene } from '../scene.ts';
import { actionItems } from './actions.ts';
import { computerItems } from './computers.ts';
import type { PaletteItem, PaletteSource, RankedItem } from './item.ts';
import { columnItems, filterItems, settingItems, statusItems } from './look.ts';
import { typedTextFrom } from './match.ts';

type PaletteScene = Pick<Scene, 'actions' | 'accounts' | 'screen' | 'canChange' | 'replay'> & {
	shown: Pick<VisibleRows, 'orderedRows' | 'rows' | 'ids'>;
};

/** The results that the palette shows, and the index of the one that Enter runs, or -1 if that one is gone. */
export type PaletteResults = { items: readonly PaletteItem[]; index: number };

/** Finds actions, computers, operations on them, filters, columns, settings and marks, the best match first. */
export function findPaletteItems(scene: PaletteScene): PaletteResults {
	const source = sourceFrom(scene);
	const hasOnlySigns = source.typed.words.length === 0 && source.text.trim() !== '';
	const found = [
		...actionItems(source),
		...filterItems(source),
		...computerItems(source),
		...columnItems(source),
		...settingItems(source),
		...statusItems(source),
	];
	const items = hasOnlySigns ? [] : bestFirst(found);
	return { items, index: items.findIndex(({ id }) => id === scene.screen.palette?.chosenId) };
}

function sourceFrom(scene: PaletteScene): PaletteSource {
	const { accounts, actions, screen, canChange, replay } = scene;
	const { orderedRows, rows: shownRows, ids } = scene.shown;
	const text = screen.entry?.id === 'palette' ? screen.entry.line.text : '';
	const rowsById = new Map(orderedRows.map(row => [row.id, row]));
	const chosen = chosenIds(screen, ids, id => rowsById.has(id));
	const targets = chosen.flatMap(id => rowsById.get(id) ?? []);
	const under = screen.palette?.under && rowsById.get(screen.palette.under.id);
	const named = accounts.length < 2 ? [] : accounts;
	return {
		text,
		typed: typedTextFrom(text),
		actions,
		screen,
		canChange,
		replay,
		accountNames: new Map(named.map(({ profile }) => [profile.account, profile.shortName])),
		rows: orderedRows,
		shownRows,
		targets,
		subjects: targets.length === 0 && under ? [under] : targets,
	};
}

/**
 * Equal matches keep their order: actions come before filters, and filters before computers. Guesses are left out if
 * anything has the typed words.
 */
function bestFirst(found: readonly RankedItem[]): readonly PaletteItem[] {
	const exact = found.filter(({ isGuess }) => !isGuess);
	const unique = new Map<string, RankedItem>();
	for (const item of exact.length > 0 ? exact : found)
		if (!unique.has(item.id)) unique.set(item.id, item);
	return [...unique.values()].sort((one, other) => other.score - one.score);
}
