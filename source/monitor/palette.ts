import { computerName } from '../fleet/computers/computer.ts';
import { computerFilter } from '../fleet/computers/fields.ts';
import { filterFrom } from '../fleet/filters/filter.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import { obstacleOn, operationRowOf } from '../fleet/operations/operation-table.ts';
import { capitalized, uncapitalized } from '../foundation/letter-case.ts';
import { firstNamesAndCount } from '../foundation/number-text.ts';
import { fitList } from '../lines/parts.ts';
import { spellOut } from '../lines/print.ts';
import { clickable, cut, fitTo, justify, type Span, widthOf, withMatches } from '../lines/span.ts';
import { typedLine } from '../lines/typed.ts';
import type { FleetRow } from '../store/selectors.ts';
import { type Box, innerWidthOf, keyHints, listBox } from '../views/dialogs/dialog.ts';
import type { DialogOf } from '../views/dialogs/dialog-table.ts';
import { columns, columnsNamed } from '../views/fleet/columns.ts';
import { statusWord } from '../views/fleet/status.ts';
import { keyHint, shownKey, spokenKey } from '../views/keys.ts';
import { type Click, chosenIds, markIds } from '../views/look/moves.ts';
import { type ChangeableSetting, groupings } from '../views/look/screen.ts';
import { homeView, isTextView, type ViewName, views } from '../views/look/view-table.ts';
import { groupBy, setFilter, showColumns, showComputer } from '../views/look/views.ts';
import { historyPrompt, pluralize } from '../views/phrases/words.ts';
import type { Action, Effect, Scene } from '../views/scene.ts';
import { move, runUnlessRefused } from './actions/effects.ts';

// ╭──────────────────────────────────────────────────────────────────╮
// │ :stop ve▏                                                        │
// │ ❯ Stop vega                                          active    x │
// │   Stop vega-2                                        stopped   x │
// │ 1–2 of 14 · Enter runs or asks · Esc closes · Tab completes      │
// ╰──────────────────────────────────────────────────────────────────╯

const maxLines = 10;
// The header and its rule, the frame, the typed line, the line of hints, and the two lines below the box.
const linesBesideItems = 9;

const examples = ['stop vega', 'a computer', 'a view', 'a filter', 'save hot'];

export function paletteBox({ entry }: DialogOf<'palette'>, scene: Scene): Box {
	const { actions, layout } = scene;
	const { line, assist } = entry;
	const { items, index } = findPaletteItems(scene);
	const inner = innerWidthOf(layout);
	const room = Math.max(1, Math.min(maxLines, layout.rows - linesBesideItems));
	const typed = typedLine(historyPrompt(assist, [[':', 'accent']]), line, inner);
	const hinted = line.text === '' && assist === undefined ? examples : [];
	const hints = hinted.map((text): readonly Span[] => [[text, 'faint']]);
	const none: readonly Span[] =
		items.length > 0 ? [] : [[`  Nothing matches “${line.text}”`, 'faint']];
	// The typed line stays in its place, however many items match.
	const below = Array.from({ length: Math.max(0, room - items.length) }, (_, at) =>
		at === 0 ? none : [],
	);
	return listBox(
		'',
		{
			above: [[...typed, ['  '], ...fitList(hints, inner - widthOf(typed) - 2, ' · ')]],
			items,
			draw: (item, isChosen) => itemLine(item, isChosen, inner),
			chosen: index,
			room,
			below,
			hints: keyHints(actions, [
				['choose', 'runs or asks'],
				['back', 'closes'],
				['completeFound', 'completes'],
			]),
		},
		layout,
	);
}

/** A long label is cut rather than the note. */
const minNoteCells = 24;
const keyCells = 6;

