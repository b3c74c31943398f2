import type { Phase } from '../../fleet/computers/computer.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { homeView } from '../../screen/view-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { columnsNamed } from '../../views/fleet/column-widths.ts';
import { columns } from '../../views/fleet/columns.ts';
import type { TypedText } from './fuzzy-match.ts';
import {
	type ItemParts,
	itemIfMatching,
	type PaletteSource,
	type RankedItem,
} from './palette-item.ts';

const maxRecentFilters = 10;

/** Returns items for the named and the recent filters, and for changes to them: `hot`, `save hot`, `forget hot`. */
export function filterItems(
	{ screen }: PaletteSource,
	text: string,
	typed: TypedText,
): readonly RankedItem[] {
	const { filters, savedFilters, lineHistories } = screen;
	const saved = Object.entries(savedFilters).flatMap(([name, filter]) => [
		...itemIfMatching(
			{
				id: `filter ${name}`,
				label: `${name} (filter)`,
				note: filter,
				completion: name,
				intent: { type: 'move', move: { type: 'setFilter', text: filter } },
				view: homeView,
			},
			typed,
		),
		...(typed.words.length < 1
			? []
			: itemIfMatching(
					{
						id: `forget ${name}`,
						label: `Forget the filter ${name}`,
						note: filter,
						intent: { type: 'savedFilter', action: 'forget', name },
					},
					typed,
				)),
	]);
	if (typed.words.length === 0) return saved;
	const renames = Object.entries(savedFilters).flatMap(([name, filter]) =>
		renameItem(text, name, filter, Object.hasOwn(savedFilters, newNameIn(text, name) ?? '')),
	);
	const recent = (lineHistories[`filter ${homeView}`] ?? []).slice(-maxRecentFilters).reverse();
	return [
		...saved,
		...renames,
		...saveItem(text, filters.fleet, typed),
		...recent.flatMap(filter =>
			itemIfMatching(
				{
					id: `recent ${filter}`,
					label: `Filter ${filter}`,
					intent: { type: 'move', move: { type: 'setFilter', text: filter } },
					view: homeView,
				},
				typed,
			),
		),
	];
}

/** Returns the new name in a text such as `rename hot errors`; empty if it is not typed yet. */
function newNameIn(text: string, name: string): string | undefined {
	const [, rest = ''] = /^\s*rename\s+(\S.*?)\s*$/i.exec(text) ?? [];
	if (rest.toLowerCase() === name.toLowerCase()) return '';
	const isNamed = rest.toLowerCase().startsWith(`${name.toLowerCase()} `);
	return isNamed ? rest.slice(name.length).trim() : undefined;
}

/** Returns the item that renames a filter, if `rename` and the old name are typed. */
function renameItem(
	text: string,
	name: string,
	filter: string,
	isTaken: boolean,
): readonly RankedItem[] {
	const newName = newNameIn(text, name);
	if (newName === undefined) return [];
	const note = isTaken ? 'another filter has the name' : filter;
	return [
		{
			id: `rename ${name}`,
			label: `Rename the filter ${name} to ${newName || '…'}`,
			note: newName === '' ? 'type the new name' : note,
			key: '',
			completion: `rename ${name} ${newName}`,
			intent: { type: 'savedFilter', action: 'rename', name, newName },
			view: undefined,
			isRefused: newName === '' || isTaken,
			score: 10,
			places: [0, 1, 2, 3, 4, 5],
			isGuess: false,
		},
	];
}

/** Returns the item that saves the filter of the table. If no name is typed after `save`, the item asks for it. */
function saveItem(text: string, filter: string, typed: TypedText): readonly RankedItem[] {
	const [, name = ''] = /^\s*save\s+(\S.*?)\s*$/i.exec(text) ?? [];
	const isEmpty = filter === '';
	const item = {
		id: 'save',
		label: `Save the filter as ${name || '…'}`,
		note: isEmpty ? 'the table has no filter' : name === '' ? 'type a name' : filter,
		completion: `save ${name}`,
		intent: { type: 'savedFilter', action: 'save', name },
		isRefused: isEmpty,
	} as const;
	if (name === '') return itemIfMatching(item, typed);
	const match = { score: 10, places: [0, 1, 2, 3], isGuess: false };
	return [{ ...item, ...match, key: '', view: undefined }];
}

/** Returns the columns that the table can show or hide. */
export function columnItems({ screen }: PaletteSource, typed: TypedText): readonly RankedItem[] {
	if (typed.words.length === 0) return [];
	const shown = columnsNamed(screen.columns).map(({ name }) => name);
	return columns.flatMap(({ name, title, visibility, description }) => {
		if (visibility === 'always') return [];
		const isShown = shown.includes(name);
		const next = isShown ? shown.filter(each => each !== name) : [...shown, name];
		return itemIfMatching(
			{
				id: `column ${name}`,
				label: `${isShown ? 'Hide' : 'Show'} the column ${title || name}`,
				note: description,
				intent: { type: 'move', move: { type: 'setColumns', columns: next } },
				view: homeView,
			},
			typed,
		);
	});
}

/** Groups the computers by their phase. */
const rowsByPhase = (rows: readonly FleetRow[]) => {
	const groups = new Map<Phase, [FleetRow, ...FleetRow[]]>();
	for (const row of rows) {
		const group = groups.get(row.computer.phase);
		if (group) group.push(row);
		else groups.set(row.computer.phase, [row]);
	}
	return groups;
};

// For a status, the item for its filter comes first, then its first computer, and then the item that marks its
// computers.
const statusPenalties = { firstComputer: 0.1, marks: 0.2 };

/** Creates the function that returns, for each status, its filter, its first computer, and the item that marks all with it. */
export function createStatusItems() {
	const groupsOf = memoize(rowsByPhase);
	const shownGroupsOf = memoize(rowsByPhase);
	return (
		{ rows, shownRows, bindings }: PaletteSource,
		typed: TypedText,
	): readonly RankedItem[] => {
		if (typed.words.length === 0) return [];
		// A replay has no marks.
		const hasMarks = bindings.some(({ action }) => action === 'markAll');
		const shownGroups = shownGroupsOf(shownRows);
		return [...groupsOf(rows)].flatMap(([phase, group]) => {
			const note = `${countText(group.length)} computer${group.length === 1 ? '' : 's'}`;
			// The filter may hide all computers with the status.
			const [first] = shownGroups.get(phase) ?? group;
			const filter = `status:${phase}`;
			const items: readonly (readonly [item: ItemParts, penalty: number])[] = [
				[
					{
						id: `status ${phase}`,
						label: `Filter ${filter}`,
						note,
						completion: filter,
						intent: { type: 'move', move: { type: 'setFilter', text: filter } },
						view: homeView,
					},
					0,
				],
				[
					{
						id: `first ${phase}`,
						label: `First computer with ${filter}`,
						note: first.computer.reading.name ?? first.computer.id,
						completion: `first ${phase}`,
						intent: { type: 'showComputer', id: first.id },
					},
					statusPenalties.firstComputer,
				],
				[
					{
						id: `mark ${phase}`,
						label: `Mark all with ${filter}`,
						note,
						completion: `mark ${phase}`,
						intent: { type: 'move', move: { type: 'markIds', ids: group.map(({ id }) => id) } },
						view: homeView,
					},
					statusPenalties.marks,
				],
			];
			return items
				.filter(([{ id }]) => hasMarks || !id.startsWith('mark'))
				.flatMap(([item, penalty]) =>
					itemIfMatching(item, typed).map(each => ({ ...each, score: each.score - penalty })),
				);
		});
	};
}
