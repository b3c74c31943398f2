import { applyMove } from '../../screen/move.ts';
import { type View, views } from '../../screen/view-table.ts';
import { chosenEntry, keyContextOfView } from '../../views/help.ts';
import type { HandlerDeps, IntentHandlers, PerformIntent } from './intent-handlers.ts';

/** Creates the handlers of the keys that work in the help only. */
export function createHelpIntents(
	{ screenStore, bindings, say }: HandlerDeps,
	perform: PerformIntent,
): Pick<IntentHandlers, 'runHelpLine' | 'helpFilter' | 'helpNames'> {
	return {
		/** Closes the help and runs the chosen key, as if that key were pressed in its place. */
		runHelpLine({ key }, screen, visibleRows) {
			const chosen = chosenEntry({ bindings: bindings(), screen });
			if (!chosen) return;
			const { place, binding } = chosen;
			const view = viewNamed(place);
			if (place !== keyContextOfView(screen) && !view)
				return say('This key works only in another place, such as a dialog or a text field');
			const closed = applyMove(screen, { type: 'help' }, visibleRows);
			const there =
				view === undefined || view === screen.view
					? closed
					: applyMove(closed, { type: 'view', view }, visibleRows);
			screenStore.setState(there, true);
			const { intent } = binding;
			perform('key' in intent ? { ...intent, key } : intent, visibleRows);
		},
		helpFilter(_, { help }) {
			screenStore.setState({ help: { ...help, isFiltering: true }, entry: undefined });
		},
		helpNames(_, { help }) {
			screenStore.setState({ help: { ...help, showsNames: !help.showsNames } });
		},
	};
}

const viewNamed = (place: string): View | undefined => views.find(view => view === place);