function itemLine(item: FoundItem, isChosen: boolean, width: number): readonly Span[] {
	const { id, label, note = '', key = '', places, isUnlikely } = item;
	const matches = places.toSorted((a, b) => a - b).map(at => ({ from: at, to: at + 1 }));
	const left: readonly Span[] = [
		[isChosen ? '❯ ' : '  ', 'accent'],
		...withMatches([[label, isUnlikely ? 'faint' : undefined]], matches),
	];
	const room = width - widthOf(left) - keyCells - 4;
	const right: readonly Span[] = [
		['  '],
		...cut([[note, 'faint']], Math.max(0, room, Math.min(minNoteCells, width - 30))),
		['  '],
		...fitTo([[shownKey(key), 'faint']], keyCells, 'right'),
	];
	const click: Click = { type: 'found', id };
	return clickable(justify(left, right, width), click);
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
	words?: string | undefined;
	/** The view to which the item leads before it runs; absent for the current view. */
	view?: ViewName | undefined;
	/** Refused or of little use: it is faint, and comes after equal matches. */
	isUnlikely?: boolean;
	/** Whether a name is missing, which Enter asks for by completing the line. */
	isUnfinished?: boolean;
};

type FoundItem = PaletteItem & TextMatch;

type Asked = Scene & {
	text: string;
	typed: readonly string[];
	/** What an operation would apply to: in a view of text, the computer of the line under the cursor. */
	targets: readonly FleetRow[];
};

/** The index is -1 if the item that was chosen is gone. */
export function findPaletteItems(scene: Scene) {
	const { screen, shown } = scene;
	const text = screen.entry?.id === 'palette' ? screen.entry.line.text : '';
	const rows = new Map(shown.orderedRows.map(row => [row.id, row]));
	const palette = paletteOf(scene);
	const ids = isTextView(screen.view)
		? palette?.under
			? [palette.under.id]
			: []
		: chosenIds(screen, shown.lines, id => rows.has(id));
	const asked = {
		...scene,
		text,
		typed: wordsIn(text),
		targets: ids.flatMap(id => rows.get(id) ?? []),
	};
	const items = bestFirst(itemsFor(asked), asked.typed);
	const index = items.findIndex(({ id }) => id === palette?.chosenId);
	return { items, index, chosen: items[index] };
}

const paletteOf = ({ screen: { open } }: Scene) => (open?.kind === 'palette' ? open : undefined);

/** Before anything is typed, that is only what a person may do next. Signs alone find nothing. */
function itemsFor(asked: Asked): readonly PaletteItem[] {
	if (asked.text.trim() === '') return [...actionItems(asked), ...savedFilterItems(asked)];
	if (asked.typed.length === 0) return [];
	return [
		...savedFilterItems(asked),
		...actionItems(asked),
		...filterItems(asked),
		...computerItems(asked),
		...columnItems(asked),
		...groupItems(asked),
		...asked.screen.settings.flatMap(settingItems),
		...statusItems(asked),
	];
}

/** Equal matches keep their order. Guesses are left out if anything has the typed words. */
function bestFirst(items: readonly PaletteItem[], typed: readonly string[]): readonly FoundItem[] {
	const rankOf = ({ score, isUnlikely }: FoundItem) => score - (isUnlikely ? 0.3 : 0);
	const found = items
		.flatMap((item): readonly FoundItem[] => {
			const match = matchOf(item, typed);
			return match ? [{ ...item, ...match }] : [];
		})
		.sort((one, other) => rankOf(other) - rankOf(one));
	const exact = found.filter(({ score }) => score >= guessScore);
	return exact.length > 0 ? exact : found;
}

function matchOf(item: PaletteItem, typed: readonly string[]): TextMatch | undefined {
	const { label, text = label, completion = label, words = '' } = item;
	if (typed.length === 0) return { score: guessScore, places: [] };
	const match = matchText(text, typed, completion.length);
	if (match) return match;
	const hasWords = typed.every(each => words.split(' ').some(word => word.startsWith(each)));
	// A match that nobody sees comes after the names of computers that begin with the typed text.
	return hasWords ? { score: 3, places: [] } : undefined;
}

