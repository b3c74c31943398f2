import type { Change, StatusChange } from '../../fleet/change.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';

/**
 * Returns the changes, newest first, with one change for each time that a computer fell asleep or woke up:
 *
 * ```
 *   04:02  hydra: stopping → stopped (asleep)
 *   04:02  hydra: active for 2 h → stopping        ⇒  04:02  hydra: active for 2 h → stopped (asleep)
 *
 *   05:21  hydra: starting → active
 *   05:21  hydra: stopped for 38 min → starting    ⇒  05:21  hydra: stopped for 38 min → active
 * ```
 *
 * Nobody asked for them. The log only needs to say since when the computer sleeps or is awake.
 */
export function withWholeChanges(changes: readonly Change[]): readonly Change[] {
	const beginnings = new Map<Change, StatusChange>();
	const endsBySubject = new Map<string, StatusChange>();
	for (const change of changes) {
		if (change.type !== 'statusChanged') continue;
		// With several accounts, two computers may have the same id, but not the same name, which begins with the account.
		const subject = `${change.id} ${change.name ?? ''}`;
		const end = endsBySubject.get(subject);
		endsBySubject.delete(subject);
		if (end && change.to === end.from && phaseIn(change.from) === phaseBefore(end))
			beginnings.set(end, change);
		if (phaseBefore(change) !== undefined) endsBySubject.set(subject, change);
	}
	if (beginnings.size === 0) return changes;
	const taken = new Set<Change>(beginnings.values());
	return changes.flatMap(change => {
		if (taken.has(change)) return [];
		const beginning = beginnings.get(change);
		return beginning && change.type === 'statusChanged' ? [joined(beginning, change)] : [change];
	});
}

const phaseIn = (status: string | null) => (status === null ? undefined : phaseOf(status));

/** Returns the phase in which a computer fell asleep or woke up, if the change is the end of that. */
function phaseBefore({ from, to, reason }: StatusChange): Phase | undefined {
	const [earlier, later] = [phaseIn(from), phaseIn(to)];
	if (earlier === 'stopping' && later === 'stopped' && reason === 'asleep') return 'active';
	return earlier === 'starting' && later === 'active' ? 'stopped' : undefined;
}

function joined({ from, lasted }: StatusChange, end: StatusChange): StatusChange {
	const { lasted: _, ...rest } = end;
	return { ...rest, from, ...(lasted !== undefined && { lasted }) };
}
