import type { Change } from '../fleet/change.ts';
import { remember } from '../store/memory.ts';
import { whatHappened } from './log-text.ts';

/**
 * What happened, the newest first, as far as all words of the filter are in it; of those with a `-`
 * before them, none. The same array as long as nothing changed.
 */
export function createLogFilter(): (
	changes: readonly Change[],
	filter: string,
) => readonly Change[] {
	return remember((changes, filter) => {
		const words = filter
			.toLowerCase()
			.split(/\s+/)
			.filter(word => word.replace(/^-/, '') !== '');
		return changes.filter(change => isMatch(change, words)).reverse();
	});
}

function isMatch(change: Change, words: readonly string[]): boolean {
	if (words.length === 0) return true;
	const text = searchText(change);
	return words.every(word =>
		word.startsWith('-') ? !text.includes(word.slice(1)) : text.includes(word),
	);
}

/** What the line says, and what it is about in the platform's own words. */
function searchText(change: Change): string {
	const said = whatHappened(change, change.at).map(([text]) => text);
	return [...said, ...subjectsOf(change)].join(' ').toLowerCase();
}

function subjectsOf(change: Change): readonly string[] {
	if (change.type === 'statusChanged') return [change.id, change.from ?? '', change.to ?? ''];
	if (change.type !== 'operationMoved') return [];
	const { wish, to, who = '' } = change;
	return [wish.operation, wish.computer ?? '', to, who];
}