/** A refused action appears only in a search, so that a person reads the reason and does not choose another one instead. */
function actionItems(asked: Asked): readonly PaletteItem[] {
	const { actions, typed, screen, targets } = asked;
	const { under } = paletteOf(asked) ?? {};
	const targetNames = targets.map(({ computer }) => computerName(computer));
	return actions.flatMap((action): readonly PaletteItem[] => {
		const { id, operation, subject, words, isKeyOnly } = action;
		const place = viewOf(action, screen.view);
		const isElsewhere = place !== screen.view;
		// A person does not see the cursors of the other views.
		if (place === undefined || isKeyOnly || (subject === 'line' && isElsewhere)) return [];
		const isOnTargets = subject === 'computers';
		// In a view of text it works on the computer of the line under the cursor, which no key does.
		const isOnLine = isOnTargets && isElsewhere && isTextView(screen.view);
		const isRefused = action.refusal?.(asked) !== undefined || (isOnLine && !under);
		if (isRefused && typed.length === 0) return [];
		const prospects = isOnTargets && operation ? prospectsOf(operation, targets) : undefined;
		const aim = isOnLine ? (under?.name ?? 'no computer here') : firstNamesAndCount(targetNames, 1);
		const label = labelOf(action);
		return [
			{
				id: `key ${id}`,
				label,
				note: prospects?.reason ?? (isOnTargets ? aim : ''),
				key: isOnLine ? '' : keysFromHere(action, place, asked),
				completion: operation ? operationRowOf(operation).label : label.replace(/:.*/s, ''),
				words,
				view: isElsewhere && !isOnLine ? place : undefined,
				isUnlikely: prospects?.isUnlikely || isRefused,
				run(context) {
					const onLine = { ...context, targets: under ? [under.id] : [] };
					runUnlessRefused(isOnLine ? onLine : context, action);
				},
			},
		];
	});
}

function prospectsOf(operation: OperationId, rows: readonly FleetRow[]) {
	const { seldomHelpsIn = [] } = operationRowOf(operation);
	const reasons = new Set(
		rows.map(({ computer }) => obstacleOn(operation, computer, undefined)?.reason),
	);
	if (rows.length === 0 || reasons.has(undefined)) {
		const isUnlikely = rows.every(({ computer }) => seldomHelpsIn.includes(computer.phase));
		return { isUnlikely: rows.length > 0 && isUnlikely };
	}
	const [reason] = reasons;
	return { reason: reasons.size > 1 ? 'none accepts it now' : reason, isUnlikely: true };
}

/** The view in which the action works, if possible the current one; undefined for an action of a dialog or a field. */
function viewOf({ where }: Action, current: ViewName): ViewName | undefined {
	if (where.includes(current) || where.includes('everywhere')) return current;
	// The palette offers the choices of the menu of orders as well.
	return where.includes('order') ? homeView : views.find(view => where.includes(view));
}

