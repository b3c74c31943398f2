import { computerFilter } from '../../fleet/computers/field.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { troubleFirst } from '../../fleet/computers/order-fields.ts';
import { filterFrom } from '../../fleet/filters/filter.ts';
import { isInTrouble } from '../../store/selectors.ts';
import { columnChoices } from '../dialogs/columns.ts';
import type { VisibleRows } from '../fleet/rows.ts';
import { chosenChoiceOf } from '../look/choice.ts';
import { cursorIndex } from '../look/cursor.ts';
import {
	withChoiceOpened,
	withComputerShown,
	withLookKept,
	withOpenPartClosed,
} from '../look/going-back.ts';
import { withAllToggled } from '../look/marks.ts';
import { across, applyMove, goTo, type Move, openDetail, reverseOrder } from '../look/moves.ts';
import { currentOrdering, isTable, type Screen } from '../look/screen.ts';
import { viewRows } from '../look/view-table.ts';
import { refreshNotice } from '../phrases/reads.ts';
import { pluralize } from '../phrases/words.ts';
import type { ActionContext } from '../scene.ts';
import { openSignIn, signedOutSessions } from './accounts.ts';
import { noteSeen, quit } from './operations.ts';
import { computerOf } from './ports.ts';

export const move = (each: Move) => (context: ActionContext) => look(context, each);

const hiddenTableText = 'This key works in the table. Esc closes the details.';

const isTableHidden = (screen: Screen) => isTable(screen) && screen.isDetailOpen;

/** Returns an action that does nothing while the details hide the table, because a person would not see its effect. */
export const moveInTable = (each: Move) => (context: ActionContext) => {
	if (isTableHidden(context.screenStore.getState())) context.say(hiddenTableText);
	else look(context, each);
};

export function change({ screenStore, shown }: ActionContext, move: Move) {
	screenStore.setState(applyMove(screenStore.getState(), move, shown));
}

/** Makes a move, and reads what only the opened view needs. */
export function look(context: ActionContext, move: Move) {
	const { screenStore, sessions, accountsNow } = context;
	const screen = screenStore.getState();
	change(context, move);
	const after = screenStore.getState();
	if (screen.isDetailOpen && !after.isDetailOpen) noteSeen(context, screen);
	const { ownRead } = viewRows[after.view];
	if (!ownRead) return;
	for (const { profile, state } of accountsNow()) {
		if (!state[ownRead]) sessions.sessionOf(profile.account).watch.readNow([{ name: ownRead }]);
	}
}

export function markAll(context: ActionContext) {
	const { screenStore, shown, say } = context;
	const screen = screenStore.getState();
	if (isTableHidden(screen)) return say(hiddenTableText);
	look(context, withAllToggled);
	if (shown.ids.length === 0) return;
	const removed = screen.marks.size - screenStore.getState().marks.size;
	const count = pluralize(shown.ids.length, 'computer');
	const unmarks = shown.ids.length === 1 ? 'unmarks it' : 'unmarks them';
	say(removed > 0 ? `${pluralize(removed, 'mark')} removed` : `${count} marked; Esc ${unmarks}`);
}

/** Opens what the line under the cursor describes, such as a computer. In an empty table, it signs in. */
export function open(context: ActionContext) {
	const { screenStore, shown, say } = context;
	const screen = screenStore.getState();
	if (isTable(screen)) {
		const isForSignIn = shown.ids.length === 0 && signedOutSessions(context).length > 0;
		return isForSignIn ? openSignIn(context) : look(context, openDetail);
	}
	const choice = chosenChoiceOf(screen, shown.choiceList?.());
	const { opens } = choice ?? {};
	if (!choice || !opens) return say('This line opens nothing');
	if (opens.type === 'computer' && !computerOf(context, opens.id))
		return say(`${opens.name} no longer exists`);
	change(context, () => withChoiceOpened(screen, choice, shown));
}

export const showComputer = (id: GlobalId) => (context: ActionContext) =>
	change(context, (screen, shown) =>
		withComputerShown(isTable(screen) ? screen : withLookKept(screen), id, shown),
	);

/** Moves to the next or the previous computer in trouble. After the last one, the first one follows. */
export const trouble = (direction: 1 | -1) => (context: ActionContext) => {
	const { screenStore, shown, say } = context;
	const { rows, ids } = shown;
	const from = Math.max(0, cursorIndex(screenStore.getState(), ids));
	const onward = [...rows.slice(from + 1), ...rows.slice(0, from + 1)];
	const backward = [...rows.slice(from), ...rows.slice(0, from)].reverse();
	const row = (direction === 1 ? onward : backward).find(isInTrouble);
	if (row) look(context, goTo(row.id));
	else say(noTroubleText(shown));
};

