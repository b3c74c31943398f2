import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { OrderField } from '../../fleet/computers/order-fields.ts';
import type { CompleteFilter } from '../../fleet/filters/completion.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { ChoiceList } from './choice.ts';
import type { Screen } from './screen.ts';

export type MapCell = {
	group: object;
	rows: readonly { id: GlobalId }[];
	worst: { id: GlobalId };
	row: number;
	x: number;
};

export type MapCells = {
	cells: readonly MapCell[];
	filterTo(cell: MapCell, filter: string): string;
};

export type Viewport = {
	/** All rows in order, including those outside the window. */
	ids: readonly GlobalId[];
	maxRows: number;
	maxScroll: () => number;
	choiceList?: () => ChoiceList | undefined;
	/** The rows for the filter and the order of this screen; absent if no table is drawn. */
	idsFor?: (screen: Screen) => readonly GlobalId[];
	mapCells?: (screen: Screen) => MapCells;
	/** The fields of the visible columns that can be ordered by, from left to right. */
	orderableFields: readonly OrderField[];
};

export type VisibleRows = Viewport & {
	allRows: readonly FleetRow[];
	orderedRows: readonly FleetRow[];
	/** Those that the filter leaves, and those that stay because of an operation on them. */
	rows: readonly FleetRow[];
	keptIds: ReadonlySet<GlobalId>;
	filterCompletions: CompleteFilter;
};
