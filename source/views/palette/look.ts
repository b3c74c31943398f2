import { computerName, type Phase } from '../../fleet/computers/computer.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { forgetFilter, move, renameFilter, saveFilter, showComputer } from '../actions/looking.ts';
import { columns, columnsNamed } from '../fleet/columns.ts';
import { markIds, setFilter, showColumns } from '../look/moves.ts';
import type { ChangeableSetting } from '../look/screen.ts';
import { homeView } from '../look/view-table.ts';
import { pluralize } from '../phrases/words.ts';
import type { PaletteItem, PaletteSource } from './item.ts';
import { matchText, type TextMatch, type TypedText } from './match.ts';

const maxRecentFilters = 10;

const filterBy = (text: string) => ({ run: move(setFilter(text)), view: homeView });

/** What is typed out in full comes before everything that only matches. */
const typedOut = (verb: string): TextMatch => ({
	score: 10,
	places: Array.from(verb, (_, at) => at),
});

export const savedFilterItems = ({ screen }: PaletteSource): readonly PaletteItem[] =>
	Object.entries(screen.savedFilters).map(([name, filter]) => ({
		id: `filter ${name}`,
		label: `${name} (filter)`,
		note: filter,
		completion: name,
		...filterBy(filter),
	}));

/** Returns the named and the recent filters, and changes to them: `hot`, `save hot`, `rename hot warm`, `forget hot`. */
export function filterItems(source: PaletteSource): readonly PaletteItem[] {
	const { savedFilters, lineHistories } = source.screen;
	const saved = savedFilterItems(source).flatMap((item): readonly PaletteItem[] => {
		const { completion: name = '', note } = item;
		const label = `Forget the filter ${name}`;
		return [item, { id: `forget ${name}`, label, note, run: forgetFilter(name) }];
	});
	const recent = (lineHistories[`filter ${homeView}`] ?? []).slice(-maxRecentFilters).reverse();
	return [
		...saved,
		...Object.keys(savedFilters).flatMap(name => renameItem(source, name)),
		saveItem(source),
		...recent.map(filter => ({
			id: `recent ${filter}`,
			label: `Filter ${filter}`,
			...filterBy(filter),
		})),
	];
}

function renameItem({ text, screen }: PaletteSource, name: string): readonly PaletteItem[] {
	const { savedFilters } = screen;
	const [, rest = ''] = /^\s*rename\s+(\S.*?)\s*$/i.exec(text) ?? [];
	if (!`${rest.toLowerCase()} `.startsWith(`${name.toLowerCase()} `)) return [];
	const newName = rest.slice(name.length).trim();
	const isTaken = Object.hasOwn(savedFilters, newName);
	const note = isTaken ? 'another filter has the name' : savedFilters[name];
	return [
		{
			id: `rename ${name}`,
			label: `Rename the filter ${name} to ${newName || '…'}`,
			note: newName === '' ? 'type the new name' : note,
			completion: `rename ${name} ${newName}`,
			run: renameFilter(name, newName),
			isRefused: newName === '' || isTaken,
			match: typedOut('rename'),
		},
	];
}

function saveItem({ text, screen: { filters } }: PaletteSource): PaletteItem {
	const [, name = ''] = /^\s*save\s+(\S.*?)\s*$/i.exec(text) ?? [];
	const isEmpty = filters.fleet === '';
	return {
		id: 'save',
		label: `Save the filter as ${name || '…'}`,
		note: isEmpty ? 'the table has no filter' : name === '' ? 'type a name' : filters.fleet,
		completion: `save ${name}`,
		run: saveFilter(name),
		isRefused: isEmpty,
		isUnfinished: name === '' && !isEmpty,
		match: name === '' ? undefined : typedOut('save'),
	};
}

export function columnItems({ screen }: PaletteSource): readonly PaletteItem[] {
	const shown = columnsNamed(screen.columns).map(({ name }) => name);
	return columns
		.filter(({ visibility }) => visibility !== 'always')
		.map(({ name, title, description }) => {
			const isShown = shown.includes(name);
			const next = isShown ? shown.filter(each => each !== name) : [...shown, name];
			return {
				id: `column ${name}`,
				label: `${isShown ? 'Hide' : 'Show'} the column ${title || name}`,
				note: description,
				run: move(showColumns(next)),
				view: homeView,
			};
		});
}

// For a status, its filter comes first, then its first computer, and then the item that marks its computers.
const statusPenalties = { firstComputer: 0.1, marks: 0.2 };

export function statusItems({ rows, shownRows, actions }: PaletteSource): readonly PaletteItem[] {
	// A replay has no marks.
	const hasMarks = actions.some(({ id }) => id === 'markAll');
	const groups = new Map<Phase, FleetRow[]>();
	for (const row of rows) {
		const { phase } = row.computer;
		groups.set(phase, groups.get(phase) ?? []);
		groups.get(phase)?.push(row);
	}
	return [...groups].flatMap(([phase, group]): readonly PaletteItem[] => {
		const filter = `status:${phase}`;
		const note = pluralize(group.length, 'computer');
		// The filter may hide all computers with the status.
		const first = shownRows.find(({ computer }) => computer.phase === phase) ?? group[0];
		const items: PaletteItem[] = [
			{
				id: `status ${phase}`,
				label: `Filter ${filter}`,
				note,
				completion: filter,
				...filterBy(filter),
			},
		];
		if (first)
			items.push({
				id: `first ${phase}`,
				label: `First computer with ${filter}`,
				note: computerName(first.computer),
				completion: `first ${phase}`,
				run: showComputer(first.id),
				penalty: statusPenalties.firstComputer,
			});
		if (hasMarks)
			items.push({
				id: `mark ${phase}`,
				label: `Mark all with ${filter}`,
				note,
				completion: `mark ${phase}`,
				run: move(markIds(group.map(({ id }) => id))),
				view: homeView,
				penalty: statusPenalties.marks,
			});
		return items;
	});
}

/** Returns the settings that can be changed at once, with the present value and the next: `Share: full → half`. */
export const settingItems = ({ screen, typed }: PaletteSource): readonly PaletteItem[] =>
	screen.settings.flatMap(setting =>
		setting.words.flatMap(word => settingItem(setting, word, typed)),
	);

/**
 * Compares the typed text with the label and the new value only, so that `theme light` never finds a change to another
 * theme. The word `setting` finds all.
 */
function settingItem(
	{ name, label, note, present, isRefused }: ChangeableSetting,
	word: string,
	typed: TypedText,
): readonly PaletteItem[] {
	const match = matchText(`${label} ${word} setting`, typed, label.length);
	if (!match) return [];
	const isPresent = word === present;
	// The letters of the new value stand elsewhere in the line.
	const places = match.places.filter(place => place < label.length);
	return [
		{
			id: `setting ${name} ${word}`,
			label: isPresent ? `${label}: ${word}` : `${label}: ${present} → ${word}`,
			note: isPresent ? 'now' : note,
			completion: `${label} ${word}`.toLowerCase(),
			run: ({ chooseSetting, say }) => say(chooseSetting(name, word)),
			isRefused,
			match: { ...match, places },
			// The present value comes after the items that change the setting.
			penalty: isPresent ? 0.01 : 0,
		},
	];
}
