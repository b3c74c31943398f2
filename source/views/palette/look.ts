import type { Phase } from '../../fleet/computers/computer.ts';
import type { ChangeableSetting } from '../../screen/changeable-setting.ts';
import { homeView } from '../../screen/view-table.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { forgetFilter, move, renameFilter, saveFilter, showComputer } from '../actions/looking.ts';
import { columnsNamed } from '../fleet/column-widths.ts';
import { columns } from '../fleet/columns.ts';
import { pluralize } from '../phrases/words.ts';
import { itemsMatching, type PaletteSource, type RankedItem, rankedItem } from './item.ts';
import { matchText, type TypedText } from './match.ts';

const maxRecentFilters = 10;

/** What is typed out in full comes before everything that only matches. */
const typedOutScore = 10;

/** Returns the named and the recent filters, and changes to them: `hot`, `save hot`, `rename hot warm`, `forget hot`. */
export function filterItems({ screen, text, typed }: PaletteSource): readonly RankedItem[] {
	const { filters, savedFilters, lineHistories } = screen;
	const isTyped = typed.words.length > 0;
	const saved = Object.entries(savedFilters).flatMap(([name, filter]) => {
		const apply = {
			id: `filter ${name}`,
			label: `${name} (filter)`,
			note: filter,
			completion: name,
			run: move({ type: 'setFilter', text: filter }),
			view: homeView,
		};
		const forget = {
			id: `forget ${name}`,
			label: `Forget the filter ${name}`,
			note: filter,
			run: forgetFilter(name),
		};
		return [...itemsMatching(apply, typed), ...(isTyped ? itemsMatching(forget, typed) : [])];
	});
	if (!isTyped) return saved;
	const renames = Object.entries(savedFilters).flatMap(([name, filter]) =>
		renameItem(text, name, filter, savedFilters),
	);
	const recent = (lineHistories[`filter ${homeView}`] ?? []).slice(-maxRecentFilters).reverse();
	return [
		...saved,
		...renames,
		...saveItem(text, filters.fleet, typed),
		...recent.flatMap(filter =>
			itemsMatching(
				{
					id: `recent ${filter}`,
					label: `Filter ${filter}`,
					run: move({ type: 'setFilter', text: filter }),
					view: homeView,
				},
				typed,
			),
		),
	];
}

/** Returns the item that renames a filter, if `rename` and the old name are typed. */
function renameItem(
	text: string,
	name: string,
	filter: string,
	savedFilters: PaletteSource['screen']['savedFilters'],
): readonly RankedItem[] {
	const [, rest = ''] = /^\s*rename\s+(\S.*?)\s*$/i.exec(text) ?? [];
	if (!`${rest.toLowerCase()} `.startsWith(`${name.toLowerCase()} `)) return [];
	const newName = rest.slice(name.length).trim();
	const isTaken = Object.hasOwn(savedFilters, newName);
	const note = isTaken ? 'another filter has the name' : filter;
	return [
		rankedItem(
			{
				id: `rename ${name}`,
				label: `Rename the filter ${name} to ${newName || '…'}`,
				note: newName === '' ? 'type the new name' : note,
				completion: `rename ${name} ${newName}`,
				run: renameFilter(name, newName),
				isRefused: newName === '' || isTaken,
			},
			{ score: typedOutScore, places: [0, 1, 2, 3, 4, 5], isGuess: false },
		),
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
		run: saveFilter(name),
		isRefused: isEmpty,
		isUnfinished: name === '' && !isEmpty,
	};
	if (name === '') return itemsMatching(item, typed);
	return [rankedItem(item, { score: typedOutScore, places: [0, 1, 2, 3], isGuess: false })];
}

/** Returns the columns that the table can show or hide. */
export function columnItems({ screen, typed }: PaletteSource): readonly RankedItem[] {
	if (typed.words.length === 0) return [];
	const shown = columnsNamed(screen.columns).map(({ name }) => name);
	return columns.flatMap(({ name, title, visibility, description }) => {
		if (visibility === 'always') return [];
		const isShown = shown.includes(name);
		const next = isShown ? shown.filter(each => each !== name) : [...shown, name];
		return itemsMatching(
			{
				id: `column ${name}`,
				label: `${isShown ? 'Hide' : 'Show'} the column ${title || name}`,
				note: description,
				run: move({ type: 'setColumns', columns: next }),
				view: homeView,
			},
			typed,
		);
	});
}

// For a status, its filter comes first, then its first computer, and then the item that marks its computers.
const statusPenalties = { firstComputer: 0.1, marks: 0.2 };

/** Returns for each status its filter, its first computer, and the item that marks all with it. */
export function statusItems({
	rows,
	shownRows,
	actions,
	typed,
}: PaletteSource): readonly RankedItem[] {
	if (typed.words.length === 0) return [];
	// A replay has no marks.
	const hasMarks = actions.some(({ id }) => id === 'markAll');
	const groups = new Map<Phase, FleetRow[]>();
	for (const row of rows) {
		const group = groups.get(row.computer.phase);
		if (group) group.push(row);
		else groups.set(row.computer.phase, [row]);
	}
	return [...groups].flatMap(([phase, group]) => {
		const filter = `status:${phase}`;
		const note = pluralize(group.length, 'computer');
		// The filter may hide all computers with the status.
		const first = shownRows.find(({ computer }) => computer.phase === phase) ?? group[0];
		const filterItem = {
			id: `status ${phase}`,
			label: `Filter ${filter}`,
			note,
			completion: filter,
			run: move({ type: 'setFilter', text: filter }),
			view: homeView,
		};
		const markItem = {
			id: `mark ${phase}`,
			label: `Mark all with ${filter}`,
			note,
			completion: `mark ${phase}`,
			run: move({ type: 'markIds', ids: group.map(({ id }) => id) }),
			view: homeView,
		};
		const firstItem = first && {
			id: `first ${phase}`,
			label: `First computer with ${filter}`,
			note: first.computer.reading.name ?? first.computer.id,
			completion: `first ${phase}`,
			run: showComputer(first.id),
		};
		return [
			...itemsMatching(filterItem, typed),
			...(firstItem ? itemsMatching(firstItem, typed, statusPenalties.firstComputer) : []),
			...(hasMarks ? itemsMatching(markItem, typed, statusPenalties.marks) : []),
		];
	});
}

/** Returns the settings that can be changed at once, with the present value and the next: `Share: full → half`. */
export const settingItems = ({ screen, typed }: PaletteSource): readonly RankedItem[] =>
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
): readonly RankedItem[] {
	const named = `${label} ${word}`;
	const match = matchText(`${named} setting`, typed, label.length);
	if (!match) return [];
	const isPresent = word === present;
	const before = isPresent ? `${label}: ` : `${label}: ${present} → `;
	const shift = before.length - label.length - 1;
	const places = match.places
		.filter(place => place < named.length)
		.map(place => (place > label.length ? place + shift : place));
	return [
		rankedItem(
			{
				id: `setting ${name} ${word}`,
				label: `${before}${word}`,
				note: isPresent ? 'now' : note,
				completion: named.toLowerCase(),
				run: ({ chooseSetting, say }) => say(chooseSetting(name, word)),
				isRefused,
			},
			{ ...match, places },
			// The present value comes after the items that change the setting.
			isPresent ? 0.01 : 0,
		),
	];
}
