import type { Span } from '../drawing/span.ts';
import type { Screen } from '../screen/screen.ts';
import { type FailingRead, failingReadOf } from '../store/failing-reads.ts';
import type { AccountState } from '../store/state.ts';

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
	if (failingRead) {
		const { message } = failingRead.streak.failure;
		return [
			[],
			[[`Cannot read the list of computers: ${message}`, 'bad']],
			[[failingReadAdvice(failingRead), 'faint']],
			[['crowsnest keeps trying.', 'faint']],
		];
	}
	if (reads.list?.answer)
		return [[], [['No computers yet. '], ['n', 'accent'], [' creates one.', 'faint']]];
	return [[], [['Reading the list of computers …', 'faint']]];
}

// Replaces the advice to check the network, which would be wrong while other reads succeed.
const otherReadsWorkAdvice =
	'The platform answers everything else. Run `crowsnest doctor` for details.';

export function failingReadAdvice({ streak, isOnlyThisRead }: FailingRead): string {
	const { kind, advice } = streak.failure;
	return isOnlyThisRead && kind === 'offline' ? otherReadsWorkAdvice : advice;
}
