import { computerName } from '../fleet/computers/computer.ts';
import { computerFilter } from '../fleet/computers/fields.ts';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import { obstacleOn, operationRowOf } from '../fleet/operations/operation-table.ts';
import { firstNamesAndCount } from '../foundation/number-text.ts';
import { fitList } from '../lines/parts.ts';
import { spellOut } from '../lines/print.ts';
import { clickable, cut, fitTo, justify, type Span, widthOf, withMatches } from '../lines/span.ts';
import { typedLine } from '../lines/typed.ts';
import type { FleetRow } from '../store/selectors.ts';
import { type Box, innerWidthOf, keyHints, listBox } from './dialogs/dialog.ts';
import { move, runUnlessRefused } from './effects.ts';
import { columns, columnsNamed } from './fleet/columns.ts';
import { statusWord } from './fleet/status.ts';
import { shownKey, spokenKey } from './keys.ts';
import { type Click, chosenIds, markIds } from './look/moves.ts';
import type { ChangeableSetting, Screen } from './look/screen.ts';
import type { DialogEntry } from './look/typed-line.ts';
import { homeView, isTextView, type View, views } from './look/view-table.ts';
import { setFilter, showColumns, showComputer } from './look/views.ts';
import { capitalized, historyPrompt, pluralize } from './phrases/words.ts';
import type { Action, ActionContext, Effect, Scene } from './scene.ts';

// ╭──────────────────────────────────────────────────────────────────╮
// │ :stop ve▏                                                        │
// │ ❯ Stop vega                                          active    x │
// │   Stop vega-2                                        stopped   x │
// │ 1–2 of 14 · Enter runs or asks · Esc closes · Tab completes      │
// ╰──────────────────────────────────────────────────────────────────╯

const maxLines = 10;
// The header and its rule, the frame, the typed line, the line of hints, and the two lines below the box.
const linesBesideItems = 9;

const examples = ['stop vega', 'a computer', 'a view', 'a filter', 'save hot'].map(
	(text): readonly Span[] => [[text, 'faint']],
);

export function paletteBox({ line, assist }: DialogEntry, scene: Scene): Box {
	const { actions, layout } = scene;
	const { items, index } = findPaletteItems(scene);
	const inner = innerWidthOf(layout);
	const room = Math.max(1, Math.min(maxLines, layout.rows - linesBesideItems));
	const typed = typedLine(historyPrompt(assist, [[':', 'accent']]), line, inner);
	const isEmpty = line.text === '' && assist === undefined;
	const hints = isEmpty ? fitList(examples, inner - widthOf(typed) - 2, ' · ') : [];
	const none: readonly Span[] = [[`  Nothing matches “${line.text}”`, 'faint']];
	return listBox(
		'',
		{
			above: [[...typed, ['  '], ...hints]],
			items,
			draw: (item, isChosen) => itemLine(item, isChosen, inner),
			chosen: index,
			room,
			// The typed line stays in its place, however many items match.
			below: Array.from({ length: room - Math.min(room, items.length) }, (_, at) =>
				items.length === 0 && at === 0 ? none : [],
			),
			hints: keyHints(actions, [
				['choose', 'runs or asks'],
				['back', 'closes'],
				['completeFound', 'completes'],
			]),
		},
		layout,
	);
}

const maxNoteCells = 24;
// Wide enough for “Ctrl-R”.
const keyCells = 6;

function itemLine(item: FoundItem, isChosen: boolean, width: number): readonly Span[] {
	const { id, label, note = '', key = '', places, isUnlikely } = item;
	const matches = places.toSorted((a, b) => a - b).map(at => ({ from: at, to: at + 1 }));
	const left: readonly Span[] = [
		[isChosen ? '❯ ' : '  ', 'accent'],
		...withMatches([[label, isUnlikely ? 'faint' : undefined]], matches),
	];
	const right: readonly Span[] = [
		['  '],
		...cut([[note, 'faint']], Math.max(0, Math.min(maxNoteCells, width - 30))),
		['  '],
		...fitTo([[shownKey(key), 'faint']], keyCells, 'right'),
	];
	const click: Click = { type: 'found', id };
	return clickable(justify(left, right, width), click);
}

