import { computerFilter } from '../../fleet/computers/field.ts';
import { filterFrom } from '../../fleet/filters/filter.ts';
import { chosenChoiceOf } from '../../screen/choice.ts';
import { dialogEntryFor } from '../../screen/dialog-entry.ts';
import { withComputerShown } from '../../screen/open-choice.ts';
import { isTable, type Screen } from '../../screen/screen.ts';
import { withViewKept } from '../../screen/view-change.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import type { createDialogIntents } from './dialog-intents.ts';
import type { HandlerDeps, IntentHandlers } from './intent-handlers.ts';
import { paletteResultsFor, withPaletteOpen } from './open-palette.ts';

/** Creates the handlers of the palette, and of the named filters that it offers. */
export function createPaletteIntents(
	deps: HandlerDeps,
	{ recall }: Pick<ReturnType<typeof createDialogIntents>, 'recall'>,
): Pick<
	IntentHandlers,
	'palette' | 'moveInPalette' | 'showComputer' | 'savedFilter' | 'chooseSetting'
> {
	const { screenStore, tableAccounts, say } = deps;

	return {
		palette(_, screen, visibleRows) {
			tableAccounts?.refresh();
			const entry = dialogEntryFor(undefined, 'palette');
			const under = computerUnderCursor(screen, visibleRows);
			const opened = { ...screen, entry, palette: { chosenId: undefined, under } };
			screenStore.setState(withPaletteOpen(deps, opened, visibleRows), true);
		},
		showComputer({ id }, screen, visibleRows) {
			const kept = isTable(screen) ? screen : withViewKept(screen);
			screenStore.setState(withComputerShown(kept, id, visibleRows), true);
		},
		moveInPalette({ steps }, screen, visibleRows) {
			const { items, index } = paletteResultsFor(deps, screen, visibleRows);
			// From the first result, the key for the previous line leads to the history of typed lines.
			if (steps === -1 && index <= 0)
				return recall({ type: 'recall', direction: -1 }, screen, visibleRows);
			const next = Math.max(0, Math.min(index + steps, items.length - 1));
			screenStore.setState({ palette: { ...screen.palette, chosenId: items[next]?.id } });
		},
		chooseSetting: ({ name, word }) => say(deps.chooseSetting(name, word)),
		savedFilter(intent, { savedFilters, filters }) {
			const { action, name } = intent;
			const { [name]: saved, ...others } = savedFilters;
			if (action === 'rename') {
				const { newName } = intent;
				if (newName === '') return say(`Type the new name: rename ${name} NEW`);
				if (saved === undefined) return say(`No filter is named ${name}`);
				if (Object.hasOwn(savedFilters, newName))
					return say(`Another filter is named ${newName}. Choose another name`);
				screenStore.setState({ savedFilters: { ...others, [newName]: saved } });
				return say(`Renamed the filter ${name} to ${newName}`);
			}
			if (action === 'forget') {
				screenStore.setState({ savedFilters: others });
				return say(
					saved === undefined ? `No filter is named ${name}` : `Forgot the filter ${name}`,
				);
			}
			const filter = filters.fleet.trim();
			if (filter === '') return say('The table has no filter to save. Type one after /');
			const { mistake } = filterFrom(filter, computerFilter);
			if (mistake) return say(`Not saved: ${mistake.problem}`);
			screenStore.setState({ savedFilters: { ...others, [name]: filter } });
			say(`Saved the filter ${filter} as ${name}. : and ${name} apply it`);
		},
	};
}

/** Returns the computer of the line under the cursor, in a view that is not the table of computers. */
function computerUnderCursor(screen: Screen, { choiceList }: VisibleRows) {
	if (isTable(screen)) return undefined;
	const opens = chosenChoiceOf(screen, choiceList?.())?.opens;
	return opens?.type === 'computer' ? { id: opens.id, name: opens.name } : undefined;
}
