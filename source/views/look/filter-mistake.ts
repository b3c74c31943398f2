import { computerFilter } from '../../fleet/computers/fields.ts';
import { type FilterMistake, filterFrom } from '../../fleet/filters/filter.ts';
import { computersOf, type FleetRow } from '../../store/selectors.ts';
import { currentFilter, isTable, type Screen } from './screen.ts';
import { filterEntryFor } from './typed-line.ts';
import { viewRows } from './view-table.ts';

type Mistake = { problem: string | undefined } & Pick<FilterMistake, 'problemParts' | 'problemAt'>;

const noMistake: Mistake = { problem: undefined };

export function filterMistake(
	rows: readonly Pick<FleetRow, 'computer'>[],
	screen: Pick<Screen, 'view' | 'filters'>,
): Mistake {
	const filter = currentFilter(screen);
	const mistake = isTable(screen)
		? filterFrom(filter, computerFilter, computersOf(rows)).mistake
		: viewRows[screen.view].filterMistake?.(filter);
	return mistake ?? noMistake;
}

/** A field whose value a person is about to type, as in `/status:▏`, is no mistake yet. */
export function shownFilterMistake(
	rows: readonly Pick<FleetRow, 'computer'>[],
	screen: Pick<Screen, 'view' | 'filters' | 'open' | 'entry'>,
): Mistake {
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
