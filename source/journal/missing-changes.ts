import {
	type Change,
	computerIdOf,
	continuationOf,
	mergeChanges,
	type StatusChange,
} from '../fleet/change.ts';

/**
 * Returns the changes that the journal lacks, oldest first. For each change, the last status in the journal at that
 * time is looked up. A change to this status is already in the journal, even if another process noticed it at another
 * time or in other steps. A missing change is written as beginning at this status.
 *
 * ```
 *   the journal      active → error        error → active
 *   this process   ├──── active → error ─┤                      is in the journal
 *   this process   ├───────────── active → error ─────────────┤ is missing: it is a second failure
 *   written                                     ├─────────────┤
 * ```
 */
export function missingChanges(
	journal: readonly Change[],
	changes: readonly Change[],
): readonly Change[] {
	if (journal.length === 0) return changes;
	const bySubject = new Map<string, Change[]>();
	for (const change of journal.toSorted(byTime)) {
		const subject = subjectOf(change);
		const others = bySubject.get(subject);
		if (others) others.push(change);
		else bySubject.set(subject, [change]);
	}
	return changes.toSorted(byTime).flatMap(change => {
		const recorded = bySubject.get(subjectOf(change)) ?? [];
		const after = recorded.findIndex(({ at }) => at > change.at);
		const place = after < 0 ? recorded.length : after;
		const missing = missingAt(recorded, place, change);
		if (!missing) return [];
		bySubject.set(subjectOf(change), recorded.toSpliced(place, 0, missing));
		return missing;
	});
}

const byTime = (a: Change, b: Change) => a.at - b.at;

const subjectOf = (change: Change): string => `${change.type} ${computerIdOf(change) ?? ''}`;

/**
 * Returns the change so that it follows on the journal's entry at an index; undefined if the journal already has the
 * change.
 */
function missingAt(recorded: readonly Change[], place: number, change: Change): Change | undefined {
	const [before, after] = [recorded[place - 1], recorded[place]];
	if (change.type !== 'statusChanged') {
		return [before, ...recorded.slice(place)].some(other => other && isSameChange(other, change))
			? undefined
			: change;
	}
	const same = [before, after].find(other => other && isSameChange(other, change));
	// The change is stored once more if this process has read the reason of the error, and the other one has not.
	if (same?.type === 'statusChanged')
		return change.error !== undefined && same.error === undefined
			? { ...same, error: change.error }
			: undefined;
	if (after && leadsToSameStatus(change, after)) return undefined;
	return continuationOf(before?.type === 'statusChanged' ? before : undefined, change);
}

/** Whether two processes noticed the same change, from and to the same status. */
const isSameChange = (one: Change, other: Change) => mergeChanges([one], [other]).length === 1;

/** Whether another process noticed the same change later. */
const leadsToSameStatus = (change: StatusChange, later: Change): boolean =>
	later.type === 'statusChanged' && later.to === change.to && later.notBefore < change.at;
