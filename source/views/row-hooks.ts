import { useEffect, useState } from 'react';
import { dialogEntryFor } from '../screen/dialog-entry.ts';
import { currentFilter, isTable, type Screen } from '../screen/screen.ts';
import { noSteadyUsage, withSteadyUsage } from '../wording/table/steady-usage.ts';
import type { VisibleRows } from '../wording/table/visible-rows.ts';

/** On a slow line, updates the CPU and memory of each row only once a minute. */
export function useSteadyRows(shown: VisibleRows, first: number, now: number, isSlow: boolean) {
	const [usage, setUsage] = useState(noSteadyUsage);
	const held = isSlow ? withSteadyUsage(usage, { shown, first, now }) : { shown, steady: usage };
	useEffect(() => setUsage(held.steady), [held.steady]);
	return held.shown;
}

/**
 * While a person types a filter, does the counting for the next completions after each frame, so that no letter waits for
 * it. It takes long only for the first frame, and for the first one after an answer.
 */
export function usePreparedLetter(
	screen: Screen,
	{ prepareLetter }: Pick<VisibleRows, 'prepareLetter'>,
) {
	const isTyping = screen.isFiltering && isTable(screen);
	const line = isTyping
		? dialogEntryFor(screen.entry, 'filter', currentFilter(screen)).line
		: undefined;
	useEffect(() => {
		if (line) prepareLetter(line);
	}, [line, prepareLetter]);
}
