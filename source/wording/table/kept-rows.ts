import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Operation } from '../../fleet/operations/operation.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { AccountState } from '../../store/state.ts';

type CapturingScreen = Pick<Screen, 'capturedRows' | 'filters' | 'cursor'>;

const noIds: ReadonlySet<GlobalId> = new Set();

/** The rows of an operation stay for this long after it has ended, so that a person sees how it ended. */
const keptAfterMs = 10_000;

/**
 * Creates a selector for the computers whose rows stay in the table, although the filter would hide them. They were
 * captured under the present filter. They stay while their operations are under way, until a moment after these have
 * ended, and while a failure stands. The row under the cursor stays as well: if it left, the next key would act on the
 * computer that took its place.
 */
export function createKeptIdsSelector() {
	let captures: Screen['capturedRows'] = [];
	let lastUnderCursor: GlobalId | undefined;
	let last: ReadonlySet<GlobalId> = noIds;

	return (
		screen: CapturingScreen,
		accounts: readonly OpenedAccount[],
		now: number,
	): ReadonlySet<GlobalId> => {
		const { capturedRows, filters, cursor } = screen;
		if (capturedRows.length === 0) return noIds;
		const captured = capturedRows.filter(({ filter }) => filter === filters.fleet);
		const next = captured.filter(({ asked }) =>
			accounts.some(({ state }) => isStillShown(state, asked, now)),
		);
		const underCursor =
			cursor && captured.some(({ ids }) => ids.includes(cursor.id)) ? cursor.id : undefined;
		// A batch may have ten thousand computers, and makes progress with each answer.
		const isSame =
			underCursor === lastUnderCursor &&
			next.length === captures.length &&
			next.every((each, at) => each === captures[at]);
		if (isSame) return last;
		captures = next;
		lastUnderCursor = underCursor;
		const ids = [...next.flatMap(({ ids }) => [...ids]), ...(underCursor ? [underCursor] : [])];
		last = ids.length === 0 ? noIds : new Set(ids);
		return last;
	};
}

function isStillShown(
	{ operations, endedOperations }: AccountState,
	asked: string,
	now: number,
): boolean {
	const isAsked = ({ spec: { key, batch = key } }: Operation) => batch === asked;
	if ([...operations.values()].some(isAsked)) return true;
	return [...endedOperations.values()].some(
		each => isAsked(each) && each.endedAt !== undefined && now - each.endedAt < keptAfterMs,
	);
}
