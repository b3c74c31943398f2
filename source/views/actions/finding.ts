import { chosenEntry, placeOfView } from '../help.ts';
import { chosenChoiceOf } from '../look/choice.ts';
import { dialogEntryFor } from '../look/dialogs.ts';
import { chooseInPalette, showView, toggleHelp } from '../look/moves.ts';
import { isTable } from '../look/screen.ts';
import { views } from '../look/view-table.ts';
import { findPaletteItems, type PaletteResults } from '../palette/find.ts';
import type { ActionContext } from '../scene.ts';
import { change, look } from './looking.ts';
import { permissionsOf, runUnlessRefused } from './refusals.ts';

export function paletteResults({
	screenStore,
	actions,
	accountsNow,
	shown,
	...context
}: ActionContext): PaletteResults {
	return findPaletteItems({
		...permissionsOf(context),
		actions: actions(),
		accounts: accountsNow(),
		screen: screenStore.getState(),
		shown,
	});
}

export function chooseFirstFound(context: ActionContext) {
	change(context, chooseInPalette(paletteResults(context).items[0]?.id));
}

export function openPalette(context: ActionContext) {
	const { screenStore, tableAccounts } = context;
	tableAccounts?.refresh();
	const palette = { under: computerOnLine(context) };
	screenStore.setState({ entry: dialogEntryFor(undefined, 'palette'), palette });
	chooseFirstFound(context);
}

function computerOnLine({ screenStore, shown }: ActionContext) {
	const screen = screenStore.getState();
	if (isTable(screen)) return undefined;
	const opens = chosenChoiceOf(screen, shown.choiceList?.())?.opens;
	return opens?.type === 'computer' ? { id: opens.id, name: opens.name } : undefined;
}

/** Closes the help and runs the chosen key, as if that key were pressed in its place. */
export function runHelpLine(context: ActionContext) {
	const { screenStore, actions, say } = context;
	const screen = screenStore.getState();
	const chosen = chosenEntry({ actions: actions(), screen, ...permissionsOf(context) });
	if (!chosen) return;
	const { place, action } = chosen;
	const view = views.find(each => each === place);
	if (place !== placeOfView(screen) && !view)
		return say('This key works only in another place, such as a dialog or a text field');
	change(context, toggleHelp);
	if (view && view !== screen.view) look(context, showView(view));
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
