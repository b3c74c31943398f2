import type { Change, StatusChange } from '../../fleet/change.ts';
import { phaseOf } from '../../fleet/computers/computer.ts';

/**
 * Returns the changes, newest first, with one change for each time that a computer fell asleep:
 *
 * ```
 *   04:02  hydra: stopping → stopped (asleep)
 *   04:02  hydra: active for 2 h → stopping        ⇒  04:02  hydra: active for 2 h → stopped (asleep)
 * ```
 *
 * Nobody asked for the stop. The log only needs to say since when the computer sleeps.
 */
export function withWholeSleeps(changes: readonly Change[]): readonly Change[] {
	const beginnings = new Map<Change, StatusChange>();
	const sleepsBySubject = new Map<string, StatusChange>();
	for (const change of changes) {
		if (change.type !== 'statusChanged') continue;
		// With several accounts, two computers may have the same id, but not the same name, which begins with the account.
		const subject = `${change.id} ${change.name ?? ''}`;
		const sleep = sleepsBySubject.get(subject);
		sleepsBySubject.delete(subject);
		if (sleep && isActive(change.from) && change.to === sleep.from) beginnings.set(sleep, change);
		if (isEndOfFallingAsleep(change)) sleepsBySubject.set(subject, change);
	}
	if (beginnings.size === 0) return changes;
	const taken = new Set<Change>(beginnings.values());
	return changes.flatMap(change => {
		if (taken.has(change)) return [];
		const beginning = beginnings.get(change);
		return beginning && change.type === 'statusChanged' ? [joined(beginning, change)] : [change];
	});
}

const isActive = (status: string | null) => status !== null && phaseOf(status) === 'active';

const isEndOfFallingAsleep = ({ from, to, reason }: StatusChange) =>
	reason === 'asleep' &&
	from !== null &&
	phaseOf(from) === 'stopping' &&
	to !== null &&
	phaseOf(to) === 'stopped';

function joined({ from, lasted }: StatusChange, sleep: StatusChange): StatusChange {
	const { lasted: _, ...rest } = sleep;
	return { ...rest, from, ...(lasted !== undefined && { lasted }) };
}