export function chosenItem(scene: Scene): FoundItem | undefined {
	const { items, index } = findPaletteItems(scene);
	return items[index];
}

export function spokenItem(scene: Scene): string {
	const { items, index } = findPaletteItems(scene);
	const { label, note, key } = items[index] ?? {};
	if (label === undefined) return `Nothing matches “${scene.screen.entry?.line.text ?? ''}”.`;
	const parts = [label, note ? spellOut(note) : '', key ? `key ${spokenKey(key)}` : ''];
	return `${index + 1} of ${items.length}: ${parts.filter(Boolean).join(', ')}.`;
}

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
	/** Refused or of little use: it is faint, and comes after equal matches. */
	isUnlikely?: boolean;
	/** Whether a name is missing, which Enter asks for by completing the line. */
	isUnfinished?: boolean;
};

type FoundItem = PaletteItem & TextMatch;

type Asked = Scene & {
	text: string;
	/** The words of the text. */
	typed: readonly string[];
	/** What an operation would apply to: in a view of text, the computer of the line under the cursor. */
	targets: readonly FleetRow[];
	under: { id: GlobalId; name: string } | undefined;
};

/** Returns what the palette shows, and the index of the item that Enter runs, or -1 if that one is gone. */
export function findPaletteItems(scene: Scene): { items: readonly FoundItem[]; index: number } {
	const { screen, shown } = scene;
	const text = screen.entry?.id === 'palette' ? screen.entry.line.text : '';
	const rows = new Map(shown.orderedRows.map(row => [row.id, row]));
	const palette = screen.open?.kind === 'palette' ? screen.open : undefined;
	const under = palette?.under;
	const underIds = under ? [under.id] : [];
	const chosen = chosenIds(screen, shown.ids, id => rows.has(id));
	const ids = isTextView(screen.view) ? underIds : chosen;
	const targets = ids.flatMap(id => rows.get(id) ?? []);
	const asked: Asked = { ...scene, text, typed: wordsIn(text), targets, under };
	const items = bestFirst(itemsFor(asked), asked.typed);
	return { items, index: items.findIndex(({ id }) => id === palette?.chosenId) };
}

/**
 * Returns everything that can be found. Before anything is typed, that is only what a person may do next, and signs alone
 * find nothing.
 */
function itemsFor(asked: Asked): readonly PaletteItem[] {
	if (asked.text.trim() === '') return [...actionItems(asked), ...savedFilterItems(asked)];
	if (asked.typed.length === 0) return [];
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
function bestFirst(items: readonly PaletteItem[], typed: readonly string[]): readonly FoundItem[] {
	const found = new Map<string, FoundItem>();
	for (const item of items) {
		const match = matchOf(item, typed);
		if (match && !found.has(item.id)) found.set(item.id, { ...item, ...match });
	}
	const rankOf = ({ score, isUnlikely }: FoundItem) => score - (isUnlikely ? 0.3 : 0);
	const all = [...found.values()].sort((one, other) => rankOf(other) - rankOf(one));
	const exact = all.filter(({ score }) => score >= guessScore);
	return exact.length > 0 ? exact : all;
}

function matchOf(item: PaletteItem, typed: readonly string[]): TextMatch | undefined {
	const { label, text = label, completion = label, words = '' } = item;
	if (typed.length === 0) return { score: 0, places: [] };
	const match = matchText(text, typed, completion.length);
	if (match) return match;
	const hasWords = typed.every(each => words.split(' ').some(word => word.startsWith(each)));
	return hasWords ? { score: unseenWordsScore, places: [] } : undefined;
}

/** A refused action appears only in a search, so that a person reads the reason and does not choose another one instead. */
function actionItems(asked: Asked): readonly PaletteItem[] {
	const { actions, typed, screen, targets, under } = asked;
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
		if (isRefused && typed.length === 0) return [];
		const { reason, isUnlikely } =
			isOnTargets && operation ? prospectsOf(operation, targets) : { isUnlikely: false };
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
				isUnlikely: isUnlikely || isRefused,
				run(context) {
					const ids = under ? [under.id] : [];
					runUnlessRefused(isOnLine ? { ...context, targets: ids } : context, action);
				},
			},
		];
	});
}