/** Names the keys that do it from the current view, as in `o n`; empty if one of them is not bound. */
function keysFromHere(
	{ keys, where }: Action,
	place: ViewName,
	{ actions, screen }: Asked,
): string {
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

/** The computers whose names match, and what can be done to each of them: `vega`, `stop vega`, `vega pin`. */
function computerItems(asked: Asked): readonly PaletteItem[] {
	const { actions, accounts, screen, typed } = asked;
	const rows = computersFound(asked);
	const names = rows.map(({ computer }) => computerName(computer));
	const onComputers = actions.filter(({ subject }) => subject === 'computers');
	return rows.flatMap((row): readonly PaletteItem[] => {
		const { id, account, computer } = row;
		const name = computerName(computer);
		const isShared = names.indexOf(name) !== names.lastIndexOf(name);
		const owner = accounts.find(({ profile }) => profile.account === account);
		const notes = [
			isShared ? computer.id : '',
			accounts.length > 1 ? owner?.profile.shortName : '',
			statusWord(computer.reading.status ?? null),
		];
		const note = notes.filter(Boolean).join(' · ');
		return [
			{ id: `computer ${id}`, label: name, note, run: move(showComputer(id)) },
			...onComputers.flatMap((action): readonly PaletteItem[] => {
				const { operation } = action;
				const isPinned = action.id === 'pin' && screen.pins.has(id);
				const verb = operation ? operationRowOf(operation).label : verbFrom(action.id);
				const shownVerb = isPinned ? 'Unpin' : verb;
				const label = `${shownVerb} ${name}`;
				const isRefused = operation !== undefined && action.refusal?.(asked) !== undefined;
				// Without words for its name, the computer under the cursor is meant.
				if (!operation && !isNamed(name, shownVerb, typed)) return [];
				// What is refused says why, but only to a person who has typed it.
				if (isRefused && !typed.some(word => matchText(verb, [word]))) return [];
				const { reason = note, isUnlikely } = operation ? prospectsOf(operation, [row]) : {};
				return [
					{
						id: `${action.id} ${id}`,
						label,
						note: reason,
						completion: uncapitalized(label),
						isUnlikely: isUnlikely || isRefused,
						run: context => runUnlessRefused({ ...context, targets: [id] }, action),
					},
				];
			}),
		];
	});
}

function isNamed(name: string, verb: string, typed: readonly string[]): boolean {
	const verbWords = [...verb.toLowerCase().split(' '), verb.toLowerCase().replace(' ', '')];
	const others = typed.filter(each => !verbWords.some(word => word.startsWith(each)));
	return others.length > 0 && matchText(name, others) !== undefined;
}

/** As `Copy id` from `copyId`. */
const verbFrom = (action: string) =>
	capitalized(action.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`));

function computersFound({ shown, typed }: Asked): readonly FleetRow[] {
	const scoreOf = ({ computer }: FleetRow) =>
		typed.reduce((sum, each) => sum + (matchText(computerName(computer), [each])?.score ?? 0), 0);
	return shown.orderedRows
		.map(row => ({ row, score: scoreOf(row) }))
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

/** The recent filters, and changes to the named ones: `save hot`, `rename hot warm`, `forget hot`. */
function filterItems({ text, screen }: Asked): readonly PaletteItem[] {
	const { savedFilters, lineHistories, filters } = screen;
	const recent = (lineHistories[`filter ${homeView}`] ?? []).slice(-maxRecentFilters).reverse();
	const nameToSave = restAfter('save', text);
	const isEmpty = filters.fleet === '';
	return [
		...Object.entries(savedFilters).flatMap(([name, note]): readonly PaletteItem[] => {
			const newName = restAfter(`rename ${name}`, text);
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

function restAfter(command: string, typed: string): string {
	const text = typed.trimStart();
	const isTyped = text.toLowerCase().startsWith(`${command.toLowerCase()} `);
	return isTyped ? text.slice(command.length).trim() : '';
}

const without = (savedFilters: Scene['screen']['savedFilters'], name: string) =>
	Object.fromEntries(Object.entries(savedFilters).filter(([each]) => each !== name));

const saveFilter =
	(name: string): Effect['run'] =>
	({ screenStore, scene, say }) => {
		const { savedFilters, filters } = scene().screen;
		const filter = filters.fleet.trim();
		if (filter === '') return say('The table has no filter to save');
		const { mistake } = filterFrom(filter, computerFilter);
		if (mistake) return say(`Not saved: ${mistake.problem}`);
		screenStore.setState({ savedFilters: { ...without(savedFilters, name), [name]: filter } });
		const hint = keyHint(scene(), 'palette', `and ${name} apply it`, '. ');
		say(`Saved the filter ${filter} as ${name}${hint}`);
	};

const forgetFilter =
	(name: string): Effect['run'] =>
	({ screenStore, scene, say }) => {
		screenStore.setState({ savedFilters: without(scene().screen.savedFilters, name) });
		say(`Forgot the filter ${name}`);
	};

const renameFilter =
	(name: string, newName: string): Effect['run'] =>
	({ screenStore, scene, say }) => {
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

/** While the map is open, they group the map. */
function groupItems({ screen }: Asked): readonly PaletteItem[] {
	const { isOpen, grouping } = screen.map;
	const present = isOpen ? grouping : screen.grouping;
	const fields = isOpen ? groupings : [...groupings, undefined];
	return fields.map(field => ({
		id: `group ${field}`,
		label: `Group the ${isOpen ? 'map' : 'table'} by ${field ?? 'nothing'}`,
		note: field === present ? 'now' : '',
		isUnlikely: field === present,
		view: homeView,
		run: move(groupBy(field)),
	}));
}

function statusItems({ shown, actions }: Asked): readonly PaletteItem[] {
	const hasMarks = actions.some(({ id }) => id === 'markAll');
	const phases = new Set(shown.orderedRows.map(({ computer }) => computer.phase));
	return [...phases].flatMap((phase): readonly PaletteItem[] => {
		const hasPhase = ({ computer }: FleetRow) => computer.phase === phase;
		const group = shown.orderedRows.filter(hasPhase);
		// The filter may hide all computers with the status.
		const first = shown.rows.find(hasPhase) ?? group[0];
		const filter = `status:${phase}`;
		const note = pluralize(group.length, 'computer');
		const items: readonly PaletteItem[] = [
			{ ...filterItem(`status ${phase}`, filter), note, completion: filter },
			{
				id: `first ${phase}`,
				label: `First computer with ${filter}`,
				note: first && computerName(first.computer),
				completion: `first ${phase}`,
				run: context => first && move(showComputer(first.id))(context),
			},
			{
				id: `mark ${phase}`,
				label: `Mark all with ${filter}`,
				note,
				completion: `mark all ${phase}`,
				view: homeView,
				run: move(markIds(group.map(({ id }) => id))),
			},
		];
		return hasMarks ? items : items.slice(0, 2);
	});
}

/** Only the next value is compared, so that `theme light` never finds a change to another theme. */
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

export const wordsIn = (text: string): readonly string[] =>
	text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Of two matches of the same kind, the one that begins earlier is better, and then the one with the shorter name. */
export function matchText(
	text: string,
	typed: readonly string[],
	nameLength = text.length,
): TextMatch | undefined {
	// A blank stands before and after each word.
	const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, sign => ' '.repeat(sign.length));
	const found = typed.flatMap(each => matchWord(each, ` ${plain} `) ?? []);
	if (typed.length === 0 || found.length < typed.length) return undefined;
	const places = found.flatMap(each => each.places);
	const isBeginning = plain.trimStart().startsWith(typed.join(' '));
	const score = isBeginning ? 6 : Math.min(...found.map(each => each.score));
	return { places, score: score - Math.min(0.9, (places[0] ?? 0) / 30 + nameLength / 300) };
}

function matchWord(typed: string, text: string): TextMatch | undefined {
	// One letter is part of almost every text, so it has to begin a word.
	const part = typed.length > 1 ? text.indexOf(typed) - 1 : -1;
	const begins = [text.indexOf(` ${typed} `), text.indexOf(` ${typed}`), part];
	const kind = begins.findIndex(begin => begin >= 0);
	const begin = begins[kind];
	if (begin !== undefined)
		return { score: 5 - kind, places: Array.from(typed, (_, at) => begin + at) };
	const places: number[] = [];
	for (const letter of typed) {
		const sought = places.length === 0 ? ` ${letter}` : letter;
		const at = text.indexOf(sought, (places.at(-1) ?? -2) + 2);
		if (at < 0) return undefined;
		places.push(at + sought.length - 2);
	}
	return { score: 1, places };
}
