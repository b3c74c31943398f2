import type { StoreApi } from 'zustand/vanilla';
import type { Binding } from '../keys/binding.ts';
import { paletteItems } from '../keys/palette.ts';
import { cleanLine } from '../platform/clean.ts';
import { applyMove, type Move } from '../screen/move.ts';
import { filterIn, filterProblem, type Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import type { AccountState } from '../store/state.ts';
import { columnChoices } from '../wording/columns-text.ts';
import { nextModelOrdering } from '../wording/models-text.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import type { IntentHandlers } from './intent-handlers.ts';
import type { createOperationIntents } from './operation-intents.ts';
import type { createSignInIntents } from './sign-in-intents.ts';

type LookIntentDeps = {
	screens: StoreApi<Screen>;
	/** The palette lists these. */
	bindings: readonly Binding[];
	watch: AccountSession['watch'];
	accountNow: () => AccountState;
	operationIntents: Pick<ReturnType<typeof createOperationIntents>, 'back'>;
	signIns: ReturnType<typeof createSignInIntents>;
	defaultColumns: readonly string[] | undefined;
};

type LookHandlers = Pick<IntentHandlers, 'move' | 'type' | 'erase' | 'palette' | 'columns'>;

/** The intents that change only how a person looks at the fleet. */
export function createLookIntents(deps: LookIntentDeps): LookHandlers {
	const { screens, bindings, watch, accountNow, operationIntents, signIns, defaultColumns } = deps;

	const apply = (move: Move, screen: Screen, shown: VisibleRows) =>
		screens.setState(applyMove(screen, move, shown), true);

	function searchPalette(text: string, screen: Screen, shown: VisibleRows) {
		const found = paletteItems(bindings, text).length;
		apply({ type: 'look', text, found }, screen, shown);
	}

	function editLine(edit: (text: string) => string, screen: Screen, shown: VisibleRows) {
		if (screen.palette) searchPalette(edit(screen.palette.text), screen, shown);
		else apply({ type: 'setFilter', text: edit(filterIn(screen)) }, screen, shown);
	}

	/**
	 * Handles a move that does more than change how a person looks at the fleet, and returns whether this
	 * was the case.
	 */
	function isHandledElsewhere(move: Move, screen: Screen, shown: VisibleRows): boolean {
		if (move.type === 'back') return operationIntents.back(screen, shown);
		// An invalid filter stays open: the problem stands beside the line.
		if (move.type === 'endFilter') return filterProblem(accountNow(), screen) !== undefined;
		if (move.type === 'orderBy' && screen.view === 'models') {
			screens.setState({ modelOrdering: nextModelOrdering(screen.modelOrdering, move.by) });
			return true;
		}
		if (move.type === 'open' && shown.ids.length === 0 && signIns.isOut()) {
			signIns.open();
			return true;
		}
		return false;
	}

	return {
		move({ move }, screen, shown) {
			if (isHandledElsewhere(move, screen, shown)) return;
			apply(move, screen, shown);
			// The models cost a request, so they are read only when their view is opened.
			const isModels = screens.getState().view === 'models';
			if (isModels && !accountNow().models) watch.readNow({ name: 'models' });
		},
		type({ text }, screen, shown) {
			editLine(before => before + cleanLine(text), screen, shown);
		},
		erase({ what }, screen, shown) {
			editLine(before => erased(before, what), screen, shown);
		},
		palette(_, screen, shown) {
			searchPalette('', screen, shown);
		},
		/** The same key opens and closes the choice of columns. */
		columns({ what }, { columns, columnMenu }) {
			const isReset = what === 'usual';
			const next = isReset ? defaultColumns : columns;
			const isOpen = isReset || !columnMenu;
			const menu = { choices: columnChoices(next), index: 0 };
			screens.setState({ columns: next, columnMenu: isOpen ? menu : undefined });
		},
	};
}

function erased(text: string, what: 'letter' | 'word' | 'line'): string {
	if (what === 'line') return '';
	if (what === 'word') return text.replace(/\S*\s*$/, '');
	return Array.from(text).slice(0, -1).join('');
}
