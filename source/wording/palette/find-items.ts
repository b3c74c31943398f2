import type { Phase } from '../../fleet/computers/computer.ts';
import type { OperationId } from '../../fleet/operations/operation.ts';
import { allowanceOf } from '../../fleet/operations/operation-table.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Binding } from '../../keys/binding.ts';
import { chosenIds } from '../../screen/marks.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import { commandItems } from './command-items.ts';
import { computerItems, operationsIn } from './computer-items.ts';
import { splitTypedText } from './fuzzy-match.ts';
import { columnItems, createStatusItems, filterItems } from './look-items.ts';
import type { PaletteItem, PaletteSource, RankedItem } from './palette-item.ts';
import { settingItems } from './setting-items.ts';

type FindOptions = Pick<PaletteSource, 'bindings'> & {
	accounts: readonly OpenedAccount[];
	screen: Screen;
	visibleRows: Pick<VisibleRows, 'orderedRows' | 'rows' | 'ids'>;
};

/** The results that the palette shows, and the index of the result that Enter runs, or -1 if that result is gone. */
export type PaletteResults = { items: readonly PaletteItem[]; index: number };

export type PaletteFinder = ReturnType<typeof createPaletteFinder>;

/**
 * Creates the function that finds the items for a typed text: actions, computers, operations on them, filters, columns
 * and marks, the best match first. The results stay the same objects until something that they contain changes.
 */
export function createPaletteFinder() {
	const statusItems = createStatusItems();
	const rowsById = memoize((rows: readonly FleetRow[]) => new Map(rows.map(row => [row.id, row])));
	const itemsFor = memoize(
		(
			text: string,
			bindings: PaletteSource['bindings'],
			accountKey: string,
			rows: readonly FleetRow[],
			shownRows: readonly FleetRow[],
			targets: string,
			phases: string,
			refusalKey: string,
			view: Screen['view'],
			under: PaletteSource['under'],
			...[filters, savedFilters, lineHistories, columns, settings]: readonly [
				Screen['filters'],
				Screen['savedFilters'],
				Screen['lineHistories'],
				Screen['columns'],
				Screen['settings'],
			]
		) => {
			const typed = splitTypedText(text);
			if (typed.words.length === 0 && text.trim() !== '') return [];
			const screen = { filters, savedFilters, lineHistories, columns, settings };
			const targetNames = targets === '' ? [] : targets.split('\n');
			const accountNames = new Map(pairsFrom(accountKey));
			const targetPhases = phases === '' ? [] : (phases.split(' ') as Phase[]);
			const refusals = new Map(pairsFrom(refusalKey));
			const target = { view, targetNames, targetPhases, refusals, under };
			const source: PaletteSource = {
				bindings,
				accountNames,
				rows,
				shownRows,
				...target,
				screen,
			};
			return bestFirst([
				...commandItems(source, typed),
				...filterItems(source, text, typed),
				...computerItems(source, typed),
				...columnItems(source, typed),
				...settingItems(source, typed),
				...statusItems(source, typed),
			]);
		},
	);

	return ({ screen, visibleRows, bindings, accounts }: FindOptions): PaletteResults => {
		const { palette, view, entry } = screen;
		const { filters, savedFilters, lineHistories, columns, settings } = screen;
		const { orderedRows, rows: shownRows, ids } = visibleRows;
		const rows = rowsById(orderedRows);
		const targets = chosenIds(screen, ids, id => rows.has(id)).flatMap(id => rows.get(id) ?? []);
		const aimed = targets.length === 0 && palette?.under ? rows.get(palette.under.id) : undefined;
		const subjects = aimed ? [...targets, aimed] : targets;
		const phases = new Set(subjects.map(phaseOfRow));
		const text = entry?.id === 'palette' ? entry.line.text : '';
		const look = [filters, savedFilters, lineHistories, columns, settings] as const;
		const accountKey = accountKeyOf(accounts);
		const names = targets.map(nameOf).join('\n');
		const refusalKey = refusalKeyOf(bindings, subjects);
		const target = [names, [...phases].join(' '), refusalKey, view, palette?.under] as const;
		const items = itemsFor(
			...([text, bindings, accountKey, orderedRows, shownRows] as const),
			...target,
			...look,
		);
		const index = items.findIndex(({ id }) => id === palette?.chosenId);
		return { items, index };
	};
}

/** Joins the names of the accounts in one text, so that two sets of names can be compared at once. */
const accountKeyOf = (accounts: readonly OpenedAccount[]) =>
	accounts.length < 2
		? ''
		: accounts.map(({ profile }) => `${profile.account}\t${profile.shortName}`).join('\n');

/** Joins the operations that none of these computers accepts, each with the reason, in one text. */
function refusalKeyOf(bindings: readonly Binding[], rows: readonly FleetRow[]): string {
	const operations = new Set(operationsIn(bindings).map(({ intent }) => intent.operation));
	const refusals = [...operations].flatMap(operation => {
		const reason = commonRefusal(operation, rows);
		return reason === undefined ? [] : `${operation}\t${reason}`;
	});
	return refusals.join('\n');
}

/** Returns why no computer accepts the operation; undefined if one accepts it. */
function commonRefusal(operation: OperationId, rows: readonly FleetRow[]): string | undefined {
	const reasons = new Set<string>();
	for (const { computer } of rows) {
		const allowance = allowanceOf(operation, computer, undefined);
		if (allowance.isAllowed) return undefined;
		reasons.add(allowance.reason);
	}
	const [reason, ...others] = reasons;
	return others.length > 0 ? 'none accepts it now' : reason;
}

/** Reads the pairs of a text in which each line is a key, a tab and a value. */
const pairsFrom = (text: string) =>
	(text === '' ? [] : text.split('\n')).map((line): [string, string] => {
		const [key = '', value = ''] = line.split('\t');
		return [key, value];
	});

const phaseOfRow = ({ computer }: FleetRow) => computer.phase;
const nameOf = ({ computer }: FleetRow) => computer.reading.name ?? computer.id;

// Equal matches keep their order: actions come before filters, and filters before computers. Guesses are left out if
// anything has the typed words.
function bestFirst(found: readonly RankedItem[]): readonly PaletteItem[] {
	const hasWords = found.some(({ isGuess }) => !isGuess);
	const items = hasWords ? found.filter(({ isGuess }) => !isGuess) : found;
	const unique = new Map(items.toReversed().map(item => [item.id, item]));
	return [...unique.values()].reverse().sort((one, other) => other.score - one.score);
}
