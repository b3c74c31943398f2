import type { Binding } from '../../keys/binding.ts';
import { chosenIds } from '../../screen/marks.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { VisibleRows } from '../fleet/rows.ts';
import { commandItems } from './commands.ts';
import { computerItems } from './computers.ts';
import type { PaletteItem, PaletteSource, RankedItem } from './item.ts';
import { columnItems, filterItems, settingItems, statusItems } from './look.ts';
import { typedTextFrom } from './match.ts';

type FindOptions = {
	bindings: readonly Binding[];
	accounts: readonly OpenedAccount[];
	screen: Screen;
	visibleRows: Pick<VisibleRows, 'orderedRows' | 'rows' | 'ids'>;
};

/** The results that the palette shows, and the index of the one that Enter runs, or -1 if that one is gone. */
export type PaletteResults = { items: readonly PaletteItem[]; index: number };

/** Finds actions, computers, operations on them, filters, columns, settings and marks, the best match first. */
export function findPaletteItems(options: FindOptions): PaletteResults {
	const source = sourceFrom(options);
	const { text, typed, screen } = source;
	const hasOnlySigns = typed.words.length === 0 && text.trim() !== '';
	const items = hasOnlySigns
		? []
		: bestFirst([
				...commandItems(source),
				...filterItems(source),
				...computerItems(source),
				...columnItems(source),
				...settingItems(source),
				...statusItems(source),
			]);
	return { items, index: items.findIndex(({ id }) => id === screen.palette?.chosenId) };
}

function sourceFrom({ bindings, accounts, screen, visibleRows }: FindOptions): PaletteSource {
	const { orderedRows, rows: shownRows, ids } = visibleRows;
	const text = screen.entry?.id === 'palette' ? screen.entry.line.text : '';
	const rowsById = new Map(orderedRows.map(row => [row.id, row]));
	const targets = chosenIds(screen, ids, id => rowsById.has(id)).flatMap(
		id => rowsById.get(id) ?? [],
	);
	const under = screen.palette?.under && rowsById.get(screen.palette.under.id);
	const named = accounts.length < 2 ? [] : accounts;
	return {
		text,
		typed: typedTextFrom(text),
		bindings,
		accountNames: new Map(named.map(({ profile }) => [profile.account, profile.shortName])),
		rows: orderedRows,
		shownRows,
		targets,
		subjects: targets.length === 0 && under ? [under] : targets,
		screen,
	};
}

/**
 * Equal matches keep their order: actions come before filters, and filters before computers. Guesses are left out if
 * anything has the typed words.
 */
function bestFirst(found: readonly RankedItem[]): readonly PaletteItem[] {
	const hasWords = found.some(({ isGuess }) => !isGuess);
	const items = hasWords ? found.filter(({ isGuess }) => !isGuess) : found;
	const unique = new Map(items.toReversed().map(item => [item.id, item]));
	return [...unique.values()].reverse().sort((one, other) => other.score - one.score);
}
