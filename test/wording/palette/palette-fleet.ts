import { phaseOf } from '../../../source/fleet/computers/computer.ts';
import { globalIdOf } from '../../../source/fleet/computers/global-id.ts';
import type { Binding } from '../../../source/keys/binding.ts';
import { bindings as allBindings } from '../../../source/keys/bindings.ts';
import { initialScreen, type Screen } from '../../../source/screen/screen.ts';
import { typedLineFrom } from '../../../source/screen/typed-line.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import { createPaletteFinder } from '../../../source/wording/palette/find-items.ts';

type FleetOptions = {
	/** The names of the computers, each with its status after a colon if it is not active. */
	names?: readonly string[];
	/** The computers that the filter shows; all of them if undefined. */
	shownNames?: readonly string[];
	bindings?: readonly Binding[];
	/** What else is known of each computer. */
	withReading?: Partial<FleetRow['computer']['reading']>;
	screen?: Partial<Screen>;
};

/** Returns rows for computers such as `vega` or `lyra:stopped`. */
export const rowsFromNames = (
	names: readonly string[],
	withReading: FleetOptions['withReading'] = {},
): readonly FleetRow[] =>
	names.map(each => {
		const [name = '', status = 'active'] = each.split(':');
		const reading = { id: `sb_${name}`, name, status, ...withReading };
		return {
			id: globalIdOf('mine', reading.id),
			account: 'mine',
			computer: {
				id: reading.id,
				phase: phaseOf(status),
				reading,
				since: { at: 0, isLowerBound: true },
			} as FleetRow['computer'],
			isOutdated: false,
		};
	});

/** Opens the palette with the typed text. */
export const screenWithPalette = (typed: string, screen: Partial<Screen> = {}): Screen => ({
	...initialScreen(),
	palette: { chosenId: undefined },
	entry: { id: 'palette', line: typedLineFrom(typed), answers: [] },
	...screen,
});

/** Returns the lines that the palette shows for a typed text. */
export function findItems(typed: string, options: FleetOptions = {}) {
	const { names = ['atlas', 'vega', 'vega-2', 'lyra:stopped'], bindings = allBindings } = options;
	const rows = rowsFromNames(names, options.withReading);
	const shownRows = options.shownNames ? rowsFromNames(options.shownNames) : rows;
	return createPaletteFinder()({
		bindings,
		accounts: [],
		screen: screenWithPalette(typed, options.screen),
		visibleRows: { orderedRows: rows, rows: shownRows, ids: shownRows.map(({ id }) => id) },
	}).items;
}
