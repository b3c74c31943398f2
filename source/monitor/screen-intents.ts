import type { StoreApi } from 'zustand/vanilla';
import type { Binding } from '../keys/binding.ts';
import { paletteItems } from '../keys/palette.ts';
import { cleanLine } from '../platform/clean.ts';
import { applyMove, type Move } from '../screen/move.ts';
import { currentFilter, filterProblem, type Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import type { AccountState } from '../store/state.ts';
import { columnChoices } from '../wording/columns-text.ts';
import { nextModelOrdering } from '../wording/models-text.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import type { IntentHandlers } from './intent-handlers.ts';
import type { createOperationIntents } from './operation-intents.ts';
import type { createSignInIntents } from './sign-in-intents.ts';

type ScreenIntentDeps = {
	screens: StoreApi<Screen>;
	/** The palette lists these. */
	bindings: readonly Binding[];
	watch: AccountSession['watch'];
	accountNow: () => AccountState;
	operationIntents: Pick<ReturnType<typeof createOperationIntents>, 'cancelOrDismiss'>;
	signInIntents: ReturnType<typeof createSignInIntents>;
	defaultColumns: readonly string[] | undefined;
};

type ScreenIntentHandlers = Pick<IntentHandlers, 'move' | 'type' | 'erase' | 'palette' | 'columns'>;

/** The intents that change only how a person looks at the fleet. */
export function createScreenIntents(deps: ScreenIntentDeps): ScreenIntentHandlers {
	const { screens, bindings, watch, accountNow, operationIntents, signInIntents, defaultColumns } =
		deps;

	const applyToScreen = (move: Move, screen: Screen, visibleRows: VisibleRows) =>
		screens.setState(applyMove(screen, move, visibleRows), true);

	function searchPalette(text: string, screen: Screen, visibleRows: VisibleRows) {
		const found = paletteItems(bindings, text).length;
		applyToScreen({ type: 'setPaletteText', text, resultCount: found }, screen, visibleRows);
	}

	function editLine(edit: (text: string) => string, screen: Screen, visibleRows: VisibleRows) {
		if (screen.palette) searchPalette(edit(screen.palette.text), screen, visibleRows);
		else
			applyToScreen({ type: 'setFilter', text: edit(currentFilter(screen)) }, screen, visibleRows);
	}

	/**
	 * Handles a move that does more than change how a person looks at the fleet, and returns whether this
	 * was the case.
	 */
	function isHandledElsewhere(move: Move, screen: Screen, visibleRows: VisibleRows): boolean {
		if (move.type === 'back') return operationIntents.cancelOrDismiss(screen, visibleRows);
		// An invalid filter stays open: the problem stands beside the line.
		if (move.type === 'endFilter') return filterProblem(accountNow(), screen) !== undefined;
		if (move.type === 'orderBy' && screen.view === 'models') {
			screens.setState({ modelOrdering: nextModelOrdering(screen.modelOrdering, move.by) });
			return true;
		}
		if (move.type === 'open' && visibleRows.ids.length === 0 && signInIntents.isOut()) {
			signInIntents.open();
			return true;
		}
		return false;
	}

	return {
		move({ move }, screen, visibleRows) {
			if (isHandledElsewhere(move, screen, visibleRows)) return;
			applyToScreen(move, screen, visibleRows);
			// The models cost a request, so they are read only when their view is opened.
			const isModels = screens.getState().view === 'models';
			if (isModels && !accountNow().models) watch.readNow({ name: 'models' });
		},
		type({ text }, screen, visibleRows) {
			editLine(before => before + cleanLine(text), screen, visibleRows);
		},
		erase({ unit }, screen, visibleRows) {
			editLine(before => textAfterErasing(before, unit), screen, visibleRows);
		},
		palette(_, screen, visibleRows) {
			searchPalette('', screen, visibleRows);
		},
		/** The same key opens and closes the choice of columns. */
		columns({ action }, { columns, columnMenu }) {
			const isReset = action === 'reset';
			const nextColumns = isReset ? defaultColumns : columns;
			const isOpen = isReset || !columnMenu;
			const openedMenu = { choices: columnChoices(nextColumns), index: 0 };
			screens.setState({ columns: nextColumns, columnMenu: isOpen ? openedMenu : undefined });
		},
	};
}

function textAfterErasing(text: string, unit: 'letter' | 'word' | 'line'): string {
	if (unit === 'line') return '';
	if (unit === 'word') return text.replace(/\S*\s*$/, '');
	return Array.from(text).slice(0, -1).join('');
}