/** Why no computer accepts the operation, or whether it seldom helps them. */
function prospectsOf(
	operation: OperationId,
	rows: readonly FleetRow[],
): { reason?: string | undefined; isUnlikely: boolean } {
	const obstacles = rows.map(({ computer }) => obstacleOn(operation, computer, undefined));
	const { seldomHelpsIn = [] } = operationRowOf(operation);
	if (obstacles.includes(undefined))
		return { isUnlikely: rows.every(({ computer }) => seldomHelpsIn.includes(computer.phase)) };
	const reasons = new Set(obstacles.map(each => each?.reason));
	const [reason, ...others] = reasons;
	return {
		reason: others.length > 0 ? 'none accepts it now' : reason,
		isUnlikely: rows.length > 0,
	};
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
const maxComputers = 30;

/** The computers whose names match, and each operation on each of them: `vega`, `stop vega`, `vega stop`. */
function computerItems(asked: Asked): readonly PaletteItem[] {
	const { actions, accounts } = asked;
	const rows = computersFound(asked);
	const names = rows.map(({ computer }) => computerName(computer));
	return rows.flatMap((row, at): readonly PaletteItem[] => {
		const { id, reading } = row.computer;
		const name = names[at] ?? id;
		const isShared = names.indexOf(name) !== names.lastIndexOf(name);
		const account = accounts.find(({ profile }) => profile.account === row.account);
		const notes = [
			isShared ? id : '',
			accounts.length > 1 ? account?.profile.shortName : '',
			statusWord(reading.status ?? null),
		];
		const note = notes.filter(Boolean).join(' · ');
		const item = { id: `computer ${row.id}`, label: name, note, run: move(showComputer(row.id)) };
		const operations = actions.flatMap((action): readonly PaletteItem[] => {
			const { operation, subject } = action;
			if (!operation || subject !== 'computers' || action.refusal?.(asked) !== undefined) return [];
			const { label: verb } = operationRowOf(operation);
			const { reason = note, isUnlikely } = prospectsOf(operation, [row]);
			return [
				{
					id: `${operation} ${row.id}`,
					label: `${verb} ${name}`,
					note: reason,
					completion: `${verb.toLowerCase()} ${name}`,
					isUnlikely,
					run: context => runUnlessRefused({ ...context, targets: [row.id] }, action),
				},
			];
		});
		return [item, ...operations];
	});
}

/** The first or the last word may be an operation. */
function computersFound({ shown, typed }: Asked): readonly FleetRow[] {
	const names = [typed, typed.slice(1), typed.slice(0, -1)];
	return shown.orderedRows
		.map(row => {
			const name = computerName(row.computer);
			return { row, score: Math.max(...names.map(each => matchText(name, each)?.score ?? 0)) };
		})
		.filter(({ score }) => score > 0)
		.sort((one, other) => other.score - one.score)
		.slice(0, maxComputers)
		.map(({ row }) => row);
}

const filterItem = (id: string, filter: string, label = `Filter ${filter}`) => ({
	id,
	label,
	view: homeView,
	run: move(setFilter(filter)),
});

const savedFilterItems = ({ screen }: Asked): readonly PaletteItem[] =>
	Object.entries(screen.savedFilters).map(([name, filter]) => ({
		...filterItem(`filter ${name}`, filter, `${name} (filter)`),
		note: filter,
		completion: name,
	}));

const maxRecentFilters = 10;

/** What follows a command such as `rename hot` in the typed text. */
function restAfter(command: string, typed: string): string {
	const text = typed.trimStart();
	const isTyped = text.toLowerCase().startsWith(`${command.toLowerCase()} `);
	return isTyped ? text.slice(command.length).trim() : '';
}

/** The named and the recent filters, and changes to them: `hot`, `save hot`, `rename hot warm`, `forget hot`. */
function filterItems(asked: Asked): readonly PaletteItem[] {
	const { savedFilters, lineHistories, filters } = asked.screen;
	const recent = (lineHistories[`filter ${homeView}`] ?? []).slice(-maxRecentFilters).reverse();
	const nameToSave = restAfter('save', asked.text);
	const isEmpty = filters.fleet === '';
	return [
		...savedFilterItems(asked),
		...Object.entries(savedFilters).flatMap(([name, note]): readonly PaletteItem[] => {
			const newName = restAfter(`rename ${name}`, asked.text);
			const isTaken = Object.hasOwn(savedFilters, newName);
			return [
				{ id: `forget ${name}`, label: `Forget the filter ${name}`, note, run: forgetFilter(name) },
				{
					id: `rename ${name}`,
					label: `Rename the filter ${name} to ${newName || '…'}`,
					note: isTaken ? 'another filter has the name' : newName ? note : 'type the new name',
					completion: `rename ${name} ${newName}`,
					isUnlikely: isTaken,
					isUnfinished: newName === '',
					run: renameFilter(name, newName),
				},
			];
		}),
		{
			id: 'save',
			label: `Save the filter as ${nameToSave || '…'}`,
			note: isEmpty ? 'the table has no filter' : nameToSave ? filters.fleet : 'type a name',
			completion: `save ${nameToSave}`,
			isUnlikely: isEmpty,
			isUnfinished: nameToSave === '' && !isEmpty,
			run: saveFilter(nameToSave),
		},
		...recent.map(filter => filterItem(`recent ${filter}`, filter)),
	];
}

const without = (savedFilters: Screen['savedFilters'], name: string) =>
	Object.fromEntries(Object.entries(savedFilters).filter(([each]) => each !== name));

const saveFilter =
	(name: string) =>
	({ screenStore, scene, say }: ActionContext) => {
		const { savedFilters, filters } = scene().screen;
		const filter = filters.fleet.trim();
		if (filter === '') return say('The table has no filter to save. Type one after /');
		const { mistake } = filterFrom(filter, computerFilter);
		if (mistake) return say(`Not saved: ${mistake.problem}`);
		screenStore.setState({ savedFilters: { ...without(savedFilters, name), [name]: filter } });
		say(`Saved the filter ${filter} as ${name}. : and ${name} apply it`);
	};

const forgetFilter =
	(name: string) =>
	({ screenStore, scene, say }: ActionContext) => {
		screenStore.setState({ savedFilters: without(scene().screen.savedFilters, name) });
		say(`Forgot the filter ${name}`);
	};

const renameFilter =
	(name: string, newName: string) =>
	({ screenStore, scene, say }: ActionContext) => {
		const { savedFilters } = scene().screen;
		const { [name]: filter = '' } = savedFilters;
		if (Object.hasOwn(savedFilters, newName))
			return say(`Another filter is named ${newName}. Choose another name`);
		screenStore.setState({ savedFilters: { ...without(savedFilters, name), [newName]: filter } });
		say(`Renamed the filter ${name} to ${newName}`);
	};

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

function statusItems({ shown, actions }: Asked): readonly PaletteItem[] {
	// A replay has no marks.
	const hasMarks = actions.some(({ id }) => id === 'markAll');
	const phases = new Set(shown.orderedRows.map(({ computer }) => computer.phase));
	return [...phases].flatMap((phase): readonly PaletteItem[] => {
		const hasPhase = ({ computer }: FleetRow) => computer.phase === phase;
		const group = shown.orderedRows.filter(hasPhase);
		const filter = `status:${phase}`;
		const note = pluralize(group.length, 'computer');
		const mark: PaletteItem = {
			id: `mark ${phase}`,
			label: `Mark all with ${filter}`,
			note,
			completion: `mark all ${phase}`,
			view: homeView,
			run: move(markIds(group.map(({ id }) => id))),
		};
		// The filter may hide all computers with the status.
		const first = [...shown.rows.filter(hasPhase), ...group].slice(0, 1).map(
			({ id, computer }): PaletteItem => ({
				id: `first ${phase}`,
				label: `First computer with ${filter}`,
				note: computerName(computer),
				completion: `first ${phase}`,
				run: move(showComputer(id)),
			}),
		);
		const shows = { ...filterItem(`status ${phase}`, filter), note, completion: filter };
		return [shows, ...first, ...(hasMarks ? [mark] : [])];
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
			isUnlikely: isRefused || isPresent,
			run: ({ chooseSetting, say }) => say(chooseSetting(name, word)),
		};
	});

//  typed       finds                            because
//  sto         Stop computers …                 the text begins with the typed words
//  computer    Create a computer                each typed word is a word of the text
//  port pub    Publish a port                   each typed word begins a word of the text
//  ltair       altair-2                         each typed word is part of a word of the text
//  rstrt cmp   Restart computers …              the letters are in the text, in this order

/** How well a text matches, and the places of the matched letters in it. A higher score is a better match. */
type TextMatch = { score: number; places: readonly number[] };

/** A match with a lower score has the typed letters, but not the typed words. */
const guessScore = 2;

const word = /[\p{L}\p{N}]+/gu;

export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(word) ?? [];

/** Of two matches of the same kind, the one that begins earlier is better, and then the one with the shorter name. */
export function matchText(
	text: string,
	typed: readonly string[],
	nameLength = text.length,
): TextMatch | undefined {
	const lower = text.toLowerCase();
	// Most texts do not have all letters, which is found out first.
	if (typed.length === 0 || !typed.every(each => lettersInOrder(each, lower, 0))) return undefined;
	const words = [...lower.matchAll(word)].map(({ 0: letters, index }) => ({ letters, at: index }));
	const found = typed.flatMap(each => matchWord(each, words, lower) ?? []);
	if (found.length < typed.length) return undefined;
	const places = found.flatMap(each => each.places);
	const isBeginning = words
		.map(({ letters }) => letters)
		.join(' ')
		.startsWith(typed.join(' '));
	const score = isBeginning ? 6 : Math.min(...found.map(each => each.score));
	return { places, score: score - Math.min(0.9, (places[0] ?? 0) / 30 + nameLength / 300) };
}

type Word = { letters: string; at: number };

function matchWord(typed: string, words: readonly Word[], text: string): TextMatch | undefined {
	for (const score of [5, 4, 3]) {
		const found = words.find(({ letters }) => scoreIn(letters, typed) === score);
		if (!found) continue;
		const from = found.at + found.letters.indexOf(typed);
		return { score, places: Array.from(typed, (_, at) => from + at) };
	}
	const start = words.find(({ letters }) => letters.startsWith(typed.charAt(0)));
	const places = start && lettersInOrder(typed, text, start.at);
	return places && { score: 1, places };
}

function scoreIn(letters: string, typed: string): number | undefined {
	if (letters === typed) return 5;
	if (letters.startsWith(typed)) return 4;
	// One letter is part of almost every text, so it has to begin a word.
	return typed.length > 1 && letters.includes(typed) ? 3 : undefined;
}

function lettersInOrder(letters: string, text: string, from: number) {
	const places: number[] = [];
	for (const letter of letters) {
		const at = text.indexOf(letter, (places.at(-1) ?? from - 1) + 1);
		if (at < 0) return undefined;
		places.push(at);
	}
	return places;
}