function noTroubleText({ allRows, ids }: VisibleRows): string {
	const hidden = allRows.filter(isInTrouble).length;
	if (hidden === 0 || ids.length === allRows.length) return 'No computer is in trouble';
	return `No computer in trouble matches the filter, which hides ${hidden}`;
}

export function reverse(context: ActionContext) {
	const screen = context.screenStore.getState();
	if (!isTableHidden(screen) && currentOrdering(screen)?.by === troubleFirst.by)
		context.say('This order always begins with trouble');
	else moveInTable(reverseOrder)(context);
}

/** In the map, the key that signs in also goes one cell to the right. */
export function goRightOrSignIn(context: ActionContext) {
	if (signedOutSessions(context).length > 0) openSignIn(context);
	else look(context, across(1));
}

export function chooseColumns(context: ActionContext) {
	const { columns, columnMenu } = context.screenStore.getState();
	showColumnMenu(context, columns, !columnMenu);
}

export function resetColumns(context: ActionContext) {
	showColumnMenu(context, context.defaultColumns, true);
}

function showColumnMenu(
	{ screenStore, say }: ActionContext,
	columns: readonly string[] | undefined,
	isOpen: boolean,
) {
	const screen = screenStore.getState();
	if (isTableHidden(screen)) return say(hiddenTableText);
	const columnMenu = isOpen ? { choices: columnChoices(columns), index: 0 } : undefined;
	screenStore.setState({ columns, columnMenu });
}

export function readNow({ screenStore, sessions, jointNow, clock }: ActionContext) {
	const { ownRead } = viewRows[screenStore.getState().view];
	for (const { watch } of sessions.all()) {
		watch.readNow();
		if (ownRead) watch.readNow([{ name: ownRead }]);
	}
	const shownAt = clock.now();
	const text = refreshNotice(jointNow(), shownAt);
	screenStore.setState({ notice: { text, shownAt, isAboutRead: true } });
}

/** Closes what is open over the table, or quits if nothing is. */
export function closeOrQuit(context: ActionContext) {
	const { screenStore, shown } = context;
	// On a terminal that is too small to show what is open, this key quits.
	const closed = shown.maxRows > 0 && withOpenPartClosed(screenStore.getState());
	if (closed) look(context, () => closed);
	else quit(context);
}

export const saveFilter =
	(name: string) =>
	({ screenStore, say }: ActionContext) => {
		const { savedFilters, filters } = screenStore.getState();
		const filter = filters.fleet.trim();
		if (filter === '') return say('The table has no filter to save. Type one after /');
		const { mistake } = filterFrom(filter, computerFilter);
		if (mistake) return say(`Not saved: ${mistake.problem}`);
		screenStore.setState({ savedFilters: { ...without(savedFilters, name), [name]: filter } });
		say(`Saved the filter ${filter} as ${name}. : and ${name} apply it`);
	};

export const forgetFilter =
	(name: string) =>
	({ screenStore, say }: ActionContext) => {
		const { savedFilters } = screenStore.getState();
		const isSaved = Object.hasOwn(savedFilters, name);
		screenStore.setState({ savedFilters: without(savedFilters, name) });
		say(isSaved ? `Forgot the filter ${name}` : `No filter is named ${name}`);
	};

export const renameFilter =
	(name: string, newName: string) =>
	({ screenStore, say }: ActionContext) => {
		const { savedFilters } = screenStore.getState();
		const { [name]: filter } = savedFilters;
		if (newName === '') return say(`Type the new name: rename ${name} NEW`);
		if (filter === undefined) return say(`No filter is named ${name}`);
		if (Object.hasOwn(savedFilters, newName))
			return say(`Another filter is named ${newName}. Choose another name`);
		screenStore.setState({ savedFilters: { ...without(savedFilters, name), [newName]: filter } });
		say(`Renamed the filter ${name} to ${newName}`);
	};

type SavedFilters = Readonly<Record<string, string>>;

const without = (savedFilters: SavedFilters, name: string): SavedFilters =>
	Object.fromEntries(Object.entries(savedFilters).filter(([each]) => each !== name));
