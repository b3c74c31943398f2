import { computerFilter } from '../../fleet/computers/field.ts';
import { type FilterMistake, filterFrom } from '../../fleet/filters/filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import { computersOf, type FleetRow } from '../../store/selectors.ts';
import { currentFilter, isTable, type Screen } from './screen.ts';
import { filterEntryFor } from './typed-line.ts';
import { viewRows } from './view-table.ts';

export function filterMistake(
	rows: readonly Pick<FleetRow, 'computer'>[],
	screen: Pick<Screen, 'view' | 'filters'>,
): { problem: string | undefined } & Pick<FilterMistake, 'problemParts' | 'problemAt'> {
	if (!isTable(screen))
		return viewRows[screen.view].filterMistake?.(currentFilter(screen)) ?? noMistake;
	return mistakeIn(screen.filters.fleet, rows);
}

/** A field whose value a person is about to type, as in `/status:▏`, is no mistake yet. */
export function shownFilterMistake(
	rows: readonly Pick<FleetRow, 'computer'>[],
	screen: Pick<Screen, 'view' | 'filters' | 'open' | 'entry'>,
): ReturnType<typeof filterMistake> {
	const mistake = filterMistake(rows, screen);
	const { problemAt } = mistake;
	if (screen.open?.kind !== 'filter' || !problemAt) return mistake;
	const { line, problem } = filterEntryFor(screen.entry, currentFilter(screen));
	// Enter has refused the filter.
	if (problem !== undefined) return mistake;
	const { text, caret } = line;
	const isUnfinished = caret === problemAt.to && withoutValue.test(text.slice(0, caret));
	return isUnfinished ? noMistake : mistake;
}

const withoutValue = /:[<>=]*$/;

const noMistake = { problem: undefined };

const mistakeIn = memoize(
	(filter: string, rows: readonly Pick<FleetRow, 'computer'>[]) =>
		filterFrom(filter, computerFilter, computersOf(rows)).mistake ?? noMistake,
);
