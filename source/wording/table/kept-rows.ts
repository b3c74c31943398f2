import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { AccountState } from '../../store/state.ts';

type CapturingScreen = Pick<Screen, 'capturedRows' | 'filters' | 'cursor'>;

const noIds: ReadonlySet<GlobalId> = new Set();

/** The row of a computer stays for this long after its operation has ended, so that a person sees how it ended. */
const keptAfterMs = 10_000;

/**
 * Creates a selector for the computers whose rows stay in the table, although the filter would hide them. They were
 * captured under the present filter. The rows of a batch stay until a person dismisses the batch. The row of a single
 * operation stays until a moment after its end, and while the cursor is on it: if it left, the next key would act on
 * the computer that took its place.
 */
export function createKeptIdsSelector() {
	let captures: Screen['capturedRows'] = [];
	let last: ReadonlySet<GlobalId> = noIds;

	return (
		screen: CapturingScreen,
		accounts: readonly OpenedAccount[],
		now: number,
	): ReadonlySet<GlobalId> => {
		if (screen.capturedRows.length === 0) return noIds;
		const next = keptCaptures(screen, accounts, now);
		// A batch may have ten thousand computers, and makes progress with each answer.
		const isSame =
			next.length === captures.length && next.every((each, at) => each === captures[at]);
		if (isSame) return last;
		captures = next;
		last = next.length === 0 ? noIds : new Set(next.flatMap(({ ids }) => [...ids]));
		return last;
	};
}

/** Returns the captures that keep their rows under the present filter. */
function keptCaptures(
	{ capturedRows, filters, cursor }: CapturingScreen,
	accounts: readonly OpenedAccount[],
	now: number,
): Screen['capturedRows'] {
	return capturedRows.filter(({ asked, filter, ids: [id, another] }) => {
		if (filter !== filters.fleet) return false;
		const isUnderCursor = another === undefined && id === cursor?.id;
		return isUnderCursor || accounts.some(({ state }) => isStillShown(state, asked, now));
	});
}

/** Creates a function that counts the rows that leave the table when a batch is dismissed: those that only it keeps. */
export function createKeptCounter() {
	// The result is cached, because a batch may have ten thousand computers.
	const count = memoize(
		(keptIds: ReadonlySet<GlobalId>, batchId: string, ...captures: Screen['capturedRows']) => {
			const idsOf = (those: Screen['capturedRows']) =>
				new Set(those.flatMap(({ ids }) => [...ids]));
			const own = idsOf(captures.filter(({ asked }) => asked === batchId));
			const others = idsOf(captures.filter(({ asked }) => asked !== batchId));
			return [...own].filter(id => keptIds.has(id) && !others.has(id)).length;
		},
	);
	return (
		screen: CapturingScreen,
		accounts: readonly OpenedAccount[],
		now: number,
		keptIds: ReadonlySet<GlobalId>,
		batchId: string,
	): number =>
		keptIds.size === 0 ? 0 : count(keptIds, batchId, ...keptCaptures(screen, accounts, now));
}

/** Whether a batch was not dismissed yet, or an operation is under way, has failed, or ended a moment ago. */
function isStillShown(
	{ batches, operations, endedOperations }: AccountState,
	asked: string,
	now: number,
): boolean {
	if (batches.has(asked) || operations.has(asked)) return true;
	const endedAt = endedOperations.get(asked)?.endedAt;
	return endedAt !== undefined && now - endedAt < keptAfterMs;
}
