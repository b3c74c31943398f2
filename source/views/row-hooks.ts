import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { filterEntryFor } from '../screen/dialog-entry.ts';
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
	const line = isTyping ? filterEntryFor(screen.entry, currentFilter(screen)).line : undefined;
	useLayoutEffect(() => {
		if (line) prepareLetter(line);
	}, [line, prepareLetter]);
}

/**
 * When a key has turned a page, calls a function for each row of the next page in the same direction, so that the rows
 * are composed before the next key. The frame of the page has been written by then. Any other key, and any answer,
 * prepares nothing.
 */
export function usePreparedPage<Row>(
	rows: readonly Row[],
	firstRow: number,
	lines: number,
	prepareRow: (row: Row) => void,
) {
	const lastFirstRow = useRef(firstRow);
	useLayoutEffect(() => {
		const by = firstRow - lastFirstRow.current;
		lastFirstRow.current = firstRow;
		if (Math.abs(by) < lines / 2) return;
		const from = Math.max(0, firstRow + by);
		for (const row of rows.slice(from, from + lines)) prepareRow(row);
	});
}
