import type { Theme } from '../../drawing/theme.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Screen } from '../../screen/screen.ts';
import { type FilterLineState, wholeProblemLine } from './filter-line.ts';
import { orderMenuLines } from './order-menu-text.ts';

//  a age  p port  l location  w account  g stage  i id  r address
//  No field “zzz”. Known: name, id, address, status, stage, version

type OverflowOptions = {
	screen: Screen;
	hasSeveralAccounts?: boolean;
	width: number;
	theme: Theme;
};

/**
 * Draws the text that does not fit into the line of the keys in the line above: other orders of the menu, or the
 * whole problem with the filter. Returns undefined if everything fits.
 */
export function overflowLine(
	options: OverflowOptions,
	state: Pick<FilterLineState, 'problem' | 'problemParts' | 'countdown'>,
	bindings: readonly Binding[],
): string | undefined {
	const { screen, hasSeveralAccounts = false, width, theme } = options;
	if (!screen.isOrderMenuOpen) return wholeProblemLine(options, state);
	const current = screen.orderings.fleet.by;
	return orderMenuLines({
		...{ current, bindings, hasSeveralAccounts, hasLineAbove: true, width, theme },
	}).above;
}
