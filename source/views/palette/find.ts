import { computerName } from '../../fleet/computers/computer.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { OperationId } from '../../fleet/operations/operation.ts';
import { allowanceOf, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { firstNamesAndCount } from '../../foundation/number-text.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { runUnlessRefused } from '../actions/effects.ts';
import { forgetFilter, move, renameFilter, saveFilter } from '../actions/looking.ts';
import { columns, columnsNamed } from '../fleet/columns.ts';
import type { VisibleRows } from '../fleet/rows.ts';
import { statusWord } from '../fleet/status.ts';
import { chosenIds, markIds } from '../look/marks.ts';
import type { ChangeableSetting } from '../look/screen.ts';
import { homeView, isTextView, type View, views } from '../look/view-table.ts';
import { setFilter, showColumns, showComputer } from '../look/views.ts';
import { capitalized, pluralize } from '../phrases/words.ts';
import type { Action, Effect, Scene } from '../scene.ts';
import { guessScore, matchText, type TextMatch, type TypedText, typedTextFrom } from './match.ts';

/** One line of the palette. Its id stays the same when other lines come and go, so that Enter runs the line that was seen. */
type PaletteItem = Pick<Effect, 'id' | 'run'> & {
	label: string;
	note?: string | undefined;
	key?: string;
	/** What Tab completes, the name of the item; by default the label. */
	completion?: string;
	/** What the typed words are compared with, if it is not the label. Letters that are in both stand in the same places. */
	text?: string;
	/** More words that find the item, but are not shown. */
	words?: string | undefined;
	/** The view to which the item leads before it runs; absent for the current view. */
	view?: View | undefined;
	isRefused?: boolean;
	/** Whether a name is missing, which Enter asks for by completing the line. */
	isUnfinished?: boolean;
	/** What is subtracted from the score of its match, so that it comes after equal matches. */
	penalty?: number;
};

const penalties = {
	elsewhere: 0.01,
	presentValue: 0.2,
	firstWithStatus: 0.1,
	marksStatus: 0.2,
	seldomHelps: 0.2,
	refused: 0.3,
	graveSuggestion: 0.5,
};

export type FoundItem = PaletteItem & Pick<TextMatch, 'places'>;

/** The results that the palette shows, and the index of the one that Enter runs, or -1 if that one is gone. */
export type PaletteResults = { items: readonly FoundItem[]; index: number };

type PaletteScene = Pick<Scene, 'actions' | 'accounts' | 'screen' | 'canChange' | 'replay'> & {
	shown: Pick<VisibleRows, 'orderedRows' | 'rows' | 'ids'>;
};

type Asked = PaletteScene & {
	text: string;
	typed: TypedText;
	/** What an operation in the table would apply to: the marked computers, or the one under the cursor. */
	targets: readonly FleetRow[];
	/** What it applies to from here: in another view, the computer of the line under the cursor. */
	subjects: readonly FleetRow[];
	under: { id: GlobalId; name: string } | undefined;
};

export function findPaletteItems(scene: PaletteScene): PaletteResults {
	const { screen, shown } = scene;
	const text = screen.entry?.id === 'palette' ? screen.entry.line.text : '';
	const rows = new Map(shown.orderedRows.map(row => [row.id, row]));
	const chosen = chosenIds(screen, shown.ids, id => rows.has(id));
	const targets = chosen.flatMap(id => rows.get(id) ?? []);
	const palette = screen.open?.kind === 'palette' ? screen.open : undefined;
	const under = palette?.under;
	const rowUnder = under && rows.get(under.id);
	const subjects = targets.length === 0 && rowUnder ? [rowUnder] : targets;
	const asked: Asked = { ...scene, text, typed: typedTextFrom(text), targets, subjects, under };
	const items = bestFirst(itemsFor(asked), asked.typed);
	return { items, index: items.findIndex(({ id }) => id === palette?.chosenId) };
}

/**
 * Returns everything that can be found. Before anything is typed, that is only what a person may do next, and signs alone
 * find nothing.
 */
function itemsFor(asked: Asked): readonly PaletteItem[] {
	if (asked.text.trim() === '') return [...actionItems(asked), ...savedFilterItems(asked)];
	if (asked.typed.words.length === 0) return [];
	return [
		...actionItems(asked),
		...filterItems(asked),
		...computerItems(asked),
		...columnItems(asked),
		...asked.screen.settings.flatMap(settingItems),
		...statusItems(asked),
	];
}

// A match that the item does not show comes after the names of computers that begin with the typed text.
const unseenWordsScore = 3;

/**
 * Equal matches keep their order: actions come before filters, and filters before computers. Guesses are left out if
 * anything has the typed words.
 */
function bestFirst(items: readonly PaletteItem[], typed: TypedText): readonly FoundItem[] {
	const found = new Map<string, FoundItem & TextMatch & { isGuess: boolean }>();
	for (const item of items) {
		const match = matchOf(item, typed);
		if (!match || found.has(item.id)) continue;
		const { places, score } = match;
		const isGuess = score < guessScore;
		found.set(item.id, { ...item, places, isGuess, score: score - (item.penalty ?? 0) });
	}
	const all = [...found.values()];
	const exact = all.filter(({ isGuess }) => !isGuess);
	return (exact.length > 0 ? exact : all).sort((one, other) => other.score - one.score);
}

function matchOf(item: PaletteItem, typed: TypedText): TextMatch | undefined {
	const { label, text = label, completion = label, words = '' } = item;
	if (typed.words.length === 0) return { score: 0, places: [] };
	const match = matchText(text, typed, completion.length);
	if (match) return match;
	const hasWords = typed.words.every(each => words.split(' ').some(word => word.startsWith(each)));
	return hasWords ? { score: unseenWordsScore, places: [] } : undefined;
}

/** A refused action appears only in a search, so that a person reads the reason and does not choose another one instead. */
function actionItems(asked: Asked): readonly PaletteItem[] {
	const { actions, typed, screen, targets, subjects, under } = asked;
	const targetNames = targets.map(({ computer }) => computerName(computer));
	return actions.flatMap((action): readonly PaletteItem[] => {
		const { id, operation, subject, words, isKeyOnly } = action;
		const place = placeOf(action, screen.view);
		const isElsewhere = place !== screen.view;
		// A person does not see the cursors of the other views.
		if (place === undefined || isKeyOnly || (subject === 'line' && isElsewhere)) return [];
		const isOnTargets = subject === 'computers';
		// In a view of text it works on the computer of the line under the cursor, which no key does.
		const isOnLine = isOnTargets && isElsewhere && isTextView(screen.view);
		const isRefused = action.refusal?.(asked) !== undefined || (isOnLine && !under);
		if (isRefused && typed.words.length === 0) return [];
		const { reason, penalty } = prospectsOf(isOnTargets ? operation : undefined, subjects);
		const aim = isOnLine ? (under?.name ?? 'no computer here') : firstNamesAndCount(targetNames, 1);
		const label = labelOf(action);
		const view = isElsewhere && !isOnLine ? place : undefined;
		return [
			{
				id: `key ${id}`,
				label,
				note: reason ?? (isOnTargets ? aim : ''),
				key: isOnLine ? '' : keysFromHere(action, place, asked),
				completion: operation ? operationRowOf(operation).label : label.replace(/:.*/s, ''),
				words,
				view,
				isRefused: isRefused || reason !== undefined,
				penalty: penalty + (view ? penalties.elsewhere : 0),
				run(context) {
					const ids = under ? [under.id] : [];
					runUnlessRefused(isOnLine ? { ...context, targets: ids } : context, action);
				},
			},
		];
	});
}

/** Why no computer accepts the operation, and how much later it comes where it is refused or seldom helps. */
function prospectsOf(
	operation: OperationId | undefined,
	rows: readonly FleetRow[],
): { reason?: string; penalty: number } {
	if (operation === undefined || rows.length === 0) return { penalty: 0 };
	const allowances = rows.map(({ computer }) => allowanceOf(operation, computer, undefined));
	const { seldomHelpsIn = [] } = operationRowOf(operation);
	if (allowances.some(({ isAllowed }) => isAllowed)) {
		const helps = rows.some(({ computer }) => !seldomHelpsIn.includes(computer.phase));
		return { penalty: helps ? 0 : penalties.seldomHelps };
	}
	const reasons = new Set(allowances.flatMap(each => (each.isAllowed ? [] : each.reason)));
	const [reason = '', ...others] = reasons;
	const several = 'none accepts it now';
	return { reason: others.length > 0 ? several : reason, penalty: penalties.refused };
}

/** The view in which the action works, if possible the current one; undefined for an action of a dialog or a field. */
function placeOf({ where }: Action, current: View): View | undefined {
	if (where.includes(current) || where.includes('everywhere')) return current;
	// The palette offers the choices of the menu of orders as well.
	return where.includes('order') ? homeView : views.find(view => where.includes(view));
}

/** Names the keys that do it from the current view, as in `o n`; empty if one of them is not bound. */
function keysFromHere({ keys, where }: Action, place: View, { actions, screen }: Asked): string {
	const keyOf = (name: string) => actions.find(({ id }) => id === name)?.keys[0];
	const path = [
		...(place === screen.view ? [] : [keyOf(place)]),
		...(where.includes('order') ? [keyOf('order')] : []),
		keys[0],
	];
	return path.includes(undefined) ? '' : path.join(' ');
}

function labelOf({ operation, help }: Action): string {
	const name = operation && operationRowOf(operation).label;
	if (name !== undefined && !help.startsWith(`${name.toLowerCase()} `)) return `${name}: ${help}`;
	return capitalized(help);
}

/** Nobody reads a longer list of computers. */
const maxComputers = 100;

type FoundComputer = { row: FleetRow; name: string; note: string; score: number };

type OperationAction = Action & Required<Pick<Action, 'operation'>>;

/** Returns the computers whose name matches, and operations on them: `vega`, `stop vega`, `vega stop`. */
function computerItems(asked: Asked): readonly PaletteItem[] {
	const operations = asked.actions.filter(
		(action): action is OperationAction =>
			action.operation !== undefined &&
			action.subject === 'computers' &&
			action.refusal?.(asked) === undefined,
	);
	const found = computersFound(asked, asked.typed);
	const [best, second] = found;
	// Operations on the best match are suggested, unless another name matches equally well.
	const isClear = best !== undefined && (second?.score ?? 0) < best.score;
	const suggested = isClear ? operations.map(action => operationItem(action, best, true)) : [];
	const { words } = asked.typed;
	const sides = words.length < 2 ? [] : [words.slice(0, 1), words.slice(-1)];
	const named = sides.flatMap((verb, at) => {
		const rest = at === 0 ? words.slice(1) : words.slice(0, -1);
		const typedVerb = typedTextFrom(verb.join());
		const those = operations.filter(({ operation }) =>
			matchText(operationRowOf(operation).label, typedVerb),
		);
		const computers = those.length > 0 ? computersFound(asked, typedTextFrom(rest.join(' '))) : [];
		return those.flatMap(action => computers.map(each => operationItem(action, each, false)));
	});
	return [
		...found.map(({ row, name, note }) => {
			return { id: `computer ${row.id}`, label: name, note, run: move(showComputer(row.id)) };
		}),
		...named,
		...suggested.filter(({ isRefused }) => !isRefused),
	];
}

function computersFound({ shown, accounts }: Asked, typed: TypedText): readonly FoundComputer[] {
	const letters = typed.words.join('');
	const matches = shown.orderedRows.flatMap(row => {
		const name = computerName(row.computer);
		// One letter is part of almost every name, so it finds only the names that begin with it.
		if (letters.length === 1 && !name.toLowerCase().startsWith(letters)) return [];
		const match = matchText(name, typed);
		return match ? [{ row, name, score: match.score }] : [];
	});
	const best = matches.sort((one, other) => other.score - one.score).slice(0, maxComputers);
	const names = best.map(({ name }) => name);
	return best.map(each => {
		const { id, reading } = each.row.computer;
		const isShared = names.indexOf(each.name) !== names.lastIndexOf(each.name);
		const account = accounts.find(({ profile }) => profile.account === each.row.account);
		const notes = [
			isShared ? id : '',
			accounts.length > 1 ? account?.profile.shortName : '',
			statusWord(reading.status ?? null),
		];
		return { ...each, note: notes.filter(Boolean).join(' · ') };
	});
}

function operationItem(
	action: OperationAction,
	{ row, name, note }: FoundComputer,
	isSuggested: boolean,
): PaletteItem {
	const { operation } = action;
	const { label: verb, asks } = operationRowOf(operation);
	const { reason, penalty } = prospectsOf(operation, [row]);
	return {
		id: `${operation} ${row.id}`,
		label: `${verb} ${name}`,
		note: reason ?? note,
		completion: `${verb.toLowerCase()} ${name}`,
		isRefused: reason !== undefined,
		penalty: isSuggested && asks === 'type' ? penalties.graveSuggestion : penalty,
		run: context => runUnlessRefused({ ...context, targets: [row.id] }, action),
	};
}

const filterBy = (text: string) => ({ run: move(setFilter(text)), view: homeView });

const savedFilterItems = ({ screen }: Asked): readonly PaletteItem[] =>
	Object.entries(screen.savedFilters).map(([name, filter]) => ({
		id: `filter ${name}`,
		label: `${name} (filter)`,
		note: filter,
		completion: name,
		...filterBy(filter),
	}));

const maxRecentFilters = 10;

/** Returns the named and the recent filters, and changes to them: `hot`, `save hot`, `rename hot warm`, `forget hot`. */
function filterItems(asked: Asked): readonly PaletteItem[] {
	const { savedFilters, lineHistories, filters } = asked.screen;
	const [, verb, rest = ''] = /^\s*(save|rename)\s+(\S.*?)\s*$/i.exec(asked.text) ?? [];
	const newName = verb?.toLowerCase() === 'save' ? rest : '';
	const isEmpty = filters.fleet === '';
	const recent = (lineHistories[`filter ${homeView}`] ?? []).slice(-maxRecentFilters).reverse();
	return [
		...savedFilterItems(asked),
		...Object.entries(savedFilters).flatMap(([name, note]) => [
			{ id: `forget ${name}`, label: `Forget the filter ${name}`, note, run: forgetFilter(name) },
			...(verb?.toLowerCase() === 'rename' ? renameItem(name, rest, savedFilters) : []),
		]),
		{
			id: 'save',
			label: `Save the filter as ${newName || '…'}`,
			note: isEmpty ? 'the table has no filter' : newName ? filters.fleet : 'type a name',
			completion: `save ${newName}`,
			isRefused: isEmpty,
			isUnfinished: newName === '' && !isEmpty,
			run: saveFilter(newName),
		},
		...recent.map(filter => {
			return { id: `recent ${filter}`, label: `Filter ${filter}`, ...filterBy(filter) };
		}),
	];
}

/** The typed text is the name, and perhaps the new one. */
function renameItem(
	name: string,
	typed: string,
	saved: Readonly<Record<string, string>>,
): readonly PaletteItem[] {
	if (!`${typed.toLowerCase()} `.startsWith(`${name.toLowerCase()} `)) return [];
	const newName = typed.slice(name.length).trim();
	const isTaken = Object.hasOwn(saved, newName);
	const note = isTaken ? 'another filter has the name' : saved[name];
	return [
		{
			id: `rename ${name}`,
			label: `Rename the filter ${name} to ${newName || '…'}`,
			note: newName === '' ? 'type the new name' : note,
			completion: `rename ${name} ${newName}`,
			isRefused: newName === '' || isTaken,
			run: renameFilter(name, newName),
		},
	];
}

function columnItems({ screen }: Asked): readonly PaletteItem[] {
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

/** For a status, its filter comes first, then its first computer, and then the item that marks its computers. */
function statusItems({ shown, actions }: Asked): readonly PaletteItem[] {
	// A replay has no marks.
	const hasMarks = actions.some(({ id }) => id === 'markAll');
	const phases = new Set(shown.orderedRows.map(({ computer }) => computer.phase));
	return [...phases].flatMap(phase => {
		const hasPhase = ({ computer }: FleetRow) => computer.phase === phase;
		const group = shown.orderedRows.filter(hasPhase);
		// The filter may hide all computers with the status.
		const first = shown.rows.find(hasPhase) ?? group[0];
		const filter = `status:${phase}`;
		const note = pluralize(group.length, 'computer');
		const filterItem: PaletteItem = {
			id: `status ${phase}`,
			label: `Filter ${filter}`,
			note,
			completion: filter,
			...filterBy(filter),
		};
		const firstItem: PaletteItem | undefined = first && {
			id: `first ${phase}`,
			label: `First computer with ${filter}`,
			note: computerName(first.computer),
			completion: `first ${phase}`,
			run: move(showComputer(first.id)),
			penalty: penalties.firstWithStatus,
		};
		const markItem: PaletteItem = {
			id: `mark ${phase}`,
			label: `Mark all with ${filter}`,
			note,
			completion: `mark ${phase}`,
			run: move(markIds(group.map(({ id }) => id))),
			view: homeView,
			penalty: penalties.marksStatus,
		};
		return [filterItem, ...(firstItem ? [firstItem] : []), ...(hasMarks ? [markItem] : [])];
	});
}

/**
 * Returns an item for each value of a setting, with the present value and the next: `Share: full → half`. Only the next
 * one is compared, so that `theme light` never finds a change to another theme. The word `setting` finds all.
 */
const settingItems = ({ name, label, note, present, words, isRefused }: ChangeableSetting) =>
	words.map((word): PaletteItem => {
		const isPresent = word === present;
		const change = isPresent ? word : `${present} → ${word}`;
		return {
			id: `setting ${name} ${word}`,
			label: `${label}: ${change}`,
			text: `${label}: ${word.padStart(change.length)} setting`,
			note: isPresent ? 'now' : note,
			completion: `${label} ${word}`.toLowerCase(),
			isRefused,
			penalty: isPresent ? penalties.presentValue : 0,
			run: ({ chooseSetting, say }) => say(chooseSetting(name, word)),
		};
	});
