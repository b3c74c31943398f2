import { type Change, computerIdOf, mergeChanges } from '../fleet/change.ts';

/**
 * Returns the changes that the journal lacks. Another process may have written the same change with other times, as long
 * as the journal names no later status of the computer:
 *
 * ```
 *   the journal      active → error        error → active
 *   this process   ├───────────── active → error ─────────────┤   is missing: it is a second failure
 * ```
 */
export function missingChanges(
	journal: readonly Change[],
	changes: readonly Change[],
): readonly Change[] {
	if (journal.length === 0) return changes;
	const bySubject = new Map<string, Change[]>();
	for (const change of journal) {
		const subject = subjectOf(change);
		const others = bySubject.get(subject);
		if (others) others.push(change);
		else bySubject.set(subject, [change]);
	}
	return changes.filter(change => {
		const others = bySubject.get(subjectOf(change)) ?? [];
		const latest = others.filter(({ at }) => at <= change.at).at(-1);
		const isSameAs = (other: Change) => mergeChanges([other], [change]).length === 1;
		return !others.some(other => isSameAs(other) && (other === latest || other.at > change.at));
	});
}

const subjectOf = (change: Change): string => `${change.type} ${computerIdOf(change) ?? ''}`;
