import { troubleFirst } from '../../fleet/computers/order-fields.ts';
import { countText } from '../../foundation/number-text.ts';
import { chosenChoiceOf } from '../../screen/choice.ts';
import { filterEntryFor } from '../../screen/dialog-entry.ts';
import { filterProblem } from '../../screen/filter-mistake.ts';
import { applyMove, type Move } from '../../screen/move.ts';
import { withChoiceOpened } from '../../screen/open-choice.ts';
import { currentFilter, currentOrdering, isTable, type Screen } from '../../screen/screen.ts';
import { indexOfTrouble } from '../../screen/trouble.ts';
import { viewRows } from '../../screen/view-table.ts';
import { isInTrouble } from '../../store/trouble-rank.ts';
import { columnChoices } from '../../views/dialogs/columns.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import type { createSignInIntents } from './account-intents.ts';
import type { createDialogIntents } from './dialog-intents.ts';
import type { HandlerDeps, IntentHandlers } from './intent-handlers.ts';
import { rememberLine } from './line-intents.ts';
import type { createOperationIntents } from './operation-intents.ts';

type OtherIntents = {
	operationIntents: ReturnType<typeof createOperationIntents>;
	signInIntents: ReturnType<typeof createSignInIntents>;
	dialogIntents: ReturnType<typeof createDialogIntents>;
};
/** Explains why there is no computer in trouble to go to. */
function noTroubleText({ allRows, ids }: VisibleRows): string {
	const hidden = allRows.filter(isInTrouble).length;
	if (hidden === 0 || ids.length === allRows.length) return 'No computer is in trouble';
	return `No computer in trouble matches the filter, which hides ${hidden}`;
}

const marksRemovedText = (count: number) =>
	`${countText(count)} ${count === 1 ? 'mark' : 'marks'} removed`;

const allMarkedText = ({ ids }: VisibleRows) =>
	ids.length === 1
		? '1 computer marked; Esc unmarks it'
		: `${countText(ids.length)} computers marked; Esc unmarks them`;

const hiddenTableText = 'This key works in the table. Esc closes the details.';

/**
 * The moves that change how the table looks. They do nothing while the details hide the table, because a person would
 * not see the effect.
 */
const tableMoves: ReadonlySet<Move['type']> = new Set<Move['type']>([
	...(['orderBy', 'reverse', 'openOrderMenu', 'toggleMap'] as const),
	...(['nextGrouping', 'nextColouring', 'markAll', 'markOthers', 'markRange'] as const),
]);

function isHiddenTableMove({ type }: Move, screen: Screen): boolean {
	return isTable(screen) && screen.isDetailOpen && !screen.isHelpOpen && tableMoves.has(type);
}

type ScreenIntentHandlers = Pick<IntentHandlers, 'move' | 'columns'>;

/** Creates the handlers of the intents that change only the screen, such as its cursor, filter and order. */
export function createScreenIntents(
	deps: HandlerDeps,
	{ operationIntents, signInIntents, dialogIntents }: OtherIntents,
): ScreenIntentHandlers {
	const { screenStore, sessions, accountsNow, defaultColumns, say } = deps;
	const applyToScreen = (move: Move, screen: Screen, visibleRows: VisibleRows) =>
		screenStore.setState(applyMove(screen, move, visibleRows), true);

	/**
	 * Handles a move that does more than change the cursor, marks, filter, order or view. Returns false for
	 * any other move.
	 */
	function isHandledElsewhere(move: Move, screen: Screen, visibleRows: VisibleRows): boolean {
		if (isHiddenTableMove(move, screen)) {
			say(hiddenTableText);
			return true;
		}
		if (move.type === 'back') {
			if (dialogIntents.cancelSearch(visibleRows)) return true;
			// Esc first closes what is open over the view.
			return (
				deps.openDialog() === undefined &&
				operationIntents.cancelOrTakeFailureAway(screen, visibleRows)
			);
		}
		// An invalid filter stays open for editing. The screen shows the problem beside it.
		if (move.type === 'endFilter' && screen.help.isFiltering) {
			screenStore.setState({ help: { ...screen.help, isFiltering: false } });
			return true;
		}
		if (move.type === 'endFilter') {
			const problem = filterProblem(visibleRows.allRows, screen);
			if (problem !== undefined) {
				const entry = filterEntryFor(screen.entry, currentFilter(screen));
				screenStore.setState({ entry: { ...entry, problem } });
				return true;
			}
			rememberLine({ screenStore }, deps.openDialog());
			applyToScreen(move, screenStore.getState(), visibleRows);
			return true;
		}
		if (move.type === 'open' && !isTable(screen)) {
			openChoice(screen, visibleRows);
			return true;
		}
		if (move.type === 'reverse' && currentOrdering(screen)?.by === troubleFirst.by) {
			say('This order always begins with trouble');
			return true;
		}
		if (move.type === 'trouble') {
			const index = indexOfTrouble(screen, move.direction, visibleRows);
			if (index === undefined) say(noTroubleText(visibleRows));
			return index === undefined;
		}
		const isForSignIn =
			(move.type === 'open' && visibleRows.ids.length === 0) ||
			(move.type === 'across' && move.signsIn === true);
		if (isForSignIn && signInIntents.isSignedOut()) {
			signInIntents.open();
			return true;
		}
		return false;
	}

	/** Opens what the line under the cursor describes, such as a computer. */
	function openChoice(screen: Screen, visibleRows: VisibleRows) {
		const choice = chosenChoiceOf(screen, visibleRows.choiceList?.());
		const { opens } = choice ?? {};
		if (!choice || !opens) return say('This line opens nothing');
		if (opens.type === 'computer' && !deps.computerOf(opens.id))
			return say(`${opens.name} no longer exists`);
		screenStore.setState(withChoiceOpened(screen, choice, visibleRows), true);
	}

	return {
		move({ move }, screen, visibleRows) {
			if (isHandledElsewhere(move, screen, visibleRows)) return;
			applyToScreen(move, screen, visibleRows);
			const isDetailClosed = screen.isDetailOpen && !screenStore.getState().isDetailOpen;
			if (isDetailClosed) operationIntents.noteSeen(screen, visibleRows);
			const marksRemoved = screen.marks.size - screenStore.getState().marks.size;
			if (move.type === 'markAll' && visibleRows.ids.length > 0)
				say(marksRemoved > 0 ? marksRemovedText(marksRemoved) : allMarkedText(visibleRows));
			const { ownRead } = viewRows[screenStore.getState().view];
			if (!ownRead) return;
			for (const { profile, state } of accountsNow()) {
				if (!state[ownRead]) sessions.sessionOf(profile.account).watch.readNow([{ name: ownRead }]);
			}
		},
		/** Opens or closes the column menu, or resets the columns. */
		columns({ action }, screen) {
			const { columns, columnMenu } = screen;
			if (isTable(screen) && screen.isDetailOpen) return say(hiddenTableText);
			const isReset = action === 'reset';
			const nextColumns = isReset ? defaultColumns : columns;
			const isOpen = isReset || !columnMenu;
			const openedMenu = { choices: columnChoices(nextColumns), index: 0 };
			screenStore.setState({ columns: nextColumns, columnMenu: isOpen ? openedMenu : undefined });
		},
	};
}
