import type { Screen } from '../store/screen.ts';
import type { AccountState } from '../store/state.ts';
import type { Span } from './span.ts';

/** What stands in the table when it has no row: why, and what could be done about it. */
export function emptyText(
	{ computers, reads }: AccountState,
	{ filter }: Screen,
): readonly (readonly Span[])[] {
	if (computers.size > 0) {
		return [
			[],
			[['No computer matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']],
		];
	}
	const failing = reads.list?.failing;
	if (failing) {
		const { message, advice } = failing.failure;
		return [
			[],
			[[`The list of computers cannot be read: ${message}`, 'bad']],
			[[advice, 'faint']],
			[['It is tried again by itself.', 'faint']],
		];
	}
	if (reads.list?.told)
		return [[], [['No computers yet. '], ['n', 'accent'], [' makes the first.', 'faint']]];
	return [[], [['Reading the list of computers …', 'faint']]];
}
