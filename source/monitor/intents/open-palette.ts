import { applyMove } from '../../screen/move.ts';
import type { Screen } from '../../screen/screen.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import { findPaletteItems, type PaletteResults } from '../../views/palette/find.ts';
import type { HandlerDeps } from './intent-handlers.ts';

type FindDeps = Pick<HandlerDeps, 'bindings' | 'accountsNow'>;

/** Returns what the palette shows for the typed text. */
export function paletteResultsFor(
	{ bindings, accountsNow }: FindDeps,
	screen: Screen,
	visibleRows: VisibleRows,
): PaletteResults {
	return findPaletteItems({ screen, visibleRows, bindings: bindings(), accounts: accountsNow() });
}

/** Returns the screen with the palette open, and its first result chosen. */
export function withPaletteOpen(deps: FindDeps, screen: Screen, visibleRows: VisibleRows): Screen {
	const chosenId = paletteResultsFor(deps, screen, visibleRows).items[0]?.id;
	return applyMove(screen, { type: 'openPalette', chosenId }, visibleRows);
}
