import type { Span } from '../../drawing/span.ts';
import { timeTextWithSeconds } from '../../drawing/time-text.ts';
import { operationIds, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import type { Screen } from '../../screen/screen.ts';
import { failingReadOf } from '../../store/freshness.ts';
import type { JointAccount } from '../../store/state.ts';
import { filterName } from '../phrases/filter-name.ts';
import { nextReadTimeOf } from '../phrases/freshness-text.ts';
import { readingText, troubleLines, troubleOf } from '../phrases/trouble-text.ts';

type EmptyTableHints = {
	/** Whether the sign-in waits for a password. */
	isPasswordWanted?: boolean;
	/** Advice other than to clear the filter, such as a completion that matches some computers. */
	suggestion?: string | undefined;
	/** The bindings of the keys with which a person can begin; absent if only the first sentence is needed. */
	bindings?: readonly Binding[] | undefined;
};

/** Explains why the table of computers is empty, and says what to do. */
export function emptyTableLines(
	account: JointAccount,
	computerCount: number,
	{ filters: { fleet: filter }, isFiltering, beforeFiltering }: Screen,
	now: number,
	hints: EmptyTableHints = {},
): readonly (readonly Span[])[] {
	const isEdited = isFiltering && (beforeFiltering?.filter ?? '') !== '';
	const escapeText = isEdited ? 'Esc goes back to the filter before.' : 'Esc clears the filter.';
	const { isPasswordWanted = false, suggestion = escapeText, bindings } = hints;
	const { reads } = account;
	if (computerCount > 0) {
		return [
			[],
			[['No computer matches '], [filterName(filter), 'accent'], [`. ${suggestion}`, 'faint']],
		];
	}
	const failingRead = failingReadOf(account, now);
	if (failingRead) return [[], ...troubleLines(troubleOf(failingRead, now), '')];
	if (reads.list?.answer) return noComputersLines(bindings);
	if (isPasswordWanted) return [[], [['Sign in to read the list of computers.']]];
	const readAt = nextReadTimeOf(account, now);
	if (readAt > now) {
		const time = timeTextWithSeconds(readAt, now);
		return [[], [[`The list of computers is read at ${time}: rate limit.`]]];
	}
	return [[], [[`${readingText('list')} …`, 'faint']]];
}

/** Says what a person with an empty account can do first. */
function noComputersLines(bindings: readonly Binding[] = []): readonly (readonly Span[])[] {
	const createId = operationIds().find(id => operationRowOf(id).subject === 'account') ?? '';
	if (bindings.some(({ action, isRefused }) => action === createId && isRefused))
		return [[], [['No computers yet. They appear here when there are some.']]];
	const first: readonly Span[] = [
		['No computers yet. '],
		[shownKeyOf(bindings, createId) ?? 'n', 'accent'],
		[' creates one.', 'faint'],
	];
	const steps = [
		[createId, ' asks for its name. Its row then shows its progress.'],
		['billing', ' shows the credits that are left, and the plans.'],
		['palette', ' finds every action by its name.'],
		['help', ' lists the keys.'],
	] as const;
	const lines = steps.flatMap(([action, effect]): readonly (readonly Span[])[] => {
		const key = shownKeyOf(bindings, action);
		return key === undefined
			? []
			: [
					[
						[key, 'accent'],
						[effect, 'faint'],
					],
				];
	});
	return lines.length > 0 ? [[], first, [], ...lines] : [[], first];
}
