import { filterFrom, statusToldBy } from '../fleet/filter.ts';
import type { AccountState } from '../store/state.ts';
import type { Screen } from './screen.ts';

/** Why the filter of the present view cannot be kept; the log is filtered by words alone. */
export function filterProblem(
	{ computers }: Pick<AccountState, 'computers'>,
	{ view, filter }: Pick<Screen, 'view' | 'filter'>,
): string | undefined {
	return view === 'fleet'
		? filterFrom(filter, statusToldBy(computers.values())).problem
		: undefined;
}

/** How many of the marked computers the filter hides. */
export function hiddenMarks(
	{ view, filter, marks }: Pick<Screen, 'view' | 'filter' | 'marks'>,
	ids: readonly string[],
): number {
	if (view !== 'fleet' || filter === '' || marks.size === 0) return 0;
	const shown = new Set(ids);
	return [...marks].filter(id => !shown.has(id)).length;
}
