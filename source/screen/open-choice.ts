import type { Choice } from './choice.ts';
import { withFilter, withView } from './move.ts';
import type { Screen, Viewport } from './screen.ts';
import { homeView } from './view-table.ts';

/** Shows the computer, the computers or the parts for which the chosen line of a view stands. */
export function withChoiceOpened(
	screen: Screen,
	{ id: lineId, opens }: Choice,
	{ ids }: Viewport,
): Screen {
	if (!opens) return screen;
	if (opens.type === 'parts') {
		const unfoldedIds = new Set(screen.unfoldedIds);
		if (!unfoldedIds.delete(lineId)) unfoldedIds.add(lineId);
		return { ...screen, unfoldedIds };
	}
	const home = { ...withView(screen, homeView), isDetailOpen: false };
	if (opens.type === 'filter') return withFilter(home, opens.text);
	const { id } = opens;
	const index = ids.indexOf(id);
	const cursor = { id, index: Math.max(0, index), line: 0 };
	// A filter that hides the computer is cleared, because the cursor cannot be on a hidden row.
	const shown = index < 0 ? withFilter(home, '') : home;
	return { ...shown, cursor, isDetailOpen: true };
}
