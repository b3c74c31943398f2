import type { FleetRow } from '../../store/selectors.ts';
import type { View } from '../look/view-table.ts';
import type { Effect, Scene } from '../scene.ts';
import type { TextMatch, TypedText } from './match.ts';

/** One line of the palette. Its id stays the same when other lines come and go, so that Enter runs the line that was seen. */
export type PaletteItem = Pick<Effect, 'id' | 'run'> & {
	label: string;
	note?: string;
	key?: string;
	completion?: string;
	/** The view to which the item leads before it runs; absent for the current view. */
	view?: View | undefined;
	isRefused?: boolean;
	/** Whether a name is missing, which Enter asks for by completing the line. */
	isUnfinished?: boolean;
	words?: string | undefined;
	/** What is subtracted from the score of its match, so that it comes after equal matches. */
	penalty?: number;
	/** How well it matches, if that is not a question of its label. */
	match?: TextMatch | undefined;
};

export type FoundItem = PaletteItem & Pick<TextMatch, 'places'>;

export type PaletteSource = Pick<Scene, 'actions' | 'screen' | 'canChange' | 'replay'> & {
	text: string;
	typed: TypedText;
	/** The short names of the accounts by account; empty if the table has one account. */
	accountNames: ReadonlyMap<string, string>;
	rows: readonly FleetRow[];
	shownRows: readonly FleetRow[];
	/** What an operation in the table would apply to: the marked computers, or the one under the cursor. */
	targets: readonly FleetRow[];
	subjects: readonly FleetRow[];
};
