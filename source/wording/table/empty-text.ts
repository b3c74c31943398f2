import type { Span } from '../../drawing/span.ts';
import type { Screen } from '../../screen/screen.ts';
import { failingReadOf } from '../../store/failing-reads.ts';
import type { AccountState } from '../../store/state.ts';
import { readingText, troubleLines, troubleOf } from '../phrases/trouble-text.ts';

/** Explains why the table of computers is empty, and says what to do. */
export function emptyTableLines(
	account: AccountState,
	{ filters: { fleet: filter } }: Screen,
	now: number,
): readonly (readonly Span[])[] {
	const { computers, reads } = account;
	if (computers.size > 0) {
		return [
			[],
			[['No computer matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']],
		];
	}
	const failingRead = failingReadOf(account, now);
	if (failingRead) return [[], ...troubleLines(troubleOf(failingRead, now), '')];
	if (reads.list?.answer)
		return [[], [['No computers yet. '], ['n', 'accent'], [' creates one.', 'faint']]];
	return [[], [[`${readingText('list')} …`, 'faint']]];
}
