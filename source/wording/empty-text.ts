import type { Span } from '../drawing/span.ts';
import type { Screen } from '../screen/screen.ts';
import { type FailingRead, failingReadOf } from '../store/failing-reads.ts';
import type { AccountState } from '../store/state.ts';

/** Explains why the table is empty, and what to do about it. */
export function emptyText(
	account: AccountState,
	{ filter }: Screen,
	now: number,
): readonly (readonly Span[])[] {
	const { computers, reads } = account;
	if (computers.size > 0) {
		return [
			[],
			[['No computer matches '], [filter, 'accent'], ['. Esc clears the filter.', 'faint']],
		];
	}
	const trouble = failingReadOf(account, now);
	if (trouble) {
		const { message } = trouble.failures.failure;
		return [
			[],
			[[`Cannot read the list of computers: ${message}`, 'bad']],
			[[adviceIn(trouble), 'faint']],
			[['crowsnest keeps trying.', 'faint']],
		];
	}
	if (reads.list?.answer)
		return [[], [['No computers yet. '], ['n', 'accent'], [' creates one.', 'faint']]];
	return [[], [['Reading the list of computers …', 'faint']]];
}

// The advice to check the network would be wrong while other reads succeed.
const answersElse = 'The platform answers everything else. Run `crowsnest doctor` for details.';

export function adviceIn({ failures, isOnlyThisRead }: FailingRead): string {
	const { kind, advice } = failures.failure;
	return isOnlyThisRead && kind === 'offline' ? answersElse : advice;
}
