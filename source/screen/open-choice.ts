import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Choice } from './choice.ts';
import { isTable, type Screen, type Viewport } from './screen.ts';
import { withFilter, withView, withViewKept } from './view-change.ts';
import { homeView } from './view-table.ts';

/** Shows the computer, the computers or the parts for which the chosen line of a view stands. */
export function withChoiceOpened(
	screen: Screen,
	{ id: lineId, opens }: Choice,
	viewport: Viewport,
): Screen {
	if (!opens) return screen;
	if (opens.type === 'parts') {
		const unfoldedIds = new Set(screen.unfoldedIds);
		if (!unfoldedIds.delete(lineId)) unfoldedIds.add(lineId);
		return { ...screen, unfoldedIds };
	}
	if (opens.type === 'filter') {
		const home = { ...withView(withViewKept(screen), homeView), isDetailOpen: false };
		return withFilter(home, opens.text);
	}
	return withDetailShown(screen, opens.id, viewport);
}

/** Opens the details of a computer. Closing them leads back to the current view. */
export function withDetailShown(screen: Screen, id: GlobalId, viewport: Viewport): Screen {
	const kept = isTable(screen) ? screen : withViewKept(screen, true);
	return { ...withComputerShown(kept, id, viewport), isDetailOpen: true };
}

/**
 * Moves the cursor to a computer in the table. A filter that hides the computer is cleared, because the cursor is never on
 * a hidden row.
 */
export function withComputerShown(
	screen: Screen,
	id: GlobalId,
	{ ids, maxRows }: Viewport,
): Screen {
	const home = { ...withView(screen, homeView), isDetailOpen: false };
	const index = ids.indexOf(id);
	const line = Math.max(0, Math.min(index, Math.floor(maxRows / 2)));
	const shown = index < 0 ? withFilter(home, '') : home;
	return { ...shown, cursor: { id, index: Math.max(0, index), line } };
}
