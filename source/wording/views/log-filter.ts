import type { Change, OwnEmails } from '../../fleet/change.ts';
import { changeFilterFrom, dependsOnTime } from '../../fleet/change-filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import { changeSpans } from './log-text.ts';

/**
 * Returns a function that filters changes and returns them newest first. It returns the same array while its
 * arguments stay the same.
 */
export function createLogFilter(): (
	changes: readonly Change[],
	filter: string,
	own: OwnEmails,
	now?: number,
) => readonly Change[] {
	const matching = memoize(
		(changes: readonly Change[], filter: string, own: OwnEmails, now: number) => {
			const textOf = (change: Change) => searchableText(change, own);
			const { test } = changeFilterFrom(filter, own, textOf, now);
			return changes.filter(test).reverse();
		},
	);
	// The time counts by the minute, so that the lines stay the same in between.
	return (changes, filter, own, now = 0) =>
		matching(changes, filter, own, dependsOnTime(filter) ? now - (now % 60_000) : 0);
}

/**
 * Returns the text of a change that the log filter searches: the line on screen, the ids, and the statuses
 * in the platform's own words.
 */
function searchableText(change: Change, own: OwnEmails): string {
	const texts = changeSpans(change, own).map(([text]) => text);
	return [...texts, ...searchableWordsOf(change)].join(' ').toLowerCase();
}

function searchableWordsOf(change: Change): readonly string[] {
	if (change.type === 'statusChanged') return [change.id, change.from ?? '', change.to ?? ''];
	if (change.type !== 'operationMoved') return [];
	const { wish, to, who = '' } = change;
	return [wish.operation, wish.computer ?? '', to, who];
}
