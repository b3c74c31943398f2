import { chosenEntry, placeOfView } from '../help.ts';
import { chosenChoiceOf } from '../look/choice.ts';
import { dialogEntryFor } from '../look/dialogs.ts';
import { applyMove, chooseInPalette, showView, toggleHelp } from '../look/moves.ts';
import { isTable, type Screen } from '../look/screen.ts';
import { views } from '../look/view-table.ts';
import { findPaletteItems, type PaletteResults } from '../palette/find.ts';
import type { ActionContext } from '../scene.ts';
import { permissionsOf, runUnlessRefused } from './refusals.ts';

export function paletteResults(
	{ screenStore, actions, accountsNow, shown, ...context }: ActionContext,
	screen = screenStore.getState(),
): PaletteResults {
	const scene = { actions: actions(), accounts: accountsNow(), screen, shown };
	return findPaletteItems({ ...scene, ...permissionsOf(context) });
}

export function withPaletteOpen(context: ActionContext, screen: Screen): Screen {
	const chosenId = paletteResults(context, screen).items[0]?.id;
	return applyMove(screen, chooseInPalette(chosenId), context.shown);
}

export function openPalette(context: ActionContext) {
	const { screenStore, tableAccounts } = context;
	tableAccounts?.refresh();
	const entry = dialogEntryFor(undefined, 'palette');
	const palette = { chosenId: undefined, under: computerOnLine(context) };
	const opened = { ...screenStore.getState(), entry, palette };
	screenStore.setState(withPaletteOpen(context, opened), true);
}

function computerOnLine({ screenStore, shown }: ActionContext) {
	const screen = screenStore.getState();
	if (isTable(screen)) return undefined;
	const opens = chosenChoiceOf(screen, shown.choiceList?.())?.opens;
	return opens?.type === 'computer' ? { id: opens.id, name: opens.name } : undefined;
}

/** Closes the help and runs the chosen key, as if that key were pressed in its place. */
export function runHelpLine(context: ActionContext) {
	const { screenStore, shown, actions, say } = context;
	const screen = screenStore.getState();
	const chosen = chosenEntry({ actions: actions(), screen, ...permissionsOf(context) });
	if (!chosen) return;
	const { place, action } = chosen;
	const view = views.find(each => each === place);
	if (place !== placeOfView(screen) && !view)
		return say('This key works only in another place, such as a dialog or a text field');
	const closed = applyMove(screen, toggleHelp, shown);
	const isThere = view === undefined || view === screen.view;
	screenStore.setState(isThere ? closed : applyMove(closed, showView(view), shown), true);
	runUnlessRefused(context, action);
}

export function filterHelp({ screenStore }: ActionContext) {
	const { help } = screenStore.getState();
	screenStore.setState({ help: { ...help, isFiltering: true }, entry: undefined });
}

export function showNamesInHelp({ screenStore }: ActionContext) {
	const { help } = screenStore.getState();
	screenStore.setState({ help: { ...help, showsNames: !help.showsNames } });
}
